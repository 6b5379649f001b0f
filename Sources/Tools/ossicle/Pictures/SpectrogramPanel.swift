import OssicleCore

/// A spectrogram with its axes and the scale of its colours.
struct SpectrogramPanel {
    let title: String
    let spectrogram: Spectrogram
    let seconds: Double

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        canvas.text(title, x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.image(spectrogram.image, in: frame)
        canvas.rectangle(frame, fill: "none", stroke: Ink.faint)

        let octaves = Axis(low: DeterministicMath.log2(Spectrogram.lowest), high: DeterministicMath.log2(spectrogram.highest),
                           start: frame.bottom, end: frame.y)
        let marks = [(50.0, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"), (10_000, "10k"), (20_000, "20k")]
        for (frequency, label) in marks where frequency <= spectrogram.highest {
            let y = octaves(DeterministicMath.log2(frequency))
            canvas.line([(frame.x - 4, y), (frame.x, y)], stroke: Ink.faint, width: 1)
            canvas.text(label, x: frame.x - 8, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        canvas.text("frequency / Hz", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle, turned: true)
        TimeAxis(seconds: seconds, in: frame).drawLabels(on: &canvas, below: frame)
        scale(on: &canvas, in: Frame(x: frame.right + 20, y: frame.y, width: 14, height: frame.height))
    }

    private func scale(on canvas: inout SVGCanvas, in frame: Frame) {
        let ramp = PNGImage(width: 1, height: 256, pixels: (0...255).reversed().map(UInt8.init), palette: Colour.levels)
        canvas.image(ramp, in: frame)
        canvas.rectangle(frame, fill: "none", stroke: Ink.faint)
        let top = spectrogram.top
        let level = Axis(low: top - Spectrogram.range, high: top, start: frame.bottom, end: frame.y)
        for decibels in stride(from: top, through: top - Spectrogram.range, by: -20) {
            canvas.text(Text.number(decibels, decimals: 0), x: frame.right + 6, y: level(decibels) + 4, size: 11, fill: Ink.faint)
        }
        canvas.text("level / dB re full-scale sine", x: frame.right + 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle, turned: true)
    }
}

import OssicleCore

/// The spectrogram of the mean of both ears, with its axes and the scale of its colours.
struct SpectrogramPanel {
    let recording: Recording

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let sound = zip(recording.left, recording.right).map { ($0 + $1) * 0.5 }
        let spectrogram = Spectrogram(of: sound, sampleRate: Double(recording.sampleRate), columns: 800, rows: 200)
        canvas.text("Spectrum of both ears together", x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.image(spectrogram.image, in: frame)
        canvas.rectangle(frame, fill: "none", stroke: Ink.faint)

        let octaves = Axis(low: DeterministicMath.log2(Spectrogram.lowest), high: DeterministicMath.log2(Spectrogram.highest),
                           start: frame.bottom, end: frame.y)
        for (frequency, label) in [(50.0, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"), (10_000, "10k"), (20_000, "20k")] {
            let y = octaves(DeterministicMath.log2(frequency))
            canvas.line([(frame.x - 4, y), (frame.x, y)], stroke: Ink.faint, width: 1)
            canvas.text(label, x: frame.x - 8, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        canvas.text("frequency / Hz", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle, turned: true)
        TimeAxis(seconds: recording.seconds, in: frame).drawLabels(on: &canvas, below: frame)
        scale(on: &canvas, in: Frame(x: frame.right + 20, y: frame.y, width: 14, height: frame.height))
    }

    private func scale(on canvas: inout SVGCanvas, in frame: Frame) {
        let ramp = PNGImage(width: 1, height: 256, pixels: (0...255).reversed().map(UInt8.init), palette: Colour.levels)
        canvas.image(ramp, in: frame)
        canvas.rectangle(frame, fill: "none", stroke: Ink.faint)
        let level = Axis(low: -Spectrogram.range, high: 0, start: frame.bottom, end: frame.y)
        for decibels in stride(from: -Spectrogram.range, through: 0, by: 20) {
            canvas.text(Text.number(decibels, decimals: 0) + (decibels == 0 ? " dB" : ""), x: frame.right + 6, y: level(decibels) + 4, size: 11, fill: Ink.faint)
        }
    }
}

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

        let octaves = Axis(
            low: DeterministicMath.log2(Spectrogram.lowest), high: DeterministicMath.log2(spectrogram.highest),
            start: frame.bottom, end: frame.y)
        let marks = [
            (50.0, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"),
            (10_000, "10k"), (20_000, "20k"),
        ]
        for (frequency, label) in marks where frequency <= spectrogram.highest {
            let y = octaves(DeterministicMath.log2(frequency))
            canvas.line([(frame.x - 4, y), (frame.x, y)], stroke: Ink.faint, width: 1)
            canvas.text(label, x: frame.x - 8, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        canvas.text(
            "frequency / Hz", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint,
            anchor: .middle, turned: true)
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
            canvas.text(
                Text.number(decibels, decimals: 0), x: frame.right + 6, y: level(decibels) + 4, size: 11,
                fill: Ink.faint)
        }
        canvas.text(
            "level / dB re full-scale sine", x: frame.right + 44, y: (frame.y + frame.bottom) / 2, size: 11,
            fill: Ink.faint, anchor: .middle, turned: true)
    }
}

/// Level over time and frequency of a sound.
///
/// Rows are spaced by equal frequency ratios from `lowest` to `highest` Hz; each shows the strongest bin within,
/// columns the mean power of their time.
struct Spectrogram {
    static let lowest = 40.0
    /// dB below `top` that are drawn.
    static let range = 80.0

    let columns, rows: Int
    /// In Hz: 20 kHz, or half the sample rate.
    let highest: Double
    /// dB relative to a full-scale sine in every channel, row by row from the highest frequency.
    let levels: [Double]

    /// The whole of `channels`, all of the same length.
    init(of channels: [[Float]], sampleRate: Double, rows: Int) {
        let frames = channels.map(\.count).min() ?? 0
        let recorder = SpectrogramRecorder(
            channelCount: channels.count, sampleRate: sampleRate, frameCount: Int64(frames), rows: rows)
        recorder.add(channels.map { $0[..<frames] })
        self = recorder.finish()
    }

    /// - Parameter powers: column by column, relative to a full-scale sine, rows from the highest frequency.
    init(powers: [[Float]], rows: Int, highest: Double) {
        columns = powers.count
        self.rows = rows
        self.highest = highest
        levels = (0..<rows).flatMap { row in powers.map { Decibels.of(energy: max(Double($0[row]), 1e-20)) } }
    }

    /// The upper end of the colours, dB: the loudest point, rounded up to the next ten.
    var top: Double { min(max(((levels.max() ?? 0) / 10).rounded(.up) * 10, -100), 20) }

    /// As a picture: the colours of `Colour.levels` from `top` down over `range` dB.
    var image: PNGImage {
        let top = top
        let pixels = levels.map { UInt8(min(max(1 + ($0 - top) / Spectrogram.range, 0), 1) * 255) }
        return PNGImage(width: columns, height: rows, pixels: pixels, palette: Colour.levels)
    }
}

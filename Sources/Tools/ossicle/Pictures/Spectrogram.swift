import OssicleCore

/// Level over time and frequency of a sound.
///
/// Rows are spaced by equal frequency ratios from `lowest` to `highest` Hz; each shows the strongest bin within, columns the mean power of their time.
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
        let recorder = SpectrogramRecorder(channelCount: channels.count, sampleRate: sampleRate, frameCount: Int64(frames), rows: rows)
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

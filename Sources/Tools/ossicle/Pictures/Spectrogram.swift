import OssicleCore

/// Level over time and frequency of a sound: the input of the picture's lowest panel.
///
/// Columns are Hann-windowed frames of 2048 samples; rows are spaced by equal frequency ratios from `lowest` to `highest` Hz.
struct Spectrogram {
    static let lowest = 40.0
    static let highest = 20_000.0
    /// dB below the loudest point that are drawn.
    static let range = 80.0

    let columns, rows: Int
    /// dB relative to the loudest point, row by row from the highest frequency.
    let levels: [Double]

    init(of sound: [Float], sampleRate: Double, columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        let size = 2048
        let window = (0..<size).map { Float(0.5 - 0.5 * DeterministicMath.cos(2 * DeterministicMath.pi * Double($0) / Double(size))) }
        let spectrum = PowerSpectrum(size: size)
        let edges = (0...rows).map { row in
            Spectrogram.highest * DeterministicMath.pow(Spectrogram.lowest / Spectrogram.highest, Double(row) / Double(rows)) / sampleRate * Double(size)
        }
        var levels = [Double](repeating: 0, count: rows * columns)
        for column in 0..<columns {
            let centre = (Double(column) + 0.5) / Double(columns) * Double(sound.count)
            let start = Int(centre) - size / 2
            let frame = (0..<size).map { i in sound.indices.contains(start + i) ? sound[start + i] * window[i] : 0 }
            let power = spectrum.power(of: frame)
            for row in 0..<rows { levels[row * columns + column] = Spectrogram.strongest(power, from: edges[row + 1], to: edges[row]) }
        }
        let peak = max(levels.max() ?? 0, 1e-30)
        self.levels = levels.map { Decibels.of(energy: max($0 / peak, 1e-12)) }
    }

    /// The greatest power between two (fractional) bins; between neighbouring bins where the span holds none.
    private static func strongest(_ power: [Float], from low: Double, to high: Double) -> Double {
        let (first, last) = (Int(low.rounded(.up)), min(Int(high), power.count - 1))
        if first <= last { return Double(power[first...last].max() ?? 0) }
        let below = Int(low)
        guard below + 1 < power.count else { return 0 }
        let share = (low + high) / 2 - Double(below)
        return Double(power[below]) * (1 - share) + Double(power[below + 1]) * share
    }

    /// As a picture: the colours of `Colour.levels` over `range` dB.
    var image: PNGImage {
        let pixels = levels.map { UInt8(min(max(1 + $0 / Spectrogram.range, 0), 1) * 255) }
        return PNGImage(width: columns, height: rows, pixels: pixels, palette: Colour.levels)
    }
}

import OssicleCore
import OssicleDSP

/// Makes a spectrogram of a sound of any length while it passes by, in bounded memory. The powers of all channels are
/// averaged, so that what stands against each other in phase does not vanish.
final class SpectrogramRecorder {
    /// Powers of all rows, summed over `count` transforms.
    private struct Column: Joinable {
        var powers: [Float]
        var count: Int

        mutating func join(_ later: Column) {
            for row in powers.indices { powers[row] += later.powers[row] }
            count += later.count
        }
    }

    private let rows, size, hop: Int
    private let highest: Double
    private let window: [Float]
    private let spectrum: PowerSpectrum
    /// Borders of the rows, in bins, from the highest frequency down.
    private let edges: [Double]
    private var columns = Columns<Column>(capacity: 1600)
    /// What the next transforms need of each channel; begins half a window before the sound.
    private var history: [[Float]]
    /// Transforms made, and frames taken.
    private var transforms = 0, frames = 0
    private var used = 0

    /// - Parameter frameCount: about how long the sound is. Long sounds are drawn with finer frequencies and coarser
    ///   times.
    init(channelCount: Int, sampleRate: Double, frameCount: Int64, rows: Int) {
        let isLong = Double(frameCount) > 30 * sampleRate
        var size = 256
        while Double(size) < sampleRate * (isLong ? 0.07 : 0.035), size < 16_384 { size *= 2 }
        self.size = size
        self.rows = rows
        let highest = max(min(20_000, sampleRate / 2), 2 * Spectrogram.lowest)
        self.highest = highest
        hop = Int(min(max(frameCount / 1200, 16), Int64(size)))
        window = (0..<size).map {
            Float(0.5 - 0.5 * DeterministicMath.cos(2 * DeterministicMath.pi * Double($0) / Double(size)))
        }
        spectrum = PowerSpectrum(size: size)
        edges = (0...rows).map { row in
            highest * DeterministicMath.pow(Spectrogram.lowest / highest, Double(row) / Double(rows)) / sampleRate
                * Double(size)
        }
        history = Array(repeating: Array(repeating: 0, count: size / 2), count: max(channelCount, 1))
    }

    /// Takes the next frames, one collection per channel.
    func add<Plane: Collection<Float>>(_ channels: [Plane]) {
        guard let count = channels.first?.count, channels.count == history.count else { return }
        for (channel, samples) in channels.enumerated() { history[channel] += samples }
        frames += count
        transformAll()
    }

    /// The spectrogram of what has been taken; the last call.
    func finish() -> Spectrogram {
        for channel in history.indices { history[channel] += repeatElement(0, count: size) }
        transformAll(to: frames)
        let powers = columns.elements.map { column in column.powers.map { $0 / Float(column.count) } }
        return Spectrogram(powers: powers, rows: rows, highest: highest)
    }

    /// Each transform is centred on its hop.
    private func transformAll(to end: Int = .max) {
        while used + hop / 2 + size <= history[0].count, transforms * hop < end {
            columns.append(Column(powers: rowPowers(from: used + hop / 2), count: 1))
            transforms += 1
            used += hop
        }
        guard used > 1 << 16 else { return }
        for channel in history.indices { history[channel].removeFirst(used) }
        used = 0
    }

    private func rowPowers(from start: Int) -> [Float] {
        var powers = [Float](repeating: 0, count: rows)
        // A full-scale sine under a Hann window has a quarter of the window's length in its bin.
        let scale = 16 / (Float(size) * Float(size) * Float(history.count))
        for first in stride(from: 0, to: history.count, by: 2) {
            let second = first + 1 < history.count ? windowed(first + 1, from: start) : []
            let power = spectrum.power(of: windowed(first, from: start), and: second)
            for row in 0..<rows { powers[row] += scale * Self.strongest(power, from: edges[row + 1], to: edges[row]) }
        }
        return powers
    }

    private func windowed(_ channel: Int, from start: Int) -> [Float] {
        zip(history[channel][start..<start + size], window).map { $0 * $1 }
    }

    /// The greatest power between two (fractional) bins; between neighbouring bins where the span holds none.
    private static func strongest(_ power: [Float], from low: Double, to high: Double) -> Float {
        let (first, last) = (Int(low.rounded(.up)), min(Int(high), power.count - 1))
        if first <= last { return power[first...last].max() ?? 0 }
        let below = Int(low)
        guard below + 1 < power.count else { return 0 }
        let share = Float((low + high) / 2 - Double(below))
        return power[below] * (1 - share) + power[below + 1] * share
    }
}

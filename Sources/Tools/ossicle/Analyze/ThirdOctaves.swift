import Foundation

/// The power of a sound in third-octave bands (IEC 61260-1, base ten: 1 kHz · 10^(n/10)), while it passes by.
///
/// Hann windows that overlap by three quarters weigh every sample alike, so that the powers of all bands together are the mean square
/// of the sound, as far as it lies in the bands. A sine of amplitude A has A²/2 in its band.
final class ThirdOctaves {
    /// Of the bands, Hz: 25 Hz … 20 kHz.
    static let centres = (-16...13).map { 1000 * pow(10, Double($0) / 10) }
    /// As people call them.
    static let nominal: [Double] = [
        25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150,
        4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
    private static let halfBand = pow(10, 0.05)

    private let size: Int
    private let sampleRate: Double
    private let window: [Float]
    private let spectrum: PowerSpectrum
    /// What the next transforms need of each channel; begins with three quarters of a window of silence.
    private var history: [[Float]]
    private var bins: [Double]
    private var frames = 0

    init(channelCount: Int, sampleRate: Double) {
        // Bins of 1.5 Hz at 48 kHz: the lowest band has four.
        var size = 4096
        while Double(size) < sampleRate * 0.6, size < 65_536 { size *= 2 }
        (self.size, self.sampleRate) = (size, sampleRate)
        window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }
        spectrum = PowerSpectrum(size: size)
        bins = Array(repeating: 0, count: size / 2 + 1)
        history = Array(repeating: Array(repeating: 0, count: size * 3 / 4), count: max(channelCount, 1))
    }

    /// Takes the next frames, one plane per channel.
    func add(_ planes: [UnsafePointer<Double>], frames count: Int) {
        for channel in history.indices where channel < planes.count {
            history[channel] += UnsafeBufferPointer(start: planes[channel], count: count).lazy.map(Float.init)
        }
        frames += count
        transformAll()
    }

    /// Mean square by band, mean over the channels; nil for bands that do not lie below half the sample rate. The last call.
    func finish() -> [Double?] {
        for channel in history.indices { history[channel] += repeatElement(0, count: size * 3 / 4) }
        transformAll()
        let scale = binScale
        return Self.centres.map { centre in
            let (low, high) = (centre / Self.halfBand, centre * Self.halfBand)
            guard high <= sampleRate / 2 else { return nil }
            return scale * power(from: low / sampleRate * Double(size), to: high / sampleRate * Double(size))
        }
    }

    /// Σ|X|² over both halves of the spectrum is N·Σ(w·x)², and each sample is weighed by Σw² of four windows, 1.5.
    private var binScale: Double {
        2 / (Double(size) * 1.5 * Double(max(frames, 1)) * Double(history.count))
    }

    private func transformAll() {
        let hop = size / 4
        var used = 0
        while used + size <= history[0].count {
            for first in stride(from: 0, to: history.count, by: 2) {
                let second = first + 1 < history.count ? windowed(first + 1, from: used) : []
                let power = spectrum.power(of: windowed(first, from: used), and: second)
                for bin in bins.indices { bins[bin] += Double(power[bin]) }
            }
            used += hop
        }
        for channel in history.indices { history[channel].removeFirst(used) }
    }

    private func windowed(_ channel: Int, from start: Int) -> [Float] {
        zip(history[channel][start..<start + size], window).map { $0 * $1 }
    }

    /// Of the bins between two places; a bin reaches half a bin to each side, and counts by the share that lies between.
    private func power(from low: Double, to high: Double) -> Double {
        let first = max(Int((low + 0.5).rounded(.down)), 0),
            last = min(Int((high + 0.5).rounded(.down)), bins.count - 1)
        guard first <= last else { return 0 }
        return (first...last).reduce(0) { sum, bin in
            let share = min(high, Double(bin) + 0.5) - max(low, Double(bin) - 0.5)
            return sum + bins[bin] * max(share, 0)
        }
    }
}

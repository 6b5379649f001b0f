import Foundation

/// The power of a sound in bands, over time, while it passes by.
///
/// Hann windows that overlap by three quarters weigh every sample alike, so that the powers of all bands together are
/// the mean square of the sound, as far as it lies in the bands. A sine of amplitude A has A²/2 in its band.
package final class BandSpectrum {
    private let bands: [ClosedRange<Double>]
    private let size: Int
    private let step: Int
    private let sampleRate: Double
    private let window: [Float]
    private let spectrum: PowerSpectrum
    /// What the next transforms need of each channel; begins with three quarters of a window of silence.
    private var history: [[Float]]
    private var bins: [Double]
    private var frames = 0
    /// Transforms so far: number n is centred at n·size/4 − size/4.
    private var transforms = 0
    /// Σ|X|² by band of the steps before the current one.
    private var steps: [[Double]] = []

    /// - Parameters:
    ///   - bands: Hz.
    ///   - size: of the windows, frames; a power of two. Bands should not be narrower than two of its bins.
    ///   - step: frames of a stretch of time that has powers of its own; nil for the whole sound.
    package init(bands: [ClosedRange<Double>], size: Int, step: Int?, channelCount: Int, sampleRate: Double) {
        (self.bands, self.size, self.sampleRate) = (bands, size, sampleRate)
        self.step = max(step ?? .max, 1)
        window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }
        spectrum = PowerSpectrum(size: size)
        bins = Array(repeating: 0, count: size / 2 + 1)
        history = Array(repeating: Array(repeating: 0, count: size * 3 / 4), count: max(channelCount, 1))
    }

    /// Takes the next frames, one plane per channel.
    package func add(_ planes: [UnsafePointer<Double>], frames count: Int) {
        for channel in history.indices where channel < planes.count {
            history[channel] += UnsafeBufferPointer(start: planes[channel], count: count).lazy.map(Float.init)
        }
        frames += count
        transformAll()
    }

    /// Mean square of each step by band, mean over the channels; nil for bands that do not lie below half the sample
    /// rate. The last call.
    package func finish() -> [[Double?]] {
        for channel in history.indices { history[channel] += repeatElement(0, count: size * 3 / 4) }
        transformAll()
        endStep()
        let count = step == .max ? 1 : (frames + step - 1) / step
        return (0..<count).map { index in
            let length = step == .max ? frames : min(step, frames - index * step)
            return bands.indices.map { band in
                guard bands[band].upperBound <= sampleRate / 2 else { return nil }
                return index < steps.count ? binScale(length) * steps[index][band] : 0
            }
        }
    }

    /// Σ|X|² over both halves of the spectrum is N·Σ(w·x)², and each sample is weighed by Σw² of four windows, 1.5.
    private func binScale(_ length: Int) -> Double {
        2 / (Double(size) * 1.5 * Double(max(length, 1)) * Double(history.count))
    }

    private func transformAll() {
        let hop = size / 4
        var used = 0
        while used + size <= history[0].count {
            // What lies before the start and behind the end belongs to the first and the last step.
            let centre = min(max((transforms - 1) * hop, 0), max(frames - 1, 0))
            while steps.count < centre / step { endStep() }
            for first in stride(from: 0, to: history.count, by: 2) {
                let second = first + 1 < history.count ? windowed(first + 1, from: used) : []
                let power = spectrum.power(of: windowed(first, from: used), and: second)
                for bin in bins.indices { bins[bin] += Double(power[bin]) }
            }
            used += hop
            transforms += 1
        }
        for channel in history.indices { history[channel].removeFirst(used) }
    }

    private func endStep() {
        steps.append(
            bands.map {
                power(
                    from: $0.lowerBound / sampleRate * Double(size), to: $0.upperBound / sampleRate * Double(size))
            })
        for bin in bins.indices { bins[bin] = 0 }
    }

    private func windowed(_ channel: Int, from start: Int) -> [Float] {
        zip(history[channel][start..<start + size], window).map { $0 * $1 }
    }

    /// Of the bins between two places; a bin reaches half a bin to each side, and counts by the share that lies
    /// between.
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

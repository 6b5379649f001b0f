import Foundation

/// Tones of known frequencies followed through a long recording, block by block.
///
/// Each block holds a whole number of periods of every tone, so that the tones are orthogonal in it and their fits
/// exact. A frame that is missing, repeated or silent shows either in its block's residual or, between two blocks, as a
/// step of phase.
public struct SteadyTones: Sendable {
    /// One tone over the whole recording.
    public struct Tone: Sendable {
        /// Hz, from the line through the blocks' phases.
        public let frequency: Double
        /// Of single blocks.
        public let amplitude: ClosedRange<Double>
        /// Radians: the largest distance of a block's phase from that line.
        public let largestPhaseStep: Double
    }

    public let tones: [Tone]
    /// The largest |sample − tones| of each block; what is left at the end is too short for one.
    public let residualPeaks: [Double]
    /// Weights of sine and cosine, by tone and block.
    private let fits: [[SIMD2<Double>]]

    /// - Parameters:
    ///   - frequencies: Hz; each a whole number of periods in `block` frames.
    ///   - samples: one channel, at least a block of it. - block: frames.
    public init(_ frequencies: [Double], in samples: [Float], sampleRate: Double = 48000, block: Int = 4800) {
        let waves = frequencies.map { Wave($0 * Double(block) / sampleRate, frames: block) }
        var fits = [[SIMD2<Double>]](repeating: [], count: waves.count)
        var peaks: [Double] = []
        for start in stride(from: 0, through: samples.count - block, by: block) {
            var rest = samples[start..<start + block].map(Double.init)
            for (index, wave) in waves.enumerated() {
                let fit = wave.fit(rest)
                wave.subtract(fit, from: &rest)
                fits[index].append(fit)
            }
            peaks.append(rest.reduce(0) { max($0, $1.magnitude) })
        }
        (residualPeaks, self.fits) = (peaks, fits)
        tones = zip(frequencies, fits).map { frequency, fits in
            let phases = SteadyTones.unwrapped(fits.map { atan2($0.y, $0.x) })
            let line = SteadyTones.line(through: phases)
            let levels = fits.map { ($0 * $0).sum().squareRoot() }
            return Tone(
                frequency: frequency + line.slope / (2 * .pi) * sampleRate / Double(block),
                amplitude: (levels.min() ?? 0)...(levels.max() ?? 0), largestPhaseStep: line.largestDistance)
        }
    }

    /// Runs of blocks in which the first tone has its amplitude within 0.1 dB, all else is 34 dB below it, and each
    /// phase follows from the one before within 0.05 radians: of a tone of 1 kHz at 48 kHz a third of what one frame
    /// more or less is.
    /// - Parameter residual: what is beside the tones, at most, of the amplitude; infinite where other tones may break.
    public func runs(amplitude: Double, residual: Double = 0.02) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, fit) in (fits.first ?? []).enumerated() {
            let level = (fit * fit).sum().squareRoot()
            guard abs(20 * log10(level / amplitude)) < 0.1, residualPeaks[index] < residual * amplitude else {
                continue
            }
            if let last = runs.last, last.upperBound == index {
                let before = fits[0][index - 1]
                let turn = atan2(before.x * fit.y - before.y * fit.x, (before * fit).sum())
                if abs(turn) < 0.05 {
                    runs[runs.count - 1] = last.lowerBound..<index + 1
                    continue
                }
            }
            runs.append(index..<index + 1)
        }
        return runs
    }

    /// A sine and a cosine of so many periods.
    private struct Wave {
        let sine: [Double]
        let cosine: [Double]

        init(_ periods: Double, frames: Int) {
            let angles = (0..<frames).map { 2 * .pi * periods * Double($0) / Double(frames) }
            (sine, cosine) = (angles.map { sin($0) }, angles.map { cos($0) })
        }

        /// Weights of sine and cosine.
        func fit(_ samples: [Double]) -> SIMD2<Double> {
            var sum = SIMD2(0.0, 0.0)
            for index in samples.indices { sum += samples[index] * SIMD2(sine[index], cosine[index]) }
            return sum * 2 / Double(samples.count)
        }

        func subtract(_ fit: SIMD2<Double>, from samples: inout [Double]) {
            for index in samples.indices { samples[index] -= fit.x * sine[index] + fit.y * cosine[index] }
        }
    }

    private static func unwrapped(_ phases: [Double]) -> [Double] {
        var (result, turns) = ([Double](), 0.0)
        for phase in phases {
            if let last = result.last { turns -= ((phase + turns - last) / (2 * .pi)).rounded() * 2 * .pi }
            result.append(phase + turns)
        }
        return result
    }

    /// The line of the least squares through values at 0, 1, 2…
    private static func line(through values: [Double]) -> (slope: Double, largestDistance: Double) {
        guard values.count > 1 else { return (0, 0) }
        let middle = Double(values.count - 1) / 2
        let mean = values.reduce(0, +) / Double(values.count)
        var (covariance, variance) = (0.0, 0.0)
        for (index, value) in values.enumerated() {
            covariance += (Double(index) - middle) * (value - mean)
            variance += (Double(index) - middle) * (Double(index) - middle)
        }
        let slope = covariance / variance
        let distances = values.enumerated().map { abs($1 - mean - slope * (Double($0) - middle)) }
        return (slope, distances.max() ?? 0)
    }
}

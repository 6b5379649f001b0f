import Foundation

/// The pitch of a periodic sound: the cumulative mean normalised difference of YIN (de Cheveigné and Kawahara 2002),
/// refined over as many periods as the longest lag has.
package struct PitchAnalysis {
    package struct Pitch: Equatable, Sendable {
        /// Hz.
        package let frequency: Double
        /// 1 for a periodic sound, 0 for noise.
        package let clarity: Double
    }

    private let sampleRate: Double
    private let shortest, longest: Int

    /// The normalised difference below which a lag counts as a period.
    private static let threshold = 0.15

    /// - Parameter range: Hz of the pitches that are looked for.
    package init(range: ClosedRange<Double>, sampleRate: Double) {
        self.sampleRate = sampleRate
        shortest = max(Int(sampleRate / range.upperBound), 2)
        longest = max(Int((sampleRate / max(range.lowerBound, 1)).rounded(.up)), shortest + 2)
    }

    /// Frames of which one pitch is found.
    package var frames: Int { 2 * longest + 2 }

    /// - Parameter samples: `frames` of them at least.
    /// - Returns: nil for silence and for what has no pitch in the range.
    package func pitch(of samples: ArraySlice<Double>) -> Pitch? {
        guard samples.count >= frames else { return nil }
        let x = Array(samples.prefix(frames)), width = longest + 1
        guard x.contains(where: { $0 != 0 }) else { return nil }
        let difference = (0...longest + 1).map { lag in
            (0..<width).reduce(0.0) { sum, index in
                let step = x[index] - x[index + lag]
                return sum + step * step
            }
        }
        var normalised = [1.0], sum = 0.0
        for lag in 1...longest + 1 {
            sum += difference[lag]
            normalised.append(sum > 0 ? difference[lag] * Double(lag) / sum : 1)
        }
        guard var lag = (shortest...longest).first(where: { normalised[$0] < Self.threshold }) else { return nil }
        while lag < longest, normalised[lag + 1] < normalised[lag] { lag += 1 }
        // Without a period below the shortest lag the first lag is on the way up from zero.
        guard lag > shortest || normalised[lag] <= normalised[lag - 1] else { return nil }
        let period = refined(lag, in: difference)
        return Pitch(frequency: sampleRate / period, clarity: min(max(1 - normalised[lag], 0), 1))
    }

    /// The period by its multiples: each time twice as many, as far as they are minima of the difference.
    private func refined(_ lag: Int, in difference: [Double]) -> Double {
        var period = Self.vertex(lag, of: difference), count = 1.0
        while 2 * count * period + 1 < Double(longest) {
            count *= 2
            let around = Int((count * period).rounded()), reach = max(Int(period / 4), 1)
            let lags = max(around - reach, 1)...min(around + reach, longest)
            guard let best = lags.min(by: { difference[$0] < difference[$1] }), best > lags.lowerBound,
                best < lags.upperBound
            else { break }
            period = Self.vertex(best, of: difference) / count
        }
        return period
    }

    /// Of the parabola through a minimum and its neighbours.
    private static func vertex(_ lag: Int, of difference: [Double]) -> Double {
        let (a, b, c) = (difference[lag - 1], difference[lag], difference[lag + 1]), bend = a - 2 * b + c
        return bend > 0 ? Double(lag) + min(max((a - c) / (2 * bend), -0.5), 0.5) : Double(lag)
    }
}

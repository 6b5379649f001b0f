/// The interaural cross-correlation coefficient (ISO 3382-1, Annex B):
///
///     IACC = max over |τ| ≤ 1 ms of |∫ l(t) r(t + τ) dt| / √(∫ l² dt ∫ r² dt)
package enum InterauralCorrelation {
    /// Seconds to each side.
    private static let reach = 0.001

    /// 0…1; nil where an ear has nothing.
    package static func coefficient(_ left: [Double], _ right: [Double], sampleRate: Double) -> Double? {
        let lags = Int((reach * sampleRate).rounded()), count = min(left.count, right.count)
        let energy = [left, right].map { $0.reduce(0) { $0 + $1 * $1 } }
        guard energy[0] > 0, energy[1] > 0, energy[0].isFinite, energy[1].isFinite else { return nil }
        // Lags side by side in memory, so that they are summed together and each in the order of time.
        let padded = [Double](repeating: 0, count: lags) + right.prefix(count) + [Double](repeating: 0, count: lags)
        var sums = [Double](repeating: 0, count: 2 * lags + 1)
        padded.withUnsafeBufferPointer { padded in
            sums.withUnsafeMutableBufferPointer { sums in
                for frame in 0..<count {
                    let sample = left[frame]
                    for lag in sums.indices { sums[lag] += sample * padded[frame + lag] }
                }
            }
        }
        return min((sums.lazy.map(\.magnitude).max() ?? 0) / (energy[0] * energy[1]).squareRoot(), 1)
    }
}

import OssicleCore

/// The energy still to come over time (Schroeder 1965), of one band, with what the histogram has cut off added.
///
/// What follows the last complete bin is taken for exponential, of the slope the curve itself shows at its end.
package struct DecayCurve: Sendable, Hashable {
    /// Seconds.
    package let binWidth: Double
    /// Energy from the start of bin k on, and the remainder behind the last: one more than there are bins.
    package let remaining: [Double]

    /// Limits of every decay time, in seconds.
    package static let times = 0.05...60.0

    /// - Parameters:
    ///   - energies: per bin, complete.
    ///   - continues: whether anything follows the last bin; false in the open, where what is over is over.
    package init(energies: [Double], binWidth: Double, continues: Bool = true) {
        self.binWidth = binWidth
        var tail = continues ? DecayCurve.remainder(energies, rate: nil) : 0
        var remaining = DecayCurve.integral(energies, tail)
        // A curve that knows its tail better shows its slope better; three rounds settle to a part in a thousand.
        for _ in 0..<(continues && tail > 0 ? 3 : 0) {
            guard let slope = DecayCurve.slope(of: remaining, from: -5, to: -25) else { break }
            tail = DecayCurve.remainder(energies, rate: -slope)
            remaining = DecayCurve.integral(energies, tail)
        }
        self.remaining = remaining
    }

    package var energy: Double { remaining.first ?? 0 }

    /// Seconds to fall by 60 dB, by the line that fits best between two levels in dB below the start: −5, −25 for T20,
    /// −5, −35 for T30, 0, −10 for the early decay time. Nil where there is too little to tell.
    package func time(from upper: Double, to lower: Double) -> Double? {
        guard let slope = DecayCurve.slope(of: remaining, from: upper, to: lower), slope < 0 else { return nil }
        let time = 6 * DeterministicMath.ln10 / -slope * binWidth
        return min(max(time, DecayCurve.times.lowerBound), DecayCurve.times.upperBound)
    }

    private static func integral(_ energies: [Double], _ tail: Double) -> [Double] {
        var remaining = [tail]
        remaining.reserveCapacity(energies.count + 1)
        for energy in energies.reversed() { remaining.append((remaining.last ?? 0) + energy) }
        return remaining.reversed()
    }

    /// What follows the last bin: E q/(1 − q), E the energy of the last third and q what a third leaves of the third
    /// before.
    private static func remainder(_ energies: [Double], rate: Double?) -> Double {
        let start = energies.firstIndex { $0 > 0 } ?? energies.count
        let third = (energies.count - start) / 3
        guard third > 0 else { return 0 }
        let last = energies.suffix(third).reduce(0, +)
        let before = energies.dropLast(third).suffix(third).reduce(0, +)
        if let rate { return remainder(last, rate: rate, bins: third) }
        return remainder(last, left: before > 0 ? last / before : 0)
    }

    /// What follows so many bins of energy `last` of an exponential that falls by `rate` per bin, in nepers.
    static func remainder(_ last: Double, rate: Double, bins: Int) -> Double {
        remainder(last, left: DeterministicMath.exp(-rate * Double(bins)))
    }

    /// - Parameter left: what a third leaves of the third before. One that leaves more than nine tenths decays too
    ///   slowly to be distinguished from noise.
    private static func remainder(_ last: Double, left: Double) -> Double {
        last * min(left, 0.9) / (1 - min(left, 0.9))
    }

    /// Slope of the logarithm per bin between two levels in dB. Where the curve ends before it falls that far, what
    /// there is of it.
    private static func slope(of remaining: [Double], from upper: Double, to lower: Double) -> Double? {
        guard let top = remaining.first, top > 0, top.isFinite, let end = remaining.last else { return nil }
        let floor = max(top * Decibels.energy(lower), end)
        let isShort = floor > top * Decibels.energy(upper - 3)
        let ceiling = isShort ? top : top * Decibels.energy(upper)
        var (n, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        // Before the first arrival the curve is level; that is no decay.
        for bin in remaining.indices.dropLast()
        where remaining[bin] <= ceiling && remaining[bin] > 0 && remaining[bin + 1] < top {
            guard remaining[bin] >= floor else { break }
            let (x, y) = (Double(bin), DeterministicMath.log(remaining[bin] / top))
            (n, sx, sy, sxx, sxy) = (n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y)
        }
        let spread = n * sxx - sx * sx
        guard n >= 2, spread > 0 else { return nil }
        return (n * sxy - sx * sy) / spread
    }
}

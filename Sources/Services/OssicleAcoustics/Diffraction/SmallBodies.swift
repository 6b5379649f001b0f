import OssicleCore

/// Four tones that stand for an octave band.
enum OctaveTone {
    /// √ of their frequencies re the centre: 2^(−3/16), 2^(−1/16), 2^(1/16), 2^(3/16).
    static let factors = SIMD4(0.8781260801866496, 0.9576032806985737, 1.0442737824274138, 1.1387886347566916)
    /// Logarithms of their frequencies re the centre: −⅜, −⅛, ⅛ and ⅜ of ln 2.
    static let logs = SIMD4(-0.2599301927099795, -0.0866433975699932, 0.0866433975699932, 0.2599301927099795)
}

/// χ: what a body as small as a wavelength scatters re Kirchhoff's integral over its silhouette.
///
/// A rigid body much smaller than the wave scatters forward in proportion to the mass of air that moves with it, k²,
/// and not as a screen does, √k. The ratio depends on ka alone, a half the width, and hardly on places: from the series
/// for the circular cylinder, and for boxes from boundary elements in two dimensions; by the share of its box that a
/// body fills, between these. The mass is the same from all sides, so a box seen on edge, which shades more, has less
/// of it: a is its own half width.
enum SmallBodies {
    private static let waves: [Double] = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 16]
    private static let logs = waves.map { DeterministicMath.log($0) }
    private static let round = ratios(
        [0.14, 0.21, 0.30, 0.49, 0.62, 0.70, 0.76, 0.83, 0.88, 0.92, 0.96, 1, 1],
        degrees: [40, 54, 58, 53, 43, 32, 28, 21, 17, 13, 10, 5, 0])
    private static let box = ratios(
        [0.18, 0.30, 0.43, 0.70, 0.90, 1.08, 1.27, 1.20, 1.04, 1.03, 1.02, 1, 1],
        degrees: [45, 57, 60, 55, 46, 36, 20, 6, 3, 5, 1, 0, 0])

    private static func ratios(_ sizes: [Double], degrees: [Double]) -> [Phasor] {
        zip(sizes, degrees).map { size, angle in
            let (s, c) = DeterministicMath.sincos(angle * DeterministicMath.pi / 180)
            return Phasor(real: size * c, imaginary: size * s)
        }
    }

    /// χ at the four tones of a band.
    /// - Parameters:
    ///   - ka: wave number of the centre times half the width that is seen.
    ///   - fill: share of its smallest box that the body fills.
    ///   - turn: half its own width re that, 0.5…1.
    static func factors(_ ka: Double, fill: Double, turn: Double) -> Tones {
        var factors = Tones.one
        guard ka * turn * OctaveTone.factors[0] * OctaveTone.factors[0] < waves[waves.count - 1] else {
            return factors
        }
        let log = DeterministicMath.log(ka * turn)
        for tone in 0..<4 {
            let root = OctaveTone.factors[tone]
            let factor = factor(ka * root * root, log: log + OctaveTone.logs[tone], fill: fill, turn: turn)
            (factors.real[tone], factors.imaginary[tone]) = (factor.real, factor.imaginary)
        }
        return factors
    }

    /// - Parameter log: of ka × turn.
    private static func factor(_ ka: Double, log: Double, fill: Double, turn: Double) -> Phasor {
        let own = ka * turn
        guard own < waves[waves.count - 1] else { return .one }
        let place = waves.firstIndex { $0 > own } ?? waves.count - 1
        let mix = min(max((fill - DeterministicMath.pi / 4) / (1 - DeterministicMath.pi / 4), 0), 1)
        func value(_ index: Int) -> Phasor { round[index] + (box[index] - round[index]) * mix }
        // Below the table it falls as (ka)^½.
        guard place > 0 else { return value(0) * ((own / waves[0]).squareRoot() * turn) }
        let share = (log - logs[place - 1]) / (logs[place] - logs[place - 1])
        let ratio = value(place - 1) + (value(place) - value(place - 1)) * share
        // From ka 2 to 5 the turn loses its meaning: what counts is what is seen.
        let rest = min(max((ka - 2) / 3, 0), 1)
        return ratio * (turn + (1 - turn) * rest)
    }
}

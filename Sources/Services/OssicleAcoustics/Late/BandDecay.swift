import OssicleCore

/// The squared response of one octave band in bins of equal width, its decay, and the quantities of ISO 3382-1 that are
/// ratios and means of it.
///
/// What follows the last bin is taken for exponential where the decay continues.
package struct BandDecay: Sendable {
    /// Energy of each bin.
    package let energies: [Double]
    package let curve: DecayCurve
    /// Seconds from the first sound to the first bin: below 0 where a filter rings before what it filters.
    private let start: Double
    /// Energy and mean delay of what follows the last bin.
    private let tail, tailDelay: Double

    /// - Parameters:
    ///   - binWidth: seconds. - start: seconds from the first sound to the first bin.
    ///   - continues: whether anything follows the last bin.
    package init(energies: [Double], binWidth: Double, start: Double = 0, continues: Bool = true) {
        (self.energies, self.start) = (energies, start)
        curve = DecayCurve(energies: energies, binWidth: binWidth, continues: continues)
        tail = curve.remaining.last ?? 0
        tailDelay = (curve.time(from: -5, to: -25) ?? 0) / (6 * DeterministicMath.ln10)
    }

    private var length: Double { Double(energies.count) * curve.binWidth }

    /// All energy, with what follows the last bin.
    package var energy: Double { curve.energy }

    /// Energy from some seconds after the first sound on.
    package func energy(after time: Double) -> Double { curve.energy(after: time - start) }

    /// Share of the energy in the first seconds, 0…1.
    package func early(_ time: Double) -> Double {
        energy > 0 ? min(max(1 - energy(after: time) / energy, 0), 1) : 0
    }

    /// dB, energy of the first seconds to that of the rest, −120…120.
    package func clarity(_ time: Double) -> Double {
        guard energy > 0 else { return -120 }
        let late = energy(after: time)
        guard late > 0, energy > late else { return late > 0 ? -120 : 120 }
        return min(max(Decibels.of(energy: (energy - late) / late), -120), 120)
    }

    /// Seconds, mean time of arrival after the first sound.
    package var centreTime: Double {
        guard energy > 0 else { return 0 }
        let moment = energies.indices.reduce(tail * (start + length + tailDelay)) {
            $0 + energies[$1] * (start + (Double($1) + 0.5) * curve.binWidth)
        }
        return moment / energy
    }

    /// What is left of a full modulation at a frequency in Hz, 0…1: |∫ h² e^(−2πiFt) dt| / ∫ h² dt (Schroeder 1981).
    package func modulation(_ frequency: Double) -> Double {
        guard energy > 0 else { return 0 }
        let turn = 2 * DeterministicMath.pi * frequency
        let step = DeterministicMath.sincos(turn * curve.binWidth)
        // From the middle of the first bin, turned on by one bin at a time.
        var (s, c) = DeterministicMath.sincos(turn * curve.binWidth / 2)
        var (x, y) = (0.0, 0.0)
        for energy in energies {
            (x, y) = (x + energy * c, y + energy * s)
            (s, c) = (s * step.cos + c * step.sin, c * step.cos - s * step.sin)
        }
        // ∫ of the tail from its start: tail / (1 + iωτ).
        let end = DeterministicMath.sincos(turn * length)
        let slow = turn * tailDelay
        let share = tail / (1 + slow * slow)
        x += share * (end.cos - slow * end.sin)
        y += share * (end.sin + slow * end.cos)
        return (x * x + y * y).squareRoot() / energy
    }
}

import OssicleCore

/// Transmission loss of a limp panel that only its mass keeps from moving (Vorländer, *Auralization*; London 1949).
///
/// Real walls fall below it near coincidence (about 12.5 Hz·m over the thickness for glass and gypsum board).
///
/// With a = π f m/(ρc): TL at angle θ = 10 log₁₀[1 + (a cos θ)²]; field incidence averages τ over 0…78°:
/// τ = ln[(1 + a²)/(1 + a² cos² 78°)] / (a² sin² 78°). Mass m in kg/m², f in Hz, loss in dB.
package enum MassLaw {
    /// Characteristic impedance of air at 20 °C, Pa·s/m.
    private static let impedance = 413.3
    private static let limit = 78.0 * DeterministicMath.pi / 180

    package static func loss(surfaceDensity: Double, frequency: Double, angle: Double = 0) -> Double {
        let a = ratio(surfaceDensity, frequency) * DeterministicMath.cos(angle)
        return Decibels.of(energy: 1 + a * a)
    }

    package static func fieldIncidenceLoss(surfaceDensity: Double, frequency: Double) -> Double {
        let a = ratio(surfaceDensity, frequency)
        // Below this a the quotient is 1 to within its rounding, and then 0/0.
        guard a > 1e-4 else { return 0 }
        let (s, c) = DeterministicMath.sincos(limit)
        let transmitted = DeterministicMath.log((1 + a * a) / (1 + a * a * c * c)) / (a * a * s * s)
        return -Decibels.of(energy: transmitted)
    }

    private static func ratio(_ density: Double, _ frequency: Double) -> Double {
        let a = DeterministicMath.pi * frequency * density / impedance
        return a.isFinite ? max(a, 0) : 0
    }
}

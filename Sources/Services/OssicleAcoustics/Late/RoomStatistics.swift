import OssicleCore

/// What diffuse-field theory says of a room by its volume and its surfaces. Exact where sound is evenly spread, and only there.
///
/// With A = Σ αS, mean absorption ᾱ = A/S, and m the energy constant of the air in 1/m:
///
///     Sabine  T = (24 ln 10/c) V / (A + 4mV)
///     Eyring  T = (24 ln 10/c) V / (−S ln(1 − ᾱ) + 4mV)
package struct RoomStatistics: Sendable, Hashable {
    /// m³, above 0.
    package let volume: Double
    /// m², above 0.
    package let surface: Double
    /// Equivalent area in m², 0…`surface`.
    package let absorption: Double
    /// m/s.
    package let speedOfSound: Double
    /// Energy constant of the air, 1/m: dB per metre / 4.343.
    package let air: Double

    /// Values out of range are moved to the nearest end.
    package init(volume: Double, surface: Double, absorption: Double, speedOfSound: Double = 343.2, air: Double = 0) {
        self.volume = max(volume, 1e-6)
        self.surface = max(surface, 1e-6)
        self.absorption = min(max(absorption, 0), self.surface)
        self.speedOfSound = max(speedOfSound, 1)
        self.air = max(air, 0)
    }

    /// Seconds; infinite where nothing takes sound away.
    package var sabine: Double { time(for: absorption) }
    /// Seconds; 0 where everything is taken away at once.
    package var eyring: Double { time(for: -surface * DeterministicMath.log(max(1 - absorption / surface, 0))) }

    private func time(for area: Double) -> Double { 24 * DeterministicMath.ln10 / speedOfSound * volume / (area + 4 * air * volume) }

    /// Metres between two surfaces: 4V/S.
    package var meanFreePath: Double { 4 * volume / surface }

    /// Metres at which the direct sound of a source of directivity `factor` is as loud as the room: 0.057 √(QV/T), T in seconds.
    package func criticalDistance(decayTime: Double, factor: Double = 1) -> Double { 0.057 * (factor * volume / decayTime).squareRoot() }

    /// Hz below which single modes stand out: 2000 √(T/V).
    package func schroederFrequency(decayTime: Double) -> Double { 2000 * (decayTime / volume).squareRoot() }

    /// Seconds after which no reflection stands out for an average listener: 20 V/S + 12 in ms (Lindau et al. 2012).
    package static func mixingTime(meanFreePath: Double) -> Double { (5 * meanFreePath + 12) / 1000 }

    /// Energy per second that arrives `time` seconds after emission, re the direct sound's energy at 1 m: (4πc/V) e^(−13.8155 t/T).
    package func energyRate(at time: Double, decayTime: Double) -> Double {
        4 * DeterministicMath.pi * speedOfSound / volume * DeterministicMath.exp(-6 * DeterministicMath.ln10 * time / decayTime)
    }

    /// All that arrives from then on: the integral of `energyRate`.
    package func energy(after time: Double, decayTime: Double) -> Double {
        energyRate(at: time, decayTime: decayTime) * decayTime / (6 * DeterministicMath.ln10)
    }
}

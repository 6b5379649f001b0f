import OssicleCore

/// What diffuse-field theory says of a room by its volume and its surfaces. Exact where sound is evenly spread, and
/// only there.
///
/// With A = Σ αS, mean absorption ᾱ = A/S, and m the energy constant of the air in 1/m:
///
///     Sabine  T = (24 ln 10/c) V / (A + 4mV)
///     Eyring  T = (24 ln 10/c) V / (−S ln(1 − ᾱ) + 4mV)
struct RoomStatistics {
    /// m³.
    let volume: Double
    /// m².
    let surface: Double
    /// Equivalent area in m², 0…`surface`.
    let absorption: Double
    /// m/s.
    var speedOfSound = 343.2
    /// Energy constant of the air, 1/m: dB per metre / 4.343.
    var air = 0.0

    /// Seconds.
    var sabine: Double { time(for: absorption) }
    var eyring: Double { time(for: -surface * DeterministicMath.log(1 - absorption / surface)) }

    private func time(for area: Double) -> Double {
        24 * DeterministicMath.ln10 / speedOfSound * volume / (area + 4 * air * volume)
    }

    /// Metres between two surfaces.
    var meanFreePath: Double { 4 * volume / surface }

    /// What arrives later than `time` seconds after emission, re the direct sound's energy at 1 m: the integral of
    /// (4πc/V) e^(−13.8155 t/T).
    func energy(after time: Double, decayTime: Double) -> Double {
        let rate = 6 * DeterministicMath.ln10 / decayTime
        return 4 * DeterministicMath.pi * speedOfSound / volume * DeterministicMath.exp(-rate * time) / rate
    }
}

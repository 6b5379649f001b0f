import OssicleCore

/// What a mirror of finite size leaves of a reflection.
///
/// Only the part of a mirror around the reflection point within which the ways differ by little adds up to the echo. A plate smaller
/// than that area reflects in proportion to its size: amplitude factor min(1, S/S₀), S₀ = λ d₁ d₂ / ((d₁ + d₂) cos θ), with d₁ and d₂
/// the distances to source and listener (Rindel, Applied Acoustics 19, 1986). Below S₀ that is Kirchhoff's integral over the plate;
/// S₀ is 1/π of the ellipse within which ways differ by less than half a wavelength.
enum FresnelZone {
    /// - Parameters:
    ///   - side: the mirror's; the share of its rim where another surface continues it loses nothing.
    ///   - before: metres travelled to the mirror. - after: metres left from there.
    ///   - cosine: of the angle of incidence.
    static func gains(_ side: ReflectorPatch.Side, before: Double, after: Double, cosine: Double, speedOfSound: Double) -> OctaveBands {
        guard side.freeRim > 0, before > 0, after > 0 else { return .ones }
        let zoneAtOneHertz = speedOfSound * before * after / ((before + after) * cosine)
        var gains = OctaveBands.ones
        for band in 0..<OctaveBands.count {
            let share = min(side.area * OctaveBands.centre(band) / zoneAtOneHertz, 1)
            gains[band] = Float(1 - side.freeRim * (1 - share))
        }
        return gains
    }
}

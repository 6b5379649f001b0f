import OssicleCore

/// What a locally reacting surface reflects by the angle of incidence.
///
/// Such a surface moves where it is pressed and nowhere else: the mouth of a porous layer, a panel of many small ones.
/// Its specific admittance g is the same for all angles θ to the normal, and it absorbs
///
///     α(θ) = 4 g cos θ/(g + cos θ)²
///
/// (Kuttruff, Room Acoustics, section 2.3): little at grazing incidence and most where cos θ = g. g is real, because
/// coefficients in octaves say nothing of a reactance, and the one whose mean over a diffuse field, ∫ α(θ) sin 2θ dθ,
/// is the statistical coefficient (`WallAdmittance.conductance`). No such surface has more than 0.951; larger
/// coefficients have this one's angles, scaled.
struct LocalReaction: BitwiseCopyable, Sendable {
    private let conductance: SIMD16<Float>
    /// Of α(θ), 1 up to a coefficient of 0.951.
    private let scale: SIMD16<Float>
    /// 1 over what is reflected of a diffuse field; 0 where nothing is.
    private let inverse: SIMD16<Float>

    /// - Parameter reflected: of the energy of a diffuse field, by band.
    init(reflected: OctaveBands) {
        var (conductance, scale, inverse) = (SIMD16<Float>.zero, SIMD16<Float>(repeating: 1), SIMD16<Float>.zero)
        for band in 0..<OctaveBands.count {
            let absorption = 1 - Double(reflected[band])
            inverse[band] = reflected[band] > 0 ? 1 / reflected[band] : 0
            guard absorption > 1e-6 else { continue }
            let g = WallAdmittance.conductance(absorption: absorption)
            conductance[band] = Float(g)
            scale[band] = Float(absorption / WallAdmittance.diffuseAbsorption(impedance: 1 / g))
        }
        (self.conductance, self.scale, self.inverse) = (conductance, scale, inverse)
    }

    /// Energy reflected specularly under an angle, re that of a diffuse field.
    @inline(__always)
    func factor(cosine: Float) -> SIMD16<Float> {
        let c = max(cosine, 1e-6)
        let sum = conductance + c
        let absorbed = scale * conductance * (4 * c) / (sum * sum)
        let rest = (1 - absorbed) * inverse
        return rest.replacing(with: 0, where: rest .< 0)
    }
}

import OssicleCore

/// What a surface does to sound, per octave band: how much energy stays away, how much of the rest leaves diffusely,
/// how much passes.
package struct AcousticMaterial: Sendable, Hashable {
    package let name: String
    /// Share of the energy that does not come back, 0…1; what passes through is part of it.
    package let absorption: OctaveBands
    /// Share of the *reflected* energy that leaves non-specularly, 0…1.
    package let scattering: OctaveBands
    /// dB lost on the way through one partition, 0…200 (200: nothing passes).
    package let transmissionLoss: OctaveBands
    /// Thickness in metres at which the loss was measured; 0 where it has no meaning.
    package let thickness: Double

    /// Whether what is reflected specularly depends on the angle of incidence, as of a locally reacting surface, see
    /// `LocalReaction`; scattered sound has the mean. Else `absorption` holds at every angle.
    package var isLocallyReacting: Bool

    /// Values out of range are moved to the nearest end, values that are no number become 0.
    package init(
        name: String, absorption: OctaveBands, scattering: OctaveBands, transmissionLoss: OctaveBands,
        thickness: Double = 0, isLocallyReacting: Bool = false
    ) {
        func clamped(_ bands: OctaveBands, to limit: Float) -> OctaveBands {
            bands.map { $0.isNaN ? 0 : min(max($0, 0), limit) }
        }
        self.name = name
        self.absorption = clamped(absorption, to: 1)
        self.scattering = clamped(scattering, to: 1)
        self.transmissionLoss = clamped(transmissionLoss, to: 200)
        self.thickness = thickness.isFinite ? max(thickness, 0) : 0
        self.isLocallyReacting = isLocallyReacting
    }

    /// Share of the incident energy that passes: 10^(−TL/10).
    package var transmittedEnergy: OctaveBands { transmissionLoss.map { Float(Decibels.energy(-Double($0))) } }

    /// Share of the incident energy that is reflected, diffusely or not: 1 − max(α, τ).
    ///
    /// The absorption of thin sheets is measured in front of a wall; hung free, a light curtain passes far more than
    /// its α. Taking the larger of the two keeps reflected + transmitted ≤ 1.
    package var reflectedEnergy: OctaveBands {
        let passed = transmittedEnergy
        var result = OctaveBands.zeros
        for band in 0..<OctaveBands.count { result[band] = 1 - max(absorption[band], passed[band]) }
        return result
    }
}

/// The materials the engine knows by name.
package enum MaterialLibrary {
    /// PHASE's six presets. PHASE publishes their names only; the values are those of `materials`, which says what each
    /// stands for.
    package enum Preset: String, CaseIterable, Sendable {
        case cardboard, glass, brick, concrete, drywall, wood
    }

    package static func material(_ preset: Preset) -> AcousticMaterial { self[preset.rawValue] ?? opaque }

    package static subscript(name: String) -> AcousticMaterial? { materials.first { $0.name == name } }

    /// What an occluder is made of where its maker says nothing: a poured concrete wall.
    ///
    /// Somebody who places an occluder wants it to be heard; a missing material must not make it vanish.
    package static let opaque =
        MaterialLibrary["concrete"]
        ?? AcousticMaterial(
            name: "concrete", absorption: .zeros, scattering: .zeros, transmissionLoss: OctaveBands(repeating: 50))
}

import OssicleCore

/// The materials the engine knows by name.
package enum MaterialLibrary {
    /// PHASE's six presets. PHASE publishes their names only; the values are those of `materials`, which says what each stands for.
    package enum Preset: String, CaseIterable, Sendable {
        case cardboard, glass, brick, concrete, drywall, wood
    }

    package static func material(_ preset: Preset) -> AcousticMaterial { self[preset.rawValue] ?? opaque }

    package static subscript(name: String) -> AcousticMaterial? { materials.first { $0.name == name } }

    /// What an occluder is made of where its maker says nothing: a poured concrete wall.
    ///
    /// Somebody who places an occluder wants it to be heard; a missing material must not make it vanish.
    package static let opaque = MaterialLibrary["concrete"] ?? AcousticMaterial(
        name: "concrete", absorption: .zeros, scattering: .zeros, transmissionLoss: OctaveBands(repeating: 50))
}

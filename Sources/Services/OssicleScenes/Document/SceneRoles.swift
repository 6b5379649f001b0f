import OssicleAcoustics
import OssicleCore

/// What a node is for the sound: the extension `OSSICLE_audio` of a node.
package struct SceneRoles: SceneValue {
    package var source: SceneSource?
    package var listener: SceneListener?
    package var zone: SceneZone?
    /// nil: a node with a mesh is an occluder unless it is a source or a zone.
    package var occluder: Bool?

    package init() {}

    static var fields: [SceneField<SceneRoles>] {
        [
            .optionalObject("source", \.source), .optionalObject("listener", \.listener),
            .optionalObject("zone", \.zone), .optionalFlag("occluder", \.occluder),
        ]
    }
}

extension SceneNode {
    /// Whether its mesh is in the way of sound.
    package var isOccluder: Bool {
        mesh != nil && roles.occluder ?? (roles.zone == nil && roles.source == nil)
    }
}

/// Where sound comes from.
package struct SceneSource: SceneValue {
    package enum Shape: String, CaseIterable, Sendable { case point, mesh }

    /// Linear.
    package var gain = 1.0
    /// A point, or the surface of the node's mesh.
    package var shape = Shape.point

    package init() {}

    static var fields: [SceneField<SceneSource>] { [.number("gain", \.gain, 0...1), .choice("shape", \.shape)] }
}

/// Where the scene is heard from; looks along −z.
package struct SceneListener: SceneValue {
    /// Linear.
    package var gain = 1.0

    package init() {}

    static var fields: [SceneField<SceneListener>] { [.number("gain", \.gain, 0...1)] }
}

/// A part of the scene with a reverb of its own: the inside of the node's mesh.
package struct SceneZone: SceneValue {
    package enum Reverb: String, CaseIterable, Sendable {
        case computed
        case none, smallRoom, mediumRoom, largeRoom, largeRoom2, mediumChamber, largeChamber, mediumHall, mediumHall2
        case mediumHall3, largeHall, largeHall2, cathedral
    }

    package var reverb = Reverb.computed
    /// Metres on each side of the border.
    package var borderWidth = 1.0
    package var priority = 0
    /// dB.
    package var level = 0.0

    package init() {}

    static var fields: [SceneField<SceneZone>] {
        [
            .choice("reverb", \.reverb), .number("borderWidth", \.borderWidth, 0.01...100),
            .integer("priority", \.priority, -1_000_000...1_000_000), .number("level", \.level, -60...20),
        ]
    }
}

/// A material of the document and what it does to sound: the extension `OSSICLE_audio` of a material.
package struct SceneMaterial: Sendable, Hashable {
    package var name: String
    /// nil where the document says nothing: then the name may be that of a known material.
    package var acoustics: SceneSurface?

    package init(name: String, acoustics: SceneSurface? = nil) { (self.name, self.acoustics) = (name, acoustics) }

    init(gltf object: JSONObject) throws {
        name = try object["name"]?.text() ?? ""
        acoustics = try object.extension(SceneAudio.extensionName).map { try SceneSurface($0) }
    }

    /// nil for one that is not known: such an occluder is of concrete.
    package var material: AcousticMaterial? { material(in: .library) }

    /// The same where names without values stand for other materials.
    func material(in book: MaterialBook) -> AcousticMaterial? {
        guard let acoustics else { return book.material(for: name) }
        if let preset = acoustics.preset { return MaterialLibrary[preset.rawValue] }
        return AcousticMaterial(
            name: name.isEmpty ? "custom" : name, absorption: acoustics.absorption.bands,
            scattering: acoustics.scattering.bands, transmissionLoss: acoustics.transmissionLoss.bands)
    }
}

/// A known material, or three lists of one value, or of one for each octave band 31.5 Hz … 16 kHz.
package struct SceneSurface: SceneValue {
    package var preset: MaterialLibrary.Preset?
    /// Shares of energy.
    package var absorption: [Double] = []
    package var scattering: [Double] = [0]
    /// dB.
    package var transmissionLoss: [Double] = [200]

    package init() {}

    static var fields: [SceneField<SceneSurface>] {
        [
            .optionalChoice("preset", \.preset), .numbers("absorption", \.absorption, [1, 10], 0...1),
            .numbers("scattering", \.scattering, [1, 10], 0...1),
            .numbers("transmissionLoss", \.transmissionLoss, [1, 10], 0...200),
            // A check behind them, not a member.
            SceneField(
                known: { _ in [] },
                read: { object, whole in
                    guard (whole.preset == nil) != (object.members["absorption"] == nil) else {
                        throw object.cursor.fault(
                            "has \(whole.preset == nil ? "neither" : "both") preset and absorption",
                            rule: "a material is known, or described by its absorption", cure: "give one of the two")
                    }
                }, write: { _, _ in }),
        ]
    }
}

extension [Double] {
    /// One value for all bands, or ten.
    fileprivate var bands: OctaveBands {
        OctaveBands((0..<OctaveBands.count).map { Float(self[Swift.min($0, count - 1)]) })
    }
}

import OssicleChannels

/// What a scene sounds like: the root of the extension `OSSICLE_audio`. Things refer to each other, and to nodes, by
/// name; names are unique among things of their kind.
package struct SceneAudio: SceneValue {
    package static let extensionName = "OSSICLE_audio"

    /// Of the extension; 1.
    package var version = 1
    package var engine = SceneEngine()
    package var sounds: [SceneSound] = []
    package var parameters: [SceneParameter] = []
    package var groups: [SceneGroup] = []
    package var groupPresets: [SceneGroupPreset] = []
    package var duckers: [SceneDucker] = []
    package var mixers: [SceneMixer] = []
    package var events: [SceneEvent] = []
    package var instances: [SceneInstance] = []

    package init() {}

    /// Things of one kind at the most.
    static let most = 16_384

    static var fields: [SceneField<SceneAudio>] {
        [
            .version("version", \.version, newest: 1), .object("engine", \.engine),
            .list("sounds", \.sounds, atMost: most), .list("parameters", \.parameters, atMost: most),
            .list("groups", \.groups, atMost: most), .list("groupPresets", \.groupPresets, atMost: most),
            .list("duckers", \.duckers, atMost: most), .list("mixers", \.mixers, atMost: most),
            .list("events", \.events, atMost: most), .list("instances", \.instances, atMost: most),
        ]
    }
}

/// The settings of the engine that plays a scene.
package struct SceneEngine: SceneValue {
    package enum Acoustics: String, CaseIterable, Sendable { case preset, geometry }
    package enum Quality: String, CaseIterable, Sendable { case low, medium, high }
    package enum Spatialization: String, CaseIterable, Sendable { case automatic, binaural, channelBased }

    /// Of every random choice; at most 2⁵³ − 1, so that every JSON reader has the same number.
    package var seed = 0
    package var reverb = SceneReverb.none
    package var acoustics = Acoustics.preset
    package var quality = Quality.medium
    package var spatialization = Spatialization.automatic
    /// nil for PHASE's preset: air at 20 °C that takes nothing from the sound.
    package var medium: SceneMedium?
    /// The group preset that is active from the beginning.
    package var groupPreset: String?

    package init() {}

    static var fields: [SceneField<SceneEngine>] {
        [
            .integer("seed", \.seed, 0...9_007_199_254_740_991), .choice("reverb", \.reverb),
            .choice("acoustics", \.acoustics), .choice("quality", \.quality),
            .choice("spatialization", \.spatialization), .optionalObject("medium", \.medium),
            .name("groupPreset", \.groupPreset),
        ]
    }
}

/// Reverb presets, by PHASE's names.
package enum SceneReverb: String, CaseIterable, Sendable {
    case none, smallRoom, mediumRoom, largeRoom, largeRoom2, mediumChamber, largeChamber, mediumHall, mediumHall2
    case mediumHall3, largeHall, largeHall2, cathedral
}

/// Air.
package struct SceneMedium: SceneValue {
    /// °C.
    package var temperature = 20.0
    /// Relative, in %.
    package var humidity = 50.0
    /// kPa.
    package var pressure = 101.325
    /// Whether it absorbs direct sound.
    package var absorbs = true
    /// Whether sound has a finite speed.
    package var delays = true

    package init() {}

    static var fields: [SceneField<SceneMedium>] {
        [
            .number("temperature", \.temperature, -80...80), .number("humidity", \.humidity, 0...100),
            .number("pressure", \.pressure, 10...200), .flag("absorbs", \.absorbs), .flag("delays", \.delays),
        ]
    }
}

/// A sound file.
package struct SceneSound: SceneValue {
    package enum Storage: String, CaseIterable, Sendable { case resident, streamed }
    package enum Normalization: String, CaseIterable, Sendable { case none, dynamic }

    package var name = ""
    /// Relative, in the scene's folder.
    package var uri = ""
    package var storage = Storage.resident
    package var normalization = Normalization.none
    /// Where the file does not say what its channels are.
    package var layout: SceneLayout?

    package init() {}

    static var fields: [SceneField<SceneSound>] {
        [
            .requiredName("name", \.name), .requiredName("uri", \.uri), .choice("storage", \.storage),
            .choice("normalization", \.normalization), .optionalChoice("layout", \.layout),
        ]
    }
}

/// What the channels of a sound or a bed are.
package enum SceneLayout: RawRepresentable, CaseIterable, Hashable, Sendable {
    case mono, stereo, quadraphonic, surround5, surround51, surround71, surround514, surround714
    /// Of order 1 and above.
    case ambisonic(AmbisonicLayout)

    package static let allCases: [SceneLayout] =
        [.mono, .stereo, .quadraphonic, .surround5, .surround51, .surround71, .surround514, .surround714]
        + AmbisonicLayout.all.filter { $0.order > 0 }.map { .ambisonic($0) }

    package init?(rawValue: String) {
        guard let layout = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = layout
    }

    package var rawValue: String {
        switch self {
        case .mono: "mono"
        case .stereo: "stereo"
        case .quadraphonic: "quadraphonic"
        case .surround5: "5.0"
        case .surround51: "5.1"
        case .surround71: "7.1"
        case .surround514: "5.1.4"
        case .surround714: "7.1.4"
        case .ambisonic(let field): field.name
        }
    }

    package var channelCount: Int {
        switch self {
        case .mono: 1
        case .stereo: 2
        case .quadraphonic: 4
        case .surround5: 5
        case .surround51: 6
        case .surround71: 8
        case .surround514: 10
        case .surround714: 12
        case .ambisonic(let field): field.channelCount
        }
    }
}

extension SceneField where Whole: SceneValue {
    /// The version of a format. Another one would be read wrongly.
    static func version(_ name: String, _ key: Key<Int>, newest: Int) -> Self {
        SceneField(
            known: { _ in [name] },
            read: { object, whole in
                let cursor = try object.required(name)
                guard cursor.value == .number(Double(newest)) else {
                    throw cursor.fault(
                        rule: "version \(newest) is read", cure: "write the scene for this version, or update Ossicle")
                }
                whole[keyPath: key] = newest
            }, write: { whole, members in members[name] = JSONValue(whole[keyPath: key]) })
    }
}

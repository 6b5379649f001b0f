/// A bus that events play into.
package struct SceneMixer: SceneValue {
    package enum Kind: SceneKind {
        case spatial(SceneSpatialMixer)
        case ambient(SceneAmbientMixer)
        case channel(SceneChannelMixer)

        static var cases: [SceneCase<Kind>] {
            [
                SceneCase("spatial", Kind.spatial) { if case .spatial(let part) = $0 { part } else { nil } },
                SceneCase("ambient", Kind.ambient) { if case .ambient(let part) = $0 { part } else { nil } },
                SceneCase("channel", Kind.channel) { if case .channel(let part) = $0 { part } else { nil } },
            ]
        }
    }

    package var name = ""
    /// Linear.
    package var gain = 1.0
    /// The parameter that moves the gain.
    package var gainParameter: String?
    package var kind = Kind.spatial(SceneSpatialMixer())

    package init() {}

    static var fields: [SceneField<SceneMixer>] {
        [
            .requiredName("name", \.name), .number("gain", \.gain, 0...1), .name("gainParameter", \.gainParameter),
            .kind("type", \.kind),
        ]
    }
}

extension SceneMixer {
    package var isSpatial: Bool { if case .spatial = kind { true } else { false } }
}

/// Sound from a source to a listener. A part that is not there is not rendered.
package struct SceneSpatialMixer: SceneValue {
    package var direct: SceneSend?
    package var early: SceneSend?
    package var late: SceneSend?
    /// nil: the level does not depend on the distance.
    package var distance: SceneDistance?
    /// nil: alike in all directions.
    package var sourceDirectivity: SceneDirectivity?
    package var listenerDirectivity: SceneDirectivity?

    package init() {}

    static var fields: [SceneField<SceneSpatialMixer>] {
        [
            .optionalObject("direct", \.direct), .optionalObject("early", \.early), .optionalObject("late", \.late),
            .optionalObject("distance", \.distance), .optionalObject("sourceDirectivity", \.sourceDirectivity),
            .optionalObject("listenerDirectivity", \.listenerDirectivity),
        ]
    }
}

/// How loud a part of the sound is sent.
package struct SceneSend: SceneValue {
    /// Linear.
    package var level = 1.0
    /// The parameter that moves the level.
    package var parameter: String?

    package init() {}

    static var fields: [SceneField<SceneSend>] {
        [.number("level", \.level, 0...1), .name("parameter", \.parameter)]
    }
}

/// A bed of channels around the listener.
package struct SceneAmbientMixer: SceneValue {
    package var layout = SceneLayout.stereo
    /// x, y, z, w of a quaternion.
    package var orientation = [0.0, 0, 0, 1]

    package init() {}

    static var fields: [SceneField<SceneAmbientMixer>] {
        [.requiredChoice("layout", \.layout), .numbers("orientation", \.orientation, [4], -1...1)]
    }
}

/// Straight to the output's channels.
package struct SceneChannelMixer: SceneValue {
    package var layout = SceneLayout.stereo

    package init() {}

    static var fields: [SceneField<SceneChannelMixer>] { [.requiredChoice("layout", \.layout)] }
}

/// How the level falls with the distance.
package struct SceneDistance: SceneValue {
    package enum Model: SceneKind {
        case geometric(SceneRolloff)
        case envelope(SceneCurve)

        static var cases: [SceneCase<Model>] {
            [
                SceneCase("geometric", Model.geometric) { if case .geometric(let part) = $0 { part } else { nil } },
                SceneCase("envelope", Model.envelope) { if case .envelope(let part) = $0 { part } else { nil } },
            ]
        }
    }

    package var model = Model.geometric(SceneRolloff())
    /// Metres beyond which a sound is not rendered; nil for never.
    package var cullDistance: Double?

    package init() {}

    static var fields: [SceneField<SceneDistance>] {
        [.kind("model", \.model), .optionalNumber("cullDistance", \.cullDistance, 1...Double.greatestFiniteMagnitude)]
    }
}

/// Distance to the power of −rolloff.
package struct SceneRolloff: SceneValue {
    package var rolloff = 1.0

    package init() {}

    static var fields: [SceneField<SceneRolloff>] {
        [.number("rolloff", \.rolloff, 0...Double.greatestFiniteMagnitude)]
    }
}

/// An envelope as a member of something.
package struct SceneCurve: SceneValue {
    package var envelope = SceneEnvelope()

    package init() {}

    static var fields: [SceneField<SceneCurve>] { [.requiredObject("envelope", \.envelope)] }
}

/// Level by direction, in bands.
package struct SceneDirectivity: SceneValue {
    package enum Model: SceneKind {
        case cardioid(SceneCardioid)
        case cone(SceneCone)

        static var cases: [SceneCase<Model>] {
            [
                SceneCase("cardioid", Model.cardioid) { if case .cardioid(let part) = $0 { part } else { nil } },
                SceneCase("cone", Model.cone) { if case .cone(let part) = $0 { part } else { nil } },
            ]
        }
    }

    package var model = Model.cardioid(SceneCardioid())

    package init() {}

    static var fields: [SceneField<SceneDirectivity>] { [.kind("model", \.model)] }
}

package struct SceneCardioid: SceneValue {
    package struct Band: SceneValue {
        /// Hz.
        package var frequency = 1000.0
        /// 0 all round, 0.5 cardioid, 1 dipole.
        package var pattern = 0.0
        /// Larger is narrower.
        package var sharpness = 1.0

        package init() {}

        static var fields: [SceneField<Band>] {
            [
                .number("frequency", \.frequency, 20...20_000), .number("pattern", \.pattern, 0...1),
                .number("sharpness", \.sharpness, 1...Double.greatestFiniteMagnitude),
            ]
        }
    }

    package var bands: [Band] = []

    package init() {}

    static var fields: [SceneField<SceneCardioid>] { [.requiredList("bands", \.bands, atMost: 64)] }
}

package struct SceneCone: SceneValue {
    package struct Band: SceneValue {
        /// Hz.
        package var frequency = 1000.0
        /// Full openings in degrees; the outer one is at least as wide.
        package var innerAngle = 360.0
        package var outerAngle = 360.0
        /// Linear, outside the outer cone.
        package var outerGain = 1.0

        package init() {}

        static var fields: [SceneField<Band>] {
            [
                .number("frequency", \.frequency, 20...20_000), .number("innerAngle", \.innerAngle, 0...360),
                .number("outerAngle", \.outerAngle, 0...360), .number("outerGain", \.outerGain, 0...1),
            ]
        }
    }

    package var bands: [Band] = []

    package init() {}

    static var fields: [SceneField<SceneCone>] { [.requiredList("bands", \.bands, atMost: 64)] }
}

/// A sound event asset: a tree that says what plays.
package struct SceneEvent: SceneValue {
    package var name = ""
    package var root = SceneEventNode()

    package init() {}

    static var fields: [SceneField<SceneEvent>] { [.requiredName("name", \.name), .requiredObject("root", \.root)] }
}

/// A node of an event's tree, and all below it.
package struct SceneEventNode: SceneValue {
    package indirect enum Kind: SceneKind {
        case sampler(SceneSampler)
        case container(SceneContainer)
        case sequence(SceneSequence)
        case random(SceneRandom)
        case selection(SceneSwitch)
        case blend(SceneBlend)

        static var cases: [SceneCase<Kind>] {
            [
                SceneCase("sampler", Kind.sampler) { if case .sampler(let part) = $0 { part } else { nil } },
                SceneCase("container", Kind.container) { if case .container(let part) = $0 { part } else { nil } },
                SceneCase("sequence", Kind.sequence) { if case .sequence(let part) = $0 { part } else { nil } },
                SceneCase("random", Kind.random) { if case .random(let part) = $0 { part } else { nil } },
                SceneCase("switch", Kind.selection) { if case .selection(let part) = $0 { part } else { nil } },
                SceneCase("blend", Kind.blend) { if case .blend(let part) = $0 { part } else { nil } },
            ]
        }

        static func cure(for value: JSONValue) -> String? {
            guard case .string(let word) = value, word.lowercased().hasSuffix("stream") else { return nil }
            return "play a file with a sampler; the frames of a stream come from a program, not from a scene"
        }
    }

    package var name: String?
    package var kind = Kind.container(SceneContainer())

    package init() {}

    static var fields: [SceneField<SceneEventNode>] { [.name("name", \.name), .kind("type", \.kind)] }

    package var children: [SceneEventNode] {
        switch kind {
        case .sampler: []
        case .container(let part): part.children
        case .sequence(let part): part.children
        case .random(let part): part.children.map(\.node)
        case .selection(let part): part.children.map(\.node)
        case .blend(let part): part.children.map(\.node)
        }
    }
}

/// Plays a sound into a mixer.
package struct SceneSampler: SceneValue {
    package enum Playback: String, CaseIterable, Sendable { case oneShot, looping }
    package enum Culling: String, CaseIterable, Sendable {
        case terminate, sleepWakeAtZero, sleepWakeAtRandomOffset, sleepWakeAtRealtimeOffset, doNotCull
    }
    package enum Calibration: String, CaseIterable, Sendable { case none, relativeSPL, absoluteSPL }

    package var sound = ""
    package var mixer = ""
    package var playback = Playback.oneShot
    package var culling = Culling.terminate
    package var calibration = Calibration.none
    /// 0…1 without calibration, −200…12 dB relative, 0…120 dB absolute.
    package var level = 1.0
    package var rate = 1.0
    package var group: String?
    package var gainParameter: String?
    package var rateParameter: String?
    package var priority = 0

    package init() {}

    static var fields: [SceneField<SceneSampler>] {
        [
            .requiredName("sound", \.sound), .requiredName("mixer", \.mixer), .choice("playback", \.playback),
            .choice("culling", \.culling), .choice("calibration", \.calibration), .number("level", \.level, -200...120),
            .number("rate", \.rate, 0.25...4), .name("group", \.group), .name("gainParameter", \.gainParameter),
            .name("rateParameter", \.rateParameter), .integer("priority", \.priority, -1_000_000...1_000_000),
        ]
    }

    package var levels: ClosedRange<Double> {
        switch calibration {
        case .none: 0...1
        case .relativeSPL: -200...12
        case .absoluteSPL: 0...120
        }
    }
}

/// Plays all children together.
package struct SceneContainer: SceneValue {
    package var children: [SceneEventNode] = []

    package init() {}

    static var fields: [SceneField<SceneContainer>] { [.requiredList("children", \.children, atMost: 4096)] }
}

/// Plays the children in turn.
package struct SceneSequence: SceneValue {
    package var children: [SceneEventNode] = []
    /// Seconds before the end of a child at which the next one begins.
    package var overlap = 0.0

    package init() {}

    static var fields: [SceneField<SceneSequence>] {
        [.requiredList("children", \.children, atMost: 4096), .number("overlap", \.overlap, 0...1e6)]
    }
}

/// Plays one child, drawn at each start.
package struct SceneRandom: SceneValue {
    package struct Child: SceneValue {
        package var node = SceneEventNode()
        package var weight = 1.0

        package init() {}

        static var fields: [SceneField<Child>] {
            [.requiredObject("node", \.node), .number("weight", \.weight, 1...Double.greatestFiniteMagnitude)]
        }
    }

    package var children: [Child] = []
    /// For how many further starts a child that was drawn is left out.
    package var uniqueSelectionQueueLength = 0

    package init() {}

    static var fields: [SceneField<SceneRandom>] {
        [
            .requiredList("children", \.children, atMost: 4096),
            .integer("uniqueSelectionQueueLength", \.uniqueSelectionQueueLength, 0...1_000_000),
        ]
    }
}

/// Plays the child of a parameter's text.
package struct SceneSwitch: SceneValue {
    package struct Child: SceneValue {
        package var node = SceneEventNode()
        package var value = ""

        package init() {}

        static var fields: [SceneField<Child>] { [.requiredObject("node", \.node), .text("value", \.value)] }
    }

    package var parameter = ""
    package var children: [Child] = []

    package init() {}

    static var fields: [SceneField<SceneSwitch>] {
        [.requiredName("parameter", \.parameter), .requiredList("children", \.children, atMost: 4096)]
    }
}

/// Plays all children, each as loud as its envelope says for a parameter or a distance.
package struct SceneBlend: SceneValue {
    package struct Child: SceneValue {
        package var node = SceneEventNode()
        /// x is the parameter or the distance, y the linear gain.
        package var envelope = SceneEnvelope()

        package init() {}

        static var fields: [SceneField<Child>] {
            [.requiredObject("node", \.node), .requiredObject("envelope", \.envelope)]
        }
    }

    /// Exactly one of the two.
    package var parameter: String?
    package var distanceMixer: String?
    package var children: [Child] = []

    package init() {}

    static var fields: [SceneField<SceneBlend>] {
        [
            .name("parameter", \.parameter), .name("distanceMixer", \.distanceMixer),
            .requiredList("children", \.children, atMost: 4096),
        ]
    }
}

/// A sound event: an asset at a source, for a listener.
package struct SceneInstance: SceneValue {
    /// What one mixer is bound to, where the instance's source and listener are not meant.
    package struct Binding: SceneValue {
        package var mixer = ""
        package var source: String?
        package var listener: String?

        package init() {}

        static var fields: [SceneField<Binding>] {
            [.requiredName("mixer", \.mixer), .name("source", \.source), .name("listener", \.listener)]
        }
    }

    package var name = ""
    package var event = ""
    /// Names of nodes. Without a listener, the scene's only one.
    package var source: String?
    package var listener: String?
    package var bindings: [Binding] = []
    /// Seconds from the beginning; nil: a timeline or a program starts it.
    package var start: Double?

    package init() {}

    static var fields: [SceneField<SceneInstance>] {
        [
            .requiredName("name", \.name), .requiredName("event", \.event), .name("source", \.source),
            .name("listener", \.listener), .list("bindings", \.bindings, atMost: 4096),
            .optionalNumber("start", \.start, 0...1e6),
        ]
    }
}

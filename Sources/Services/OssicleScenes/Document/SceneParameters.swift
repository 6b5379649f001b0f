/// A value that moves while events play.
package struct SceneParameter: SceneValue {
    package enum Kind: SceneKind {
        case number(SceneNumber)
        case text(SceneText)
        case mapped(SceneMapping)

        static var cases: [SceneCase<Kind>] {
            [
                SceneCase("number", Kind.number) { if case .number(let part) = $0 { part } else { nil } },
                SceneCase("string", Kind.text) { if case .text(let part) = $0 { part } else { nil } },
                SceneCase("mapped", Kind.mapped) { if case .mapped(let part) = $0 { part } else { nil } },
            ]
        }
    }

    package var name = ""
    package var kind = Kind.number(SceneNumber())

    package init() {}

    static var fields: [SceneField<SceneParameter>] { [.requiredName("name", \.name), .kind("type", \.kind)] }
}

extension SceneParameter {
    package var isMapped: Bool { if case .mapped = kind { true } else { false } }
    package var isNumber: Bool { if case .text = kind { false } else { true } }
    package var isGlobal: Bool {
        switch kind {
        case .number(let number): number.global
        case .text(let text): text.global
        case .mapped: false
        }
    }
}

package struct SceneNumber: SceneValue {
    package var value = 0.0
    package var minimum = -Double.greatestFiniteMagnitude
    package var maximum = Double.greatestFiniteMagnitude
    /// Whether all events share it.
    package var global = false

    package init() {}

    static var fields: [SceneField<SceneNumber>] {
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return [
            .requiredNumber("value", \.value, all), .number("minimum", \.minimum, all),
            .number("maximum", \.maximum, all), .flag("global", \.global),
        ]
    }
}

package struct SceneText: SceneValue {
    package var value = ""
    /// Whether all events share it.
    package var global = false

    package init() {}

    static var fields: [SceneField<SceneText>] { [.text("value", \.value), .flag("global", \.global)] }
}

/// A number that follows another one through an envelope.
package struct SceneMapping: SceneValue {
    package var input = ""
    package var envelope = SceneEnvelope()

    package init() {}

    static var fields: [SceneField<SceneMapping>] {
        [.requiredName("input", \.input), .requiredObject("envelope", \.envelope)]
    }
}

/// A function of one variable: from a start to the ends of segments, whose x do not fall.
package struct SceneEnvelope: SceneValue {
    package struct Segment: SceneValue {
        /// x and y of its end.
        package var end = [0.0, 0]
        package var curve = SceneCurveType.linear

        package init() {}

        static var fields: [SceneField<Segment>] {
            [.requiredNumbers("end", \.end, [2], SceneEnvelope.range), .choice("curve", \.curve)]
        }
    }

    static let range = -1e12...1e12

    /// x and y.
    package var start = [0.0, 0]
    package var segments: [Segment] = []

    package init() {}

    static var fields: [SceneField<SceneEnvelope>] {
        [
            .requiredNumbers("start", \.start, [2], range), .requiredList("segments", \.segments, atMost: 4096),
            // A check behind the two, not a member.
            SceneField(
                known: { _ in [] },
                read: { object, whole in
                    var last = whole.start[0]
                    for (index, segment) in whole.segments.enumerated() {
                        guard segment.end[0] >= last else {
                            throw try object.list("segments")[index].object().required("end").fault(
                                "has an x of \(segment.end[0])", rule: "an envelope goes from left to right",
                                cure: "give an x of at least \(last)")
                        }
                        last = segment.end[0]
                    }
                }, write: { _, _ in }),
        ]
    }
}

/// Shapes of transitions, by PHASE's names.
package enum SceneCurveType: String, CaseIterable, Sendable {
    case linear, squared, inverseSquared, cubed, inverseCubed, sine, inverseSine, sigmoid, inverseSigmoid
    case holdStartValue, jumpToEndValue
}

/// Generators that are turned up, slowed and muted together.
package struct SceneGroup: SceneValue {
    package var name = ""
    /// Linear.
    package var gain = 1.0
    package var rate = 1.0
    package var muted = false
    package var soloed = false

    package init() {}

    static var fields: [SceneField<SceneGroup>] {
        [
            .requiredName("name", \.name), .number("gain", \.gain, 0...1), .number("rate", \.rate, 0.25...4),
            .flag("muted", \.muted), .flag("soloed", \.soloed),
        ]
    }
}

/// Gains and rates of several groups that are taken up together.
package struct SceneGroupPreset: SceneValue {
    package struct Setting: SceneValue {
        package var group = ""
        package var gain = 1.0
        package var rate = 1.0
        package var gainCurve = SceneCurveType.linear
        package var rateCurve = SceneCurveType.linear

        package init() {}

        static var fields: [SceneField<Setting>] {
            [
                .requiredName("group", \.group), .number("gain", \.gain, 0...1), .number("rate", \.rate, 0.25...4),
                .choice("gainCurve", \.gainCurve), .choice("rateCurve", \.rateCurve),
            ]
        }
    }

    package var name = ""
    package var settings: [Setting] = []
    /// Seconds.
    package var timeToTarget = 0.0
    package var timeToReset = 0.0

    package init() {}

    static var fields: [SceneField<SceneGroupPreset>] {
        [
            .requiredName("name", \.name), .requiredList("settings", \.settings, atMost: 4096),
            .number("timeToTarget", \.timeToTarget, 0...1e6), .number("timeToReset", \.timeToReset, 0...1e6),
        ]
    }
}

/// Turns groups down while others sound.
package struct SceneDucker: SceneValue {
    package var sources: [String] = []
    package var targets: [String] = []
    /// Linear.
    package var gain = 1.0
    /// Seconds.
    package var attack = 0.0
    package var release = 0.0
    package var attackCurve = SceneCurveType.linear
    package var releaseCurve = SceneCurveType.linear
    package var active = true

    package init() {}

    static var fields: [SceneField<SceneDucker>] {
        [
            .names("sources", \.sources, atMost: 4096), .names("targets", \.targets, atMost: 4096),
            .number("gain", \.gain, 0...1), .number("attack", \.attack, 0...1e6),
            .number("release", \.release, 0...1e6), .choice("attackCurve", \.attackCurve),
            .choice("releaseCurve", \.releaseCurve), .flag("active", \.active),
        ]
    }
}

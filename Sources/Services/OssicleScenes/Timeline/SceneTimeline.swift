import OssicleReaders

/// What happens in a scene, and when: objects that move, parameters that change, events that start and stop. A JSON
/// document beside the scene; all times are in seconds from the beginning.
package struct SceneTimeline: SceneValue {
    package var version = 1
    /// nil: what the last key and the last action make it.
    package var duration: Double?
    package var tracks: [SceneTrack] = []
    package var actions: [SceneAction] = []

    package init() {}

    static var fields: [SceneField<SceneTimeline>] {
        [
            .version("version", \.version, newest: 1), .optionalNumber("duration", \.duration, SceneTimeline.times),
            .list("tracks", \.tracks, atMost: 4096), .list("actions", \.actions, atMost: 65_536),
        ]
    }

    static let times = 0.0...1e6

    /// Reads a timeline and checks it against its scene. Any thread.
    /// - Throws: `SceneFileError`, which names the place in the document.
    package init(contentsOfFile path: String, for scene: SceneDocument) throws {
        let name = String(path.split(separator: "/").last ?? "")
        try self.init(SceneReader.usable(ReaderProcess.bytes(ofFile: path), name), name: name, for: scene)
    }

    package init(_ bytes: [UInt8], name: String, for scene: SceneDocument) throws {
        try self.init(try JSONCursor(JSONValue(bytes, file: name), file: name).object())
        try TimelineCheck(self, scene, file: name).check()
        // Those of one moment keep their order.
        actions = actions.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element)
    }

    package var bytes: [UInt8] { JSONValue.object(members).bytes }

    /// Seconds.
    package var length: Double {
        duration ?? max(tracks.compactMap { $0.keys.last?.time }.max() ?? 0, actions.map(\.time).max() ?? 0)
    }
}

/// A value that follows keys.
package struct SceneTrack: SceneValue {
    package enum Target: SceneKind {
        case position(NodeName)
        case orientation(NodeName)
        case gain(NodeName)
        case groupGain(GroupName)
        case groupRate(GroupName)
        case parameter(ParameterName)

        static var cases: [SceneCase<Target>] {
            [
                SceneCase("position", Target.position) { if case .position(let part) = $0 { part } else { nil } },
                SceneCase("orientation", Target.orientation) {
                    if case .orientation(let part) = $0 { part } else { nil }
                },
                SceneCase("gain", Target.gain) { if case .gain(let part) = $0 { part } else { nil } },
                SceneCase("groupGain", Target.groupGain) { if case .groupGain(let part) = $0 { part } else { nil } },
                SceneCase("groupRate", Target.groupRate) { if case .groupRate(let part) = $0 { part } else { nil } },
                SceneCase("parameter", Target.parameter) { if case .parameter(let part) = $0 { part } else { nil } },
            ]
        }

        /// Numbers of a value.
        var width: Int {
            switch self {
            case .position: 3
            case .orientation: 4
            case .gain, .groupGain, .groupRate, .parameter: 1
            }
        }

        var range: ClosedRange<Double> {
            switch self {
            case .position: -1e7...1e7
            case .orientation: -1...1
            case .gain, .groupGain: 0...1
            case .groupRate: 0.25...4
            case .parameter: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
            }
        }
    }

    package enum Interpolation: String, CaseIterable, Sendable { case step, linear, smooth }

    package struct Key: Sendable, Hashable {
        package var time: Double
        /// As many numbers as the target has.
        package var value: [Double]

        package init(time: Double, value: [Double]) { (self.time, self.value) = (time, value) }
    }

    package struct NodeName: SceneValue {
        package var node = ""
        package init() {}
        static var fields: [SceneField<NodeName>] { [.requiredName("node", \.node)] }
    }

    package struct GroupName: SceneValue {
        package var group = ""
        package init() {}
        static var fields: [SceneField<GroupName>] { [.requiredName("group", \.group)] }
    }

    package struct ParameterName: SceneValue {
        package var parameter = ""
        /// nil: the global parameter of that name.
        package var instance: String?
        package init() {}
        static var fields: [SceneField<ParameterName>] {
            [.requiredName("parameter", \.parameter), .name("instance", \.instance)]
        }
    }

    package var target = Target.position(NodeName())
    package var interpolation = Interpolation.linear
    /// In order of their times.
    package var keys: [Key] = []

    package init() {}

    static var fields: [SceneField<SceneTrack>] {
        [
            .kind("target", \.target), .choice("interpolation", \.interpolation),
            SceneField(
                known: { _ in ["keys"] },
                read: { object, track in track.keys = try track.keys(try object.required("keys")) },
                write: { track, members in members["keys"] = .array(track.keys.map(track.value)) }),
        ]
    }

    private func keys(_ cursor: JSONCursor) throws -> [Key] {
        let list = try cursor.list(atMost: 65_536)
        guard !list.isEmpty else { throw cursor.fault(rule: "a track has at least one key", cure: "add one") }
        var last = -1.0
        return try list.map { cursor in
            let object = try cursor.object()
            try object.refuseMembers(besides: ["time", "value"])
            let time = try object.required("time"), seconds = try time.number(in: SceneTimeline.times)
            guard seconds > last else {
                throw time.fault(
                    rule: "keys come in order, and the one before is at \(last)", cure: "give a later time")
            }
            last = seconds
            let value = try object.required("value")
            return Key(
                time: seconds,
                value: target.width == 1
                    ? [try value.number(in: target.range)] : try value.numbers([target.width], in: target.range))
        }
    }

    private func value(_ key: Key) -> JSONValue {
        let value = key.value.map(JSONValue.number)
        return .object(["time": .number(key.time), "value": value.count == 1 ? value[0] : .array(value)])
    }
}

/// Something that happens at a moment.
package struct SceneAction: SceneValue {
    package enum Kind: SceneKind {
        case start(InstanceName)
        case stop(InstanceName)
        case pause(InstanceName)
        case resume(InstanceName)
        case seek(Seek)
        case setText(Text)
        case mute(SceneTrack.GroupName)
        case unmute(SceneTrack.GroupName)
        case activatePreset(PresetName)
        case deactivatePreset(PresetName)

        static var cases: [SceneCase<Kind>] {
            [
                SceneCase("start", Kind.start) { if case .start(let part) = $0 { part } else { nil } },
                SceneCase("stop", Kind.stop) { if case .stop(let part) = $0 { part } else { nil } },
                SceneCase("pause", Kind.pause) { if case .pause(let part) = $0 { part } else { nil } },
                SceneCase("resume", Kind.resume) { if case .resume(let part) = $0 { part } else { nil } },
                SceneCase("seek", Kind.seek) { if case .seek(let part) = $0 { part } else { nil } },
                SceneCase("setText", Kind.setText) { if case .setText(let part) = $0 { part } else { nil } },
                SceneCase("mute", Kind.mute) { if case .mute(let part) = $0 { part } else { nil } },
                SceneCase("unmute", Kind.unmute) { if case .unmute(let part) = $0 { part } else { nil } },
                SceneCase("activatePreset", Kind.activatePreset) {
                    if case .activatePreset(let part) = $0 { part } else { nil }
                },
                SceneCase("deactivatePreset", Kind.deactivatePreset) {
                    if case .deactivatePreset(let part) = $0 { part } else { nil }
                },
            ]
        }
    }

    package struct InstanceName: SceneValue {
        package var instance = ""
        package init() {}
        static var fields: [SceneField<InstanceName>] { [.requiredName("instance", \.instance)] }
    }

    package struct PresetName: SceneValue {
        package var preset = ""
        package init() {}
        static var fields: [SceneField<PresetName>] { [.requiredName("preset", \.preset)] }
    }

    package struct Seek: SceneValue {
        package var instance = ""
        /// Seconds in the sound.
        package var to = 0.0
        package init() {}
        static var fields: [SceneField<Seek>] {
            [.requiredName("instance", \.instance), .requiredNumber("to", \.to, SceneTimeline.times)]
        }
    }

    package struct Text: SceneValue {
        package var parameter = ""
        /// nil: the global parameter of that name.
        package var instance: String?
        package var value = ""
        package init() {}
        static var fields: [SceneField<Text>] {
            [.requiredName("parameter", \.parameter), .name("instance", \.instance), .text("value", \.value)]
        }
    }

    package var time = 0.0
    package var kind = Kind.start(InstanceName())

    package init() {}

    static var fields: [SceneField<SceneAction>] {
        [.requiredNumber("time", \.time, SceneTimeline.times), .kind("action", \.kind)]
    }
}

import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// Reads what is to be computed from a row in which nothing is left to chance any more but positions.
struct RowReader {
    let object: JSONObject
    let draws: RowDraws
    let files: RowFiles

    /// Members of every row.
    private static let common = ["id", "seed", "rate", "format"]
    private static let room =
        [
            "box", "lshape", "mesh", "units", "up", "material", "materials", "t60", "air", "listener", "receiver",
            "source",
            "sources", "quality", "rays",
            "order",
        ]
        + ["length", "dry", "noise", "seconds", "level", "stems", "responses", "reference"] + ResponseOptions.members
    private static let scene = ["scene", "timeline", "listener", "layout", "seconds"]
    /// Sources of a row at most, and noises.
    private static let (mostSources, mostNoises) = (64, 16)
    /// Places that a source moves on to, at most.
    private static let mostSteps = 256
    private static let greatestSeed = 1 << 53

    func row() throws -> Row {
        if object["scene"] != nil {
            try object.refuseMembers(besides: Self.common + Self.scene)
            return .scene(try job())
        }
        guard ["box", "lshape", "mesh"].contains(where: { object[$0] != nil }) else {
            throw object.cursor.fault(
                "has neither box, lshape or mesh nor scene", rule: "a row is about a room or a scene",
                cure: "add one of them")
        }
        try object.refuseMembers(besides: Self.common + Self.room)
        return .room(try roomRow())
    }

    /// Of the sounds; nil where the row leaves it to the set.
    func format() throws -> SoundFormat? { try object["format"]?.choice(of: SoundFormat.self) }

    private func seed() throws -> UInt64 {
        try object["seed"].map { UInt64(try $0.integer(in: 0...Self.greatestSeed)) } ?? draws.engineSeed
    }

    private func rate() throws -> Int { try object["rate"]?.integer(in: 8000...192_000) ?? 48_000 }

    private func job() throws -> SceneJob {
        SceneJob(
            scene: files.texts.path(try object.required("scene").name()),
            timeline: try object["timeline"].map { files.texts.path(try $0.name()) },
            listener: try object["listener"]?.name(), layout: try object["layout"]?.name(),
            seconds: try object["seconds"]?.number(in: 0.001...3600), seed: try seed(), sampleRate: try rate())
    }

    private func roomRow() throws -> RoomRow {
        let placement = Placement(room: try RowRoom(object, files: files), draws: draws)
        let listener = try listener(placement)
        let receiver = try object["receiver"].map(RowReceiver.init) ?? .mono
        try check(receiver, at: listener, in: placement.room)
        let sources = try sources(placement, listener.position)
        let noises = try noises(placement, listener.position)
        try checkSounds(sources, noises)
        let air = try object["air"]?.object()
        try air?.refuseMembers(besides: ["temperature", "humidity"])
        let medium = Medium(
            temperature: try air?["temperature"]?.number(in: -80...80) ?? 20,
            humidity: try air?["humidity"]?.number(in: 0...100) ?? 50)
        return RoomRow(
            room: placement.room, medium: medium,
            options: try ResponseOptions(object, receiver: receiver.name, medium: medium, files: files),
            receiver: receiver, listener: listener, sources: sources, noises: noises, sampleRate: try rate(),
            quality: try quality(), length: try object["length"]?.number(in: 0.001...60), seed: try seed(),
            seconds: try object["seconds"]?.number(in: 0.001...3600),
            level: try object["level"]?.number(in: -120...0), writesStems: try object["stems"]?.flag() ?? false,
            writesResponses: try object["responses"]?.flag() ?? false,
            writesReference: try object["reference"]?.flag() ?? false)
    }

    private func quality() throws -> AcousticQuality {
        var quality = try object["quality"]?.choice(of: AcousticQuality.Name.self).quality ?? .high
        quality.replace(
            rays: try object["rays"]?.integer(in: 0...16_777_216),
            order: try object["order"]?.integer(in: 0...BoxRoom.highestOrder))
        return quality
    }

    private func listener(_ placement: Placement) throws -> Pose {
        let cursor = try object.required("listener")
        if case .array = cursor.value { return Pose(listenerAt: try placement.place(cursor, from: nil)) }
        let members = try cursor.object()
        try members.refuseMembers(besides: Placement.members + ["yaw", "pitch", "facing"])
        let position = try placement.place(cursor, from: nil)
        if let facing = members["facing"] {
            if let other = ["yaw", "pitch"].first(where: { members[$0] != nil }) {
                throw facing.fault(
                    "and \(other) are both there", rule: "a listener is turned by one of them", cure: "leave one out")
            }
            let numbers = try facing.numbers([3], in: -1e6...1e6)
            return Pose(listenerAt: position, facing: Vector(numbers[0], numbers[1], numbers[2]))
        }
        return Pose(
            listenerAt: position, yaw: try members["yaw"]?.number(in: -360...360) ?? 0,
            pitch: try members["pitch"]?.number(in: -90...90) ?? 0)
    }

    private func check(_ receiver: RowReceiver, at listener: Pose, in room: RowRoom) throws {
        guard receiver.name == .array else { return }
        for (index, place) in Receiver.array(receiver.places).places(around: listener).enumerated()
        where !room.contains(place, margin: 0) {
            throw (object["receiver"] ?? object.cursor).fault(
                "has microphone \(index) outside the room", rule: "the room has \(room.words) m",
                cure: "put the listener farther from the walls (wall), or make the array smaller")
        }
    }

    private func sources(_ placement: Placement, _ listener: Vector) throws -> [RowSource] {
        let cursors: [JSONCursor]
        if let list = object["sources"] {
            if let one = object["source"] {
                throw one.fault("and sources are both there", rule: "they are one list", cure: "leave one out")
            }
            cursors = try list.list(atMost: Self.mostSources)
            guard !cursors.isEmpty else { throw list.fault(rule: "a room has a source at least", cure: "add one") }
        } else {
            cursors = [try object.required("source")]
        }
        return try cursors.map { try source($0, placement, listener) }
    }

    private func source(_ cursor: JSONCursor, _ placement: Placement, _ listener: Vector) throws -> RowSource {
        let position = try placement.place(cursor, from: listener)
        let shared = try object["dry"].map { files.texts.path(try $0.name()) }
        guard case .object = cursor.value else {
            return RowSource(
                position: position, path: [], directivity: nil, facing: nil, role: .near, playback: RowPlayback(),
                dry: shared, gain: 0, ratio: nil, start: 0)
        }
        let members = try cursor.object()
        try members.refuseMembers(
            besides: Placement.members + ["role", "dry", "gain", "ratio", "start", "path", "directivity", "facing"]
                + RowPlayback.members)
        if let ratio = members["ratio"], members["gain"] != nil {
            throw ratio.fault("and gain are both there", rule: "a level is given by one of them", cure: "leave one out")
        }
        let role = try members["role"]?.choice(of: RowSource.Role.self) ?? .near
        if let ratio = members["ratio"], role == .near {
            throw ratio.fault(
                rule: "it says how much louder the near talkers are, and this is one of them",
                cure: "give gain, or a role")
        }
        if role != .echo, let other = RowPlayback.members.first(where: { members[$0] != nil }) {
            throw (members[other] ?? cursor).fault(
                rule: "it is of a loudspeaker that plays the other end of a call", cure: "give the role echo")
        }
        return RowSource(
            position: position,
            path: try members["path"]?.list(atMost: Self.mostSteps).map { cursor in
                if case .object = cursor.value { try cursor.object().refuseMembers(besides: Placement.members) }
                return try placement.place(cursor, from: listener)
            } ?? [],
            directivity: try members["directivity"].map { try RowDirectivity.read($0, files: files) },
            facing: try members["facing"].map { cursor in
                let list = try cursor.numbers([3], in: -1e6...1e6)
                return Vector(list[0], list[1], list[2])
            },
            role: role, playback: try RowPlayback(members),
            dry: try members["dry"].map { files.texts.path(try $0.name()) } ?? shared,
            gain: try members["gain"]?.number(in: -120...120) ?? 0, ratio: try members["ratio"]?.number(in: -120...120),
            start: try members["start"]?.number(in: 0...3600) ?? 0)
    }

    private func noises(_ placement: Placement, _ listener: Vector) throws -> [RowNoise] {
        guard let cursor = object["noise"] else { return [] }
        guard case .array = cursor.value else { return [try noise(cursor, placement, listener)] }
        return try cursor.list(atMost: Self.mostNoises).map { try noise($0, placement, listener) }
    }

    private enum NoiseName: String, CaseIterable { case white, pink, speech }

    private func noise(_ cursor: JSONCursor, _ placement: Placement, _ listener: Vector) throws -> RowNoise {
        let members = try cursor.object()
        try members.refuseMembers(besides: Placement.members + ["kind", "file", "snr"])
        let kind: RowNoise.Kind
        if let file = members["file"] {
            if let name = members["kind"] {
                throw name.fault("and file are both there", rule: "noise is one of them", cure: "leave one out")
            }
            kind = .file(files.texts.path(try file.name()))
        } else {
            kind =
                switch try members.required("kind").choice(of: NoiseName.self) {
                case .white: .spectrum(.white)
                case .pink: .spectrum(.pink)
                case .speech: .spectrum(.speech)
                }
        }
        let isPlaced = Placement.members.contains { members[$0] != nil }
        return RowNoise(
            kind: kind, name: try (members["file"] ?? members.required("kind")).name(),
            ratio: try members.required("snr").number(in: -120...120),
            position: isPlaced ? try placement.place(cursor, from: listener) : nil)
    }

    /// Sound is there as a whole or not at all.
    private func checkSounds(_ sources: [RowSource], _ noises: [RowNoise]) throws {
        let silent = sources.firstIndex { $0.dry == nil }
        if let silent, silent < sources.count, sources.contains(where: { $0.dry != nil }) {
            throw (object["sources"] ?? object.cursor).fault(
                "has no dry sound in [\(silent)]", rule: "every source of a mix has one",
                cure: "add dry to it, or to the row")
        }
        if silent != nil {
            for name in ["noise", "seconds", "stems", "responses", "reference"] where object[name] != nil {
                throw (object[name] ?? object.cursor).fault(
                    "is there without a dry sound", rule: "a row without one is of responses alone",
                    cure: "add dry, or leave it out")
            }
        }
        if let reference = object["reference"], !sources.contains(where: { $0.role == .echo }) {
            throw reference.fault(
                rule: "it is what was sent to a loudspeaker, and there is none", cure: "give a source the role echo")
        }
        let needsNear = !noises.isEmpty || sources.contains { $0.ratio != nil }
        if needsNear, !sources.contains(where: { $0.role == .near }) {
            throw (object["noise"] ?? object["sources"] ?? object.cursor).fault(
                "has a ratio to near talkers", rule: "there are none", cure: "give a source the role near")
        }
    }
}

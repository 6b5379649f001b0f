import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// What a row's record says of its room: what was drawn, and what came out by ISO 3382-1 in ten octave bands.
struct RoomFacts {
    let members: [String: JSONValue]

    /// - Parameter folder: where names of sounds begin.
    init(_ row: RoomRow, _ responses: [RirResult], folder: String) {
        var members: [String: JSONValue] = [
            "room": .object(RoomFacts.room(row.room)), "seed": .number(Double(row.seed)),
            "receiver": .string(row.receiver.words),
            "listener": .object([
                "position": RoomFacts.list(row.listener.position), "ahead": RoomFacts.list(-row.listener.back),
            ]),
            "sources": .array(
                zip(row.sources, responses).map { RoomFacts.source($0, $1, row, folder: folder) }),
        ]
        if !row.noises.isEmpty { members["noise"] = .array(row.noises.map(RoomFacts.noise)) }
        self.members = members
    }

    private static func room(_ room: RowRoom) -> [String: JSONValue] {
        let (low, high) = room.bounds
        switch room {
        case .shape(let shape):
            var members: [String: JSONValue] = [
                "size": list(high - low), "volume": number(shape.volume),
                "surface": number(shape.areas.reduce(0, +)),
                "materials": .array(shape.materials.map { .string($0.name) }),
            ]
            members["notch"] = shape.notch.map { .array([.number($0.x), .number($0.z)]) }
            return members
        case .mesh(let mesh, let name):
            return [
                "mesh": .string(name), "size": list(high - low), "corner": list(low),
                "triangles": JSONValue(mesh.triangleCount),
            ]
        }
    }

    private static func noise(_ noise: RowNoise) -> JSONValue {
        var members: [String: JSONValue] = ["name": .string(noise.name), "snr": .number(noise.ratio)]
        members["position"] = noise.position.map(list)
        return .object(members)
    }

    private static func source(_ source: RowSource, _ result: RirResult, _ row: RoomRow, folder: String) -> JSONValue {
        let (metrics, listener) = (result.metrics, row.listener)
        let way = source.position - listener.position
        let (right, back) = (way.dot(listener.right), way.dot(listener.back))
        var members: [String: JSONValue] = [
            "position": list(source.position), "distance": number(way.magnitude),
            // Degrees to the left of straight ahead, as --yaw counts.
            "azimuth": number(DeterministicMath.atan2(-right, -back) * 180 / DeterministicMath.pi),
            "t20": bands(metrics.t20), "t30": bands(metrics.t30), "edt": bands(metrics.edt),
            "c50": bands(metrics.c50), "d50": bands(metrics.d50), "strength": bands(metrics.strength),
            "speechTransmission": number(metrics.speechTransmission),
        ]
        if row.options.metrics == .all {
            members["c80"] = bands(metrics.c80)
            members["centreTime"] = bands(metrics.centreTime)
            members["lf"] = bands(metrics.lateralFraction)
            members["lfc"] = bands(metrics.lateralFractionCosine)
            members["lg"] = bands(metrics.lateLateralStrength)
            members["response"] = result.measured.map(response)
        }
        if !source.path.isEmpty { members["path"] = .array(source.path.map(list)) }
        members["facing"] = source.directivity == nil ? nil : list(source.facing ?? listener.position)
        guard let dry = source.dry else { return .object(members) }
        members["role"] = .string(source.role.rawValue)
        // As the row has it, so that the same set has the same records in any folder.
        members["dry"] = .string(dry.hasPrefix(folder + "/") ? String(dry.dropFirst(folder.utf8.count + 1)) : dry)
        members["start"] = .number(source.start)
        if source.role == .echo {
            members["delay"] = .number(source.playback.delay)
            members["drift"] = .number(source.playback.drift * 1e6)
            members["clip"] = source.playback.clip.map(JSONValue.number)
        }
        if let ratio = source.ratio {
            members["ratio"] = .number(ratio)
        } else {
            members["gain"] = .number(source.gain)
        }
        return .object(members)
    }

    /// What the response itself says, by quantity and octave; null for what it cannot tell.
    private static func response(_ measured: ResponseMetrics) -> JSONValue {
        typealias Band = ResponseMetrics.Band
        let quantities: [(name: String, value: (Band) -> Double?)] = [
            ("edt", { $0.edt }), ("t20", { $0.t20 }), ("t30", { $0.t30 }), ("c80", { $0.c80 }), ("c50", { $0.c50 }),
            ("d50", { $0.d50 }), ("centreTime", { $0.centreTime }), ("strength", { $0.strength }), ("lf", { $0.lf }),
            ("lfc", { $0.lfc }), ("lg", { $0.lg }), ("iaccEarly", { $0.iaccEarly }), ("iaccLate", { $0.iaccLate }),
            ("iacc", { $0.iacc }),
        ]
        var members: [String: JSONValue] = [:]
        for quantity in quantities where measured.bands.contains(where: { quantity.value($0) != nil }) {
            members[quantity.name] = .array(measured.bands.map { quantity.value($0).map(number) ?? .null })
        }
        members["speechTransmission"] = measured.speechTransmission.map(number)
        return .object(members)
    }

    /// To the tenth of a thousandth.
    private static func number(_ value: Double) -> JSONValue { .number((value * 10_000).rounded() / 10_000) }

    private static func list(_ vector: Vector) -> JSONValue { .array([vector.x, vector.y, vector.z].map(number)) }

    private static func bands(_ bands: OctaveBands) -> JSONValue { .array(bands.values.map { number(Double($0)) }) }
}

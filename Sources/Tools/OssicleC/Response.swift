import Foundation
import OssicleAcoustics
import OssicleBatch
import OssicleCore
import OssicleHeader
import OssicleResponses
import OssicleScenes

extension ossicle_response_options {
    static var standard: ossicle_response_options {
        var options = ossicle_response_options()
        options.size = MemoryLayout<ossicle_response_options>.size
        (options.rate, options.seed) = (48_000, 1)
        (options.rays, options.order) = (-1, -1)
        (options.temperature, options.humidity) = (20, 50)
        return options
    }

    fileprivate func check() throws {
        try Check.number("options.yaw", yaw, in: -1e6...1e6)
        try Check.number("options.pitch", pitch, in: -90...90)
        try Check.integer("options.rays", rays, in: -1...16_777_216)
        try Check.integer("options.order", order, in: -1...Int32(BoxRoom.highestOrder))
        if length != 0 { try Check.number("options.length", length, in: 0.001...60) }
        try Check.number("options.temperature", temperature, in: -80...80)
        try Check.number("options.humidity", humidity, in: 0...100)
        try Check.integer("options.threads", threads, in: 0...1024)
    }

    fileprivate func pair() throws -> RirPair {
        let (from, to) = (try Check.triple("options.source", source), try Check.triple("options.listener", listener))
        let (source, listener) = (Vector(from[0], from[1], from[2]), Vector(to[0], to[1], to[2]))
        guard (source - listener).magnitude >= 0.01 else {
            throw Fault(
                "options.source and options.listener", "are both at \(from)", rule: "they are at least 1 cm apart",
                cure: "move one of them", code: OSSICLE_BAD_POSITION)
        }
        let target = has_facing == 0 ? nil : try Check.triple("options.facing", facing)
        return RirPair(
            source: source,
            listener: Pose(
                listenerAt: listener, yaw: yaw, pitch: pitch, facing: target.map { Vector($0[0], $0[1], $0[2]) }))
    }

    fileprivate func receiverName() throws -> ReceiverName {
        let name = receiver.map { String(cString: $0) } ?? "mono"
        guard let known = ReceiverName(name) else {
            throw Fault("options.receiver", "is “\(name)”", rule: ReceiverName.rule, cure: "give one of these")
        }
        return known
    }

    /// What `more` says; its files begin in the current folder.
    fileprivate func readMore(
        _ pair: inout RirPair, _ receiver: ReceiverName, _ medium: Medium
    ) throws -> ResponseOptions {
        do { return try read(&pair, receiver, medium) } catch let error as SceneFileError {
            throw Fault("options.more:", error.found, rule: error.rule, cure: error.cure, path: error.path)
        }
    }

    private func read(_ pair: inout RirPair, _ receiver: ReceiverName, _ medium: Medium) throws -> ResponseOptions {
        let bytes = more.map { Array(String(cString: $0).utf8) } ?? Array("{}".utf8)
        let name = "options.more", files = RowFiles(folder: FileManager.default.currentDirectoryPath)
        let object = try JSONCursor(try JSONValue(bytes, file: name), file: name).object()
        try object.refuseMembers(besides: ResponseOptions.members + ["directivity", "aim"])
        let aim = try object["aim"].map { try $0.numbers([3], in: -1e6...1e6) }
        if let directivity = object["directivity"] {
            pair = RirPair(
                source: pair.source, listener: pair.listener,
                emission: SourceEmission(
                    pose: Pose(listenerAt: pair.source, facing: aim.map { Vector($0[0], $0[1], $0[2]) }),
                    shape: try RowDirectivity.read(directivity, files: files)))
        } else if let aim = object["aim"] {
            throw aim.fault(rule: "a source that is the same all around looks nowhere", cure: "add directivity")
        }
        return try ResponseOptions(object, receiver: receiver, medium: medium, files: files)
    }

    fileprivate func places() throws -> [Vector] {
        guard let microphones, (1...1024).contains(microphone_count) else {
            throw Fault(
                "options.microphones", microphones == nil ? "is NULL" : "are \(microphone_count)",
                rule: "an array has 1 to 1024 microphones", cure: "give x, y, z of each")
        }
        var places: [Vector] = []
        for index in 0..<microphone_count {
            let m = microphones + 3 * index
            let place = try Check.triple("options.microphones[\(index)]", (m[0], m[1], m[2]))
            places.append(Vector(place[0], place[1], place[2]))
        }
        return places
    }

    fileprivate func chosenQuality() throws -> AcousticQuality {
        let name = quality.map { String(cString: $0) } ?? "high"
        guard let known = AcousticQuality.Name(rawValue: name) else {
            throw Fault(
                "options.quality", "is “\(name)”",
                rule: "qualities are \(AcousticQuality.Name.allCases.map(\.rawValue).joined(separator: ", "))",
                cure: "give one of these")
        }
        var chosen = known.quality
        chosen.replace(rays: rays < 0 ? nil : Int(rays), order: order < 0 ? nil : Int(order))
        return chosen
    }
}

@c @implementation
public func ossicle_response_options_init(_ options: UnsafeMutablePointer<ossicle_response_options>?) {
    options?.pointee = .standard
}

@c @implementation
public func ossicle_respond(
    _ room: OpaquePointer?, _ given: UnsafePointer<ossicle_response_options>?, _ sound: HandlePlace?,
    _ error: ErrorPlace?
) -> Int32 {
    make(sound, error, "sound") {
        let room = try Handles.object(room, Room.self, "room")
        let options = try options(
            given, defaults: .standard, oldest: MemoryLayout<ossicle_response_options>.offset(of: \.more),
            cure: "set them by ossicle_response_options_init of the same header")
        try options.check()
        var pair = try options.pair()
        let rate = try Check.rate(options.rate), name = try options.receiverName()
        let medium = Medium(temperature: options.temperature, humidity: options.humidity)
        let more = try options.readMore(&pair, name, medium)
        let tracer = room.tracer(in: medium)
        let warnings = PositionCheck(occluders: room.occluders, tracer: tracer).misplacements([pair])
        if let first = warnings.first, options.lenient == 0 { throw Fault(first, code: OSSICLE_BAD_POSITION) }
        let receiver = try more.receiver(
            name, microphones: name == .array ? options.places() : [], sampleRate: Double(rate))
        try Sound.check(seconds: options.length, rate: rate, channels: receiver.channelCount)
        let solver = more.solver(
            tracer, quality: try options.chosenQuality(),
            synthesiser: try more.synthesiser(
                receiver, sampleRate: Double(rate), medium: medium, seed: options.seed),
            length: options.length == 0 ? nil : options.length, workers: WorkerPool(limit: options.threads) ?? .shared,
            hearsSides: true)
        let result = try solver.result(for: pair)
        let paths = more.listsPaths ? PathFacts(result, tracer: tracer) : nil
        return Sound(
            result.response.channels, rate: rate, facts: ResponseFacts(result, paths: paths, warnings: warnings))
    }
}

/// What `ossicle_sound_facts` says of a response.
private struct ResponseFacts: Encodable {
    let metrics: RirFacts
    let paths: PathFacts?
    let warnings: [String]

    init(_ result: RirResult, paths: PathFacts?, warnings: [String]) {
        (metrics, self.paths, self.warnings) = (RirFacts(result), paths, warnings)
    }

    private enum Key: CodingKey { case paths, warnings }

    /// The metrics' members and the warnings in one object.
    func encode(to encoder: any Encoder) throws {
        try metrics.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(paths?.paths, forKey: .paths)
        try container.encode(warnings, forKey: .warnings)
    }
}

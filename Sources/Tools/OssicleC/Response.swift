import OssicleAcoustics
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleHeader
import OssicleResponses

extension ossicle_response_options {
    static var standard: ossicle_response_options {
        var options = ossicle_response_options()
        options.size = MemoryLayout<ossicle_response_options>.size
        (options.rate, options.seed) = (48_000, 1)
        (options.rays, options.order) = (-1, -1)
        (options.temperature, options.humidity) = (20, 50)
        return options
    }

    fileprivate func check() throws(Fault) {
        try Check.number("options.yaw", yaw, in: -1e6...1e6)
        try Check.number("options.pitch", pitch, in: -90...90)
        try Check.integer("options.rays", rays, in: -1...16_777_216)
        try Check.integer("options.order", order, in: -1...Int32(BoxRoom.highestOrder))
        if length != 0 { try Check.number("options.length", length, in: 0.001...60) }
        try Check.number("options.temperature", temperature, in: -80...80)
        try Check.number("options.humidity", humidity, in: 0...100)
        try Check.integer("options.threads", threads, in: 0...1024)
    }

    fileprivate func pair() throws(Fault) -> RirPair {
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

    fileprivate func madeReceiver(rate: Int) throws -> Receiver {
        let name = receiver.map { String(cString: $0) } ?? "mono"
        switch name {
        case "mono": return .mono
        case "binaural": return .binaural(try HRTFFilters.shared(sampleRate: Double(rate)))
        case "array": return .array(try places())
        default:
            guard let field = AmbisonicLayout(name: name) else {
                throw Fault(
                    "options.receiver", "is “\(name)”",
                    rule: "receivers are mono, binaural, array, ambisonic:0 to ambisonic:7, or ambisonic:7:n3d",
                    cure: "give one of these")
            }
            return .ambisonic(order: field.order, isN3D: field.isN3D)
        }
    }

    private func places() throws(Fault) -> [Vector] {
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

    fileprivate func chosenQuality() throws(Fault) -> AcousticQuality {
        let name = quality.map { String(cString: $0) } ?? "high"
        let known: [(name: String, quality: AcousticQuality)] = [
            ("low", .low), ("medium", .medium), ("high", .high), ("reference", .reference),
        ]
        guard var chosen = known.first(where: { $0.name == name })?.quality else {
            throw Fault(
                "options.quality", "is “\(name)”", rule: "qualities are \(known.map(\.name).joined(separator: ", "))",
                cure: "give one of these")
        }
        if rays >= 0 { chosen.rays = Int(rays) }
        if order >= 0 {
            chosen.reflectionOrder = Int(order)
            // As `ossicle rir`: rays begin above that order.
            chosen.reflections = ImageSourceSolver<SceneTracer>.mostImages
        }
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
            given, defaults: .standard, cure: "set them by ossicle_response_options_init of the same header")
        try options.check()
        let pair = try options.pair(), rate = try Check.rate(options.rate)
        let medium = Medium(temperature: options.temperature, humidity: options.humidity)
        let tracer = room.tracer(in: medium)
        let warnings = PositionCheck(occluders: room.occluders, tracer: tracer).misplacements([pair])
        if let first = warnings.first, options.lenient == 0 { throw Fault(first, code: OSSICLE_BAD_POSITION) }
        let receiver = try options.madeReceiver(rate: rate)
        try Sound.check(seconds: options.length, rate: rate, channels: receiver.channelCount)
        let solver = RirSolver(
            tracer: tracer, quality: try options.chosenQuality(), seed: options.seed,
            synthesiser: try ResponseSynthesiser(
                sampleRate: Double(rate), medium: medium, receiver: receiver, seed: options.seed),
            length: options.length == 0 ? nil : options.length, workers: WorkerPool(limit: options.threads) ?? .shared)
        let result = try solver.result(for: pair)
        return Sound(result.response.channels, rate: rate, facts: ResponseFacts(result, warnings: warnings))
    }
}

/// What `ossicle_sound_facts` says of a response.
private struct ResponseFacts: Encodable {
    let metrics: RirFacts
    let warnings: [String]

    init(_ result: RirResult, warnings: [String]) { (metrics, self.warnings) = (RirFacts(result), warnings) }

    private enum Key: CodingKey { case warnings }

    /// The metrics' members and the warnings in one object.
    func encode(to encoder: any Encoder) throws {
        try metrics.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(warnings, forKey: .warnings)
    }
}

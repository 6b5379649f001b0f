import OssicleCore

/// KHR_audio_emitter: audio → sounds, a source of an emitter at a node → an instance with a mixer and an event of its
/// own.
extension KhronosReader {
    /// What all emitters share.
    struct World {
        /// Linear, of the reverb of the default environment.
        var reverbMix = 0.0
    }

    private static let gains = 0.0...1000.0

    mutating func emitters(_ world: World) throws {
        guard let root = try document.extension(KhronosDraft.emitter) else { return }
        let sounds = try root.list("audio", atMost: SceneAudio.most).enumerated().map { try sound($0, $1) }
        scene.audio.sounds = sounds.compactMap(\.self)
        let sources = try root.list("sources", atMost: SceneAudio.most),
            emitters = try root.list("emitters", atMost: SceneAudio.most)
        for (node, object) in try nodes(KhronosDraft.emitter) {
            for emitter in try bound(object, count: emitters.count) {
                try play(emitters[emitter].object(), emitter, at: node, sources, sounds, world)
            }
        }
        guard let global = try sceneExtension(KhronosDraft.emitter) else { return }
        for cursor in try global.list("emitters") {
            let emitter = try cursor.index(of: "emitters", count: emitters.count),
                object = try emitters[emitter].object()
            guard try object.required("type").text() == "global" else {
                throw cursor.fault(rule: "a scene has global emitters only", cure: "put it on a node")
            }
            try play(object, emitter, at: nil, sources, sounds, world)
        }
    }

    /// The emitters of a node.
    private func bound(_ object: JSONObject, count: Int) throws -> [Int] {
        switch draft {
        case .year2024:
            if let many = object["emitters"] {
                throw many.fault(
                    "is there", rule: "in the draft of 2024 a node has one emitter", cure: "choose the draft 2026-08")
            }
            return try [object.required("emitter").index(of: "emitters", count: count)]
        case .august2026:
            let one = try object["emitter"].map { [try $0.index(of: "emitters", count: count)] } ?? []
            return one + (try object.list("emitters").map { try $0.index(of: "emitters", count: count) })
        }
    }

    private func sound(_ index: Int, _ cursor: JSONCursor) throws -> SceneSound? {
        let object = try cursor.object()
        guard let uri = object["uri"], object["bufferView"] == nil else {
            throw cursor.fault(
                "lies in a buffer", rule: "sounds in buffers are not mapped",
                cure: "export it as a file beside the scene, with a uri")
        }
        var sound = SceneSound()
        sound.uri = try uri.name()
        guard !sound.uri.hasPrefix("data:") else {
            throw uri.fault(
                "is a data URI", rule: "sounds in the document are not mapped", cure: "put a file beside the scene")
        }
        sound.name = "audio \(index)"
        return sound
    }

    private mutating func play(
        _ emitter: JSONObject, _ number: Int, at node: Int?, _ sources: [JSONCursor], _ sounds: [SceneSound?],
        _ world: World
    ) throws {
        let type = try emitter.required("type"), gain = try emitter.number("gain", Self.gains, or: 1)
        let isGlobal = try type.text() == "global"
        guard try isGlobal || type.text() == "positional" else {
            throw type.fault(rule: "emitters are global or positional", cure: "give one of these")
        }
        for cursor in try emitter.list("sources") {
            let index = try cursor.index(of: "sources", count: sources.count), source = try sources[index].object()
            let audio = try source.required("audio").index(of: "audio", count: sounds.count)
            guard let sound = sounds[audio] else { continue }
            let place = node.flatMap { scene.nodes[$0].name } ?? "scene"
            let name = "\(place): emitter \(number), source \(index)"
            var sampler = SceneSampler()
            (sampler.sound, sampler.mixer) = (sound.name, name)
            sampler.culling = .doNotCull
            sampler.playback = try source.flag("loop") ? .looping : .oneShot
            try setLevel(of: &sampler, gain * source.number("gain", Self.gains, or: 1), sources[index])
            var event = SceneEvent()
            (event.name, event.root.kind) = (name + " event", .sampler(sampler))
            var instance = SceneInstance()
            (instance.name, instance.event) = (name, event.name)
            // The draft's example writes it small once.
            if try source.flag("autoPlay") || source.flag("autoplay") { instance.start = 0 }
            var mixer = SceneMixer()
            mixer.name = name
            if isGlobal || node == nil {
                mixer.kind = .channel(try bed(of: sound, cursor))
            } else {
                mixer.kind = .spatial(try spatial(emitter, world))
                instance.source = place
                if let node { scene.nodes[node].roles.source = scene.nodes[node].roles.source ?? SceneSource() }
            }
            scene.audio.mixers.append(mixer)
            scene.audio.events.append(event)
            scene.audio.instances.append(instance)
        }
    }

    /// Gains over 1 are levels in dB.
    private func setLevel(of sampler: inout SceneSampler, _ gain: Double, _ cursor: JSONCursor) throws {
        if gain <= 1 {
            sampler.level = gain
            return
        }
        let decibels = Decibels.of(amplitude: gain)
        guard decibels <= 12 else {
            throw cursor.fault(
                "and its emitter have a gain of \(JSONValue.number(gain).words) together",
                rule: "gains over 3.98 (12 dB) are not mapped",
                cure: "turn it down, or make the file louder")
        }
        (sampler.calibration, sampler.level) = (.relativeSPL, decibels)
    }

    /// The channels of a file as they are: a mixer's layout has to be that of its sound.
    private func bed(of sound: SceneSound, _ cursor: JSONCursor) throws -> SceneChannelMixer {
        let count = (try? scene.folder.path(of: sound.uri)).flatMap(channelCount) ?? 2
        let layouts: [SceneLayout] = [
            .mono, .stereo, .quadraphonic, .surround5, .surround51, .surround71, .surround714,
        ]
        guard let layout = layouts.first(where: { $0.channelCount == count }) else {
            throw cursor.fault(
                "plays a file of \(count) channels",
                rule: "global sounds of 1, 2, 4, 5, 6, 8 and 12 channels are mapped",
                cure: "mix it down")
        }
        var bed = SceneChannelMixer()
        bed.layout = layout
        return bed
    }
}

/// Distances, cones and sends of positional emitters.
extension KhronosReader {
    private mutating func spatial(_ emitter: JSONObject, _ world: World) throws -> SceneSpatialMixer {
        var mixer = SceneSpatialMixer()
        let sends = try emitter.extension(KhronosDraft.environment)
        let direct = try sends?.number("directLevel", 0...1000, or: 1) ?? 1
        let reverb = try sends?.number("reverbLevel", 0...1000, or: 1) ?? 1
        for (name, level) in [("directLevel", direct), ("reverbLevel", reverb)] where level > 1 {
            warn(emitter.cursor, "has a \(name) of \(level); levels over 1 are 1.")
        }
        if sends?["environment"] != nil {
            warn(emitter.cursor, "is bound to an environment; that of the listener counts.")
        }
        mixer.direct = SceneSend()
        mixer.direct?.level = min(direct, 1)
        if reverb * world.reverbMix > 0 {
            mixer.late = SceneSend()
            mixer.late?.level = min(reverb * world.reverbMix, 1)
        }
        guard let positional = try emitter["positional"]?.object() else {
            mixer.distance = Self.distance(Self.inverse(reference: 1, rolloff: 1, maximum: 0))
            return mixer
        }
        mixer.distance = Self.distance(try law(positional))
        mixer.sourceDirectivity = try cone(positional)
        guard let more = try positional.extension(KhronosDraft.environment) else { return mixer }
        for name in ["spatializationModel", "airAbsorption", "coneOuterCutoff", "dopplerEnabled"]
        where more[name] != nil {
            warn(more.cursor, "has \(name), which is not mapped.")
        }
        return mixer
    }

    private static func distance(_ envelope: SceneEnvelope) -> SceneDistance {
        var distance = SceneDistance(), curve = SceneCurve()
        curve.envelope = envelope
        distance.model = .envelope(curve)
        return distance
    }

    /// Gain by distance.
    private func law(_ object: JSONObject) throws -> SceneEnvelope {
        let metres = 1e-3...1e6
        let reference = try object.number("refDistance", metres, or: 1),
            rolloff = try object.number("rolloffFactor", 0...1000, or: 1)
        let maximum = try object.number("maxDistance", 0...1e6, or: 0)
        func needsMaximum(_ law: String) throws {
            guard maximum > reference else {
                throw object.cursor.fault(
                    "has a maxDistance of \(JSONValue.number(maximum).words)",
                    rule: "that of a \(law) is greater than refDistance, \(JSONValue.number(reference).words)",
                    cure: "give a greater one")
            }
        }
        switch try object["distanceModel"]?.text() ?? "inverse" {
        case "inverse": return Self.inverse(reference: reference, rolloff: rolloff, maximum: maximum)
        case "exponential":
            return Self.sampled(reference, maximum) { DeterministicMath.pow($0 / reference, -rolloff) }
        case "linear":
            try needsMaximum("linear model")
            return Self.envelope([(reference, 1), (maximum, max(1 - min(rolloff, 1), 0))])
        case "custom":
            try needsMaximum("custom model")
            let curve =
                try object.extension(KhronosDraft.environment)?.required("distanceCurve").list(atMost: 4096) ?? []
            guard curve.count >= 2 else {
                throw object.cursor.fault(
                    "has no distanceCurve", rule: "a custom model has two values at least", cure: "add them")
            }
            return Self.envelope(
                try curve.enumerated().map { place, cursor in
                    let share = Double(place) / Double(curve.count - 1)
                    return (reference + (maximum - reference) * share, try cursor.number(in: 0...1))
                })
        case let other:
            throw try object.required("distanceModel").fault(
                "is “\(other)”", rule: "linear, inverse, exponential and custom models are mapped",
                cure: "give one of these")
        }
    }

    private static func inverse(reference: Double, rolloff: Double, maximum: Double) -> SceneEnvelope {
        sampled(reference, maximum) { reference / (reference + rolloff * ($0 - reference)) }
    }

    /// Straight lines between points that are 4 % apart: within 0.004 dB of 1/d. Beyond the maximum, 10,000 times the
    /// reference without one, the gain stays what it is there.
    private static func sampled(_ reference: Double, _ maximum: Double, _ gain: (Double) -> Double) -> SceneEnvelope {
        let end = maximum > reference ? maximum : 1e4 * reference
        var points = [(x: reference, y: 1.0)]
        while let last = points.last, last.x < end {
            let next = min(last.x * 1.04, end)
            points.append((next, min(max(gain(next), 0), 1)))
        }
        return envelope(points)
    }

    /// The first value up to the first point, and straight lines.
    private static func envelope(_ points: [(x: Double, y: Double)]) -> SceneEnvelope {
        var envelope = SceneEnvelope()
        envelope.start = [0, points.first?.y ?? 1]
        envelope.segments = points.map { point in
            var segment = SceneEnvelope.Segment()
            segment.end = [point.x, point.y]
            return segment
        }
        return envelope
    }

    private mutating func cone(_ object: JSONObject) throws -> SceneDirectivity? {
        let shape = try object["shapeType"]?.text() ?? "omnidirectional"
        guard shape != "omnidirectional" else { return nil }
        guard shape == "cone" else {
            throw try object.required("shapeType").fault(
                rule: "omnidirectional and cone are mapped", cure: "give one of these")
        }
        let turn = 2 * DeterministicMath.pi, degrees = 180 / DeterministicMath.pi
        // Angles that were written with few digits may exceed a turn by a little.
        let inner = min(try object.number("coneInnerAngle", 0...6.284, or: turn), turn) * degrees
        let outer = min(try object.number("coneOuterAngle", 0...6.284, or: turn), turn) * degrees
        let gain = try object.number("coneOuterGain", Self.gains, or: 0)
        if gain > 1 { warn(object.cursor, "has a coneOuterGain of \(gain); gains over 1 are 1.") }
        var band = SceneCone.Band()
        (band.innerAngle, band.outerAngle, band.outerGain) = (inner, max(inner, outer), min(gain, 1))
        var cone = SceneCone(), directivity = SceneDirectivity()
        cone.bands = [band]
        directivity.model = .cone(cone)
        return directivity
    }
}

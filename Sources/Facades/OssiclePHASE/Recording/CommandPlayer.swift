import Foundation
import OssicleAVFAudio
import OssicleRecording
import OssicleSpatial

/// A mixer's chain of insert effects; of event 0 the engine's.
struct InsertPlace: Equatable {
    let event: UInt64
    let mixer: String
}

/// Carries recorded commands out on an engine.
final class CommandPlayer {
    let engine: PHASEEngine
    let reader: CommandReader
    private let folder: URL
    private var objects: [UInt64: PHASEObject] = [:]
    private var shapes: [Int: PHASEShape] = [:]
    private var groups: [String: PHASEGroup] = [:]
    private var presets: [Int: PHASEGroupPreset] = [:]
    private var duckers: [String: PHASEDucker] = [:]
    var events: [UInt64: PHASESoundEvent] = [:]
    var inserts: [Int: AVAudioUnitEffect] = [:]
    /// Where each of them was inserted last.
    var places: [Int: InsertPlace] = [:]
    /// What handlers of pull streams gave out, by event and stream.
    var pulled: [UInt64: [String: [(sound: SoundRecord, frame: Int64)]]] = [:]
    private var piece: AVAudioPCMBuffer?

    init(_ engine: PHASEEngine, _ reader: CommandReader, _ course: CommandCourse<PHASECommand>) throws {
        (self.engine, self.reader) = (engine, reader)
        for (command, _) in course.commands {
            guard case .pulled(let event, let node, let sound, let frame) = command else { continue }
            pulled[event, default: [:]][node, default: []].append((sound, frame))
        }
        engine.control.locked { engine.control.trackedHead.beginReplay() }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        objects[engine.rootObject.number] = engine.rootObject
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Memory for a render call.
    func buffer(_ format: AVAudioFormat) -> AVAudioPCMBuffer? {
        if let piece, piece.format == format, piece.frameCapacity >= engine.manualRenderingMaximumFrameCount {
            return piece
        }
        piece = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: engine.manualRenderingMaximumFrameCount)
        return piece
    }

    func refusal(_ found: String) -> CommandFileError {
        CommandFileError(
            .impossible, file: reader.path, found: found, rule: "A command names what was made before.",
            cure: "Take the file as it was recorded.")
    }

    func found<Thing>(_ thing: Thing?, _ name: @autoclosure () -> String) throws -> Thing {
        guard let thing else { throw refusal("\(name()) is not there") }
        return thing
    }

    func object<Object: PHASEObject>(_ number: UInt64) throws -> Object {
        try found(objects[number] as? Object, "object \(number)")
    }

    func event(_ number: UInt64) throws -> PHASESoundEvent { try found(events[number], "event \(number)") }

    /// A file with recorded bytes, whose name ends as it did.
    private func file(_ hash: String, _ name: String) throws -> URL {
        let ending = URL(fileURLWithPath: name).pathExtension.prefix(8).filter { $0.isLetter || $0.isNumber }
        let url = folder.appendingPathComponent("\(hash.prefix(16)).\(ending)")
        if !FileManager.default.fileExists(atPath: url.path) { try reader.bytes(hash).write(to: url) }
        return url
    }

    func perform(_ command: PHASECommand) throws {
        switch command {
        // What was pulled is played from the start of its event.
        case .engine, .render, .pulled: break
        case .settings(let settings): engine.control.set { settings.apply(to: &$0) }
        case .spatialization(let mode):
            engine.outputSpatializationMode = PHASESpatializationMode(rawValue: mode) ?? .automatic
        case .seed(let seed): engine.randomSeed = seed
        case .quality(let quality): engine.acousticsQuality = quality.quality
        case .hrtf(let data, let name): try engine.loadHRTF(contentsOf: file(data, name))
        case .builtInHRTF: engine.resetHRTF()
        case .room(let data, let name, let level):
            try engine.loadImpulseResponse(contentsOf: file(data, name), level: level)
        case .noRoom: engine.unloadImpulseResponse()
        case .manual(let format, let maximum):
            engine.stop()
            try engine.enableManualRenderingMode(
                .offline, format: try found(AVAudioFormat.made(of: format), "its format"),
                maximumFrameCount: max(maximum, 1))
        case .notManual: engine.disableManualRenderingMode()
        case .start: try engine.start()
        case .pause: engine.pause()
        case .stop: engine.stop()
        case .update: engine.update()
        case .head(let head): engine.control.locked { engine.control.trackedHead.replay(head?.pose) }
        case .otherHead: engine.control.locked { engine.control.trackedHead.replayOther() }
        case .object, .addChild, .remove, .transform, .gain, .headFlags, .zone, .zoneRoom, .shape, .material:
            try performInScene(command)
        case .sound, .soundFile, .eventAsset, .globalParameter, .unregister: try performInRegistry(command)
        case .event, .prepare, .startEvent, .pauseEvent, .resumeEvent, .seek, .stopEvent, .number, .fadeNumber, .text,
            .push, .inserts, .insertChange:
            try performOnEvent(command)
        default: try performOnGroup(command)
        }
    }

    private func performInScene(_ command: PHASECommand) throws {
        switch command {
        case .object(let number, let kind, let numbers):
            let shapes = try numbers.map { try found(self.shapes[$0], "shape \($0)") }
            let object: PHASEObject =
                switch kind {
                case .object: PHASEObject(engine: engine)
                case .source: shapes.isEmpty ? PHASESource(engine: engine) : PHASESource(engine: engine, shapes: shapes)
                case .listener: PHASEListener(engine: engine)
                case .occluder: PHASEOccluder(engine: engine, shapes: shapes)
                case .zone: PHASEReverbZone(engine: engine, shapes: shapes)
                }
            guard object.number == number else { throw refusal("object \(number) became number \(object.number)") }
            objects[number] = object
        case .addChild(let child, let parent): try (object(parent) as PHASEObject).addChild(object(child))
        case .remove(let children, let parent):
            for child in children { try (object(parent) as PHASEObject).removeChild(object(child)) }
        case .transform(let number, let matrix):
            guard matrix.count == 16 else { throw refusal("a transform has \(matrix.count) numbers") }
            func column(_ index: Int) -> simd_float4 {
                simd_float4(matrix[4 * index], matrix[4 * index + 1], matrix[4 * index + 2], matrix[4 * index + 3])
            }
            (try object(number) as PHASEObject).transform = simd_float4x4(column(0), column(1), column(2), column(3))
        case .gain(let number, let gain):
            switch try object(number) as PHASEObject {
            case let source as PHASESource: source.gain = gain
            case let listener as PHASEListener: listener.gain = gain
            default: throw refusal("object \(number) has no gain")
            }
        case .headFlags(let number, let flags):
            let listener: PHASEListener = try object(number)
            listener.automaticHeadTrackingFlags = PHASEAutomaticHeadTrackingFlags(rawValue: flags)
        case .zone(let number, let settings):
            let zone: PHASEReverbZone = try object(number)
            zone.reverb = settings.preset.map { .preset(PHASEReverbPreset(rawValue: $0) ?? .none) } ?? .computed
            (zone.borderWidth, zone.priority, zone.level) = (settings.borderWidth, settings.priority, settings.level)
        case .zoneRoom(let number, let data, let name):
            let zone: PHASEReverbZone = try object(number)
            if let data {
                try zone.loadImpulseResponse(contentsOf: file(data, name))
            } else {
                zone.unloadImpulseResponse()
            }
        case .shape(let number, let data, let materials):
            guard let mesh = try? JSONDecoder().decode(PHASECommand.Mesh.self, from: reader.bytes(data)) else {
                throw refusal("the mesh of shape \(number) is none")
            }
            shapes[number] = PHASEShape(
                mesh: mesh.mesh, materials: materials.map { $0?.material }, control: engine.control)
        case .material(let number, let element, let material):
            let elements = try found(shapes[number], "shape \(number)").elements
            guard elements.indices.contains(element) else { throw refusal("shape \(number) has no element \(element)") }
            elements[element].material = material?.material
        default: break
        }
    }

    private func performInRegistry(_ command: PHASECommand) throws {
        let registry = engine.assetRegistry
        switch command {
        case .sound(let name, let data, let format, let normalised):
            try registry.registerSoundAsset(
                data: reader.bytes(data), identifier: name,
                format: try found(AVAudioFormat.made(of: format), "the format of “\(name)”"),
                normalizationMode: normalised ? .dynamic : .none)
        case .soundFile(let name, let data, let file, let streamed, let layout, let normalised):
            try registry.registerSoundAsset(
                url: self.file(data, file), identifier: name, assetType: streamed ? .streamed : .resident,
                channelLayout: layout.flatMap(AVAudioChannelLayout.made),
                normalizationMode: normalised ? .dynamic : .none)
        case .eventAsset(let name, let tree, let formats):
            let formats = try formats.mapValues {
                try found(AVAudioFormat.made(of: $0), "a stream's format of “\(name)”")
            }
            try registry.register(tree, formats, identifier: name)
        case .globalParameter(let blueprint): try registry.register(blueprint)
        case .unregister(let name): registry.unregisterAsset(identifier: name, completion: nil)
        default: break
        }
    }

    private func performOnGroup(_ command: PHASECommand) throws {
        func group(_ name: String) throws -> PHASEGroup { try found(groups[name], "group “\(name)”") }
        func curve(_ number: Int) -> PHASECurveType { PHASECurveType(rawValue: number) ?? .linear }
        switch command {
        case .group(let name, let gain, let rate, let muted, let soloed):
            let group = PHASEGroup(identifier: name)
            (group.gain, group.rate) = (gain, rate)
            if muted { group.mute() }
            if soloed { group.solo() }
            group.register(engine: engine)
            groups[name] = group
        case .noGroup(let name): try group(name).unregisterFromEngine()
        case .groupGain(let name, let gain): try group(name).gain = gain
        case .groupRate(let name, let rate): try group(name).rate = rate
        case .fadeGain(let name, let gain, let seconds, let shape):
            try group(name).fadeGain(gain: gain, duration: seconds, curveType: curve(shape))
        case .fadeRate(let name, let rate, let seconds, let shape):
            try group(name).fadeRate(rate: rate, duration: seconds, curveType: curve(shape))
        case .mute(let name, let isMuted): try isMuted ? group(name).mute() : group(name).unmute()
        case .solo(let name, let isSoloed): try isSoloed ? group(name).solo() : group(name).unsolo()
        case .preset(let number, let settings, let target, let reset):
            presets[number] = PHASEGroupPreset(
                engine: engine, settings: settings.mapValues(\.setting), timeToTarget: target, timeToReset: reset)
        case .activatePreset(let number, let seconds):
            try found(presets[number], "preset \(number)").activate(timeToTargetOverride: seconds)
        case .deactivatePreset(let number, let seconds):
            try found(presets[number], "preset \(number)").deactivate(timeToResetOverride: seconds)
        case .ducker(let name, let ducker):
            // A group that is not registered is known by its name alone.
            func groups(_ names: [String]) -> Set<PHASEGroup> {
                Set(names.map { self.groups[$0] ?? PHASEGroup(identifier: $0) })
            }
            let made = PHASEDucker(
                engine: engine, sourceGroups: groups(ducker.sources), targetGroups: groups(ducker.targets),
                gain: ducker.gain, attackTime: ducker.attack, releaseTime: ducker.release,
                attackCurve: curve(ducker.attackCurve), releaseCurve: curve(ducker.releaseCurve))
            guard made.identifier == name else { throw refusal("ducker “\(name)” became “\(made.identifier)”") }
            duckers[name] = made
        case .duck(let name, let isActive):
            let ducker = try found(duckers[name], "ducker “\(name)”")
            isActive ? ducker.activate() : ducker.deactivate()
        default: break
        }
    }
}

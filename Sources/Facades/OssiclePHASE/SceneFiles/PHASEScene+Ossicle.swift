import Foundation
import OssicleFiles
import OssicleScenes

/// A scene from a file, in an engine (an addition of Ossicle).
///
/// The file is glTF 2.0, `.gltf` or `.glb`; its extension `OSSICLE_audio` says what the scene sounds like, and
/// `Documentation/SceneFile.md` what is in it. Meshes are occluders of their materials; nodes are sources, listeners
/// and reverb zones; sounds and sound events are registered with the engine under their names, groups too. Lengths are
/// metres and times seconds, so that the engine's units should be 1.
///
/// Keep it as long as the scene plays. From one thread at a time.
public final class PHASEScene: NSObject {
    /// The engine it is in.
    public let engine: PHASEEngine
    /// What hangs below the engine's root: the objects of the nodes that have a name of their own, by that name.
    public let objects: [String: PHASEObject]
    /// The sources, by the names of their nodes.
    public let sources: [String: PHASESource]
    /// The listeners, by the names of their nodes.
    public let listeners: [String: PHASEListener]
    /// The groups, by their names.
    public let groups: [String: PHASEGroup]
    /// The presets of groups, by their names.
    public let groupPresets: [String: PHASEGroupPreset]
    /// The duckers, in the order of the file.
    public let duckers: [PHASEDucker]
    /// What the file holds that is taken for something else or left out, in sentences.
    public var warnings: [String] { document.warnings }

    let document: SceneDocument
    private let nodes: SceneNodeObjects
    private let sounds: SceneSounds
    /// The sound event of each instance that was made last.
    private var made: [String: PHASESoundEvent] = [:]
    private var started: Set<String> = []

    /// States of Khronos' drafts of sound in glTF, which change and carry no version.
    public enum KhronosDraft: String, CaseIterable, Sendable {
        /// `KHR_audio_emitter` of 2024.
        case year2024 = "2024"
        /// `KHR_audio_emitter` and `KHR_audio_environment` of August 2026.
        case august2026 = "2026-08"
    }

    /// Reads a scene and puts it into an engine, whose settings become those of the scene. Some 0.1 s for 10,000
    /// triangles; the caller's thread.
    ///
    /// - Parameters:
    ///   - url: a `.gltf` or a `.glb` on this machine.
    ///   - engine: that gets the scene.
    ///   - khronosDraft: the draft that extensions of Khronos' are read by, in a file without `OSSICLE_audio`; nil:
    ///     they are left out, and `warnings` says so.
    /// - Throws: `PHASEAssetError` `.failedToLoad`, which names the place in the file, the value, the rule and the
    ///   cure; `.alreadyExists` where the engine has something registered under a name of the scene. The engine is as
    ///   before then, but for its settings.
    public convenience init(contentsOf url: URL, engine: PHASEEngine, khronosDraft: KhronosDraft? = nil) throws {
        guard let path = url.localPath else {
            throw PHASEAssetError(
                .failedToLoad,
                "Scene \(url.absoluteString) is not a local file; download it and the files beside it first."
            )
        }
        try self.init(
            SceneErrors.bridged {
                try SceneDocument(
                    contentsOfFile: path,
                    draft: khronosDraft.flatMap { OssicleScenes.KhronosDraft(rawValue: $0.rawValue) },
                    channelCount: { try? AudioFileReader(path: $0).info.channelCount })
            }, engine: engine)
    }

    /// Puts a scene into an engine whose file, a `.gltf` or a `.glb`, is in memory.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - name: for messages.
    ///   - folder: where its sounds and buffers lie; nil where all of it is in `data`.
    ///   - engine: that gets the scene.
    /// - Throws: as `init(contentsOf:engine:)`.
    public convenience init(data: Data, name: String, folder: URL?, engine: PHASEEngine) throws {
        let document = try SceneErrors.bridged {
            try SceneDocument([UInt8](data), name: name, folder: SceneFolder(path: folder?.localPath))
        }
        try self.init(document, engine: engine)
    }

    init(_ document: SceneDocument, engine: PHASEEngine) throws {
        (self.document, self.engine) = (document, engine)
        engine.apply(document.audio.engine)
        let nodes = try SceneErrors.bridged { try SceneNodeObjects(document, engine: engine) }
        let sounds = SceneSounds(document, engine: engine)
        do {
            try SceneErrors.bridged { try sounds.register() }
            try nodes.addToScene()
        } catch {
            sounds.unregister()
            throw error
        }
        (self.nodes, self.sounds) = (nodes, sounds)
        objects = nodes.named
        sources = nodes.sources
        listeners = nodes.listeners
        (groups, groupPresets, duckers) = (sounds.groups, sounds.presets, sounds.duckers)
        super.init()
        do {
            for instance in document.audio.instances { made[instance.name] = try makeSoundEvent(instance) }
        } catch {
            remove()
            throw error
        }
        if let name = document.audio.engine.groupPreset { groupPresets[name]?.activate(timeToTargetOverride: 0) }
    }

    /// The sound events of the scene's instances by name, as they were made or started last.
    public var soundEvents: [String: PHASESoundEvent] { made }

    /// Starts the instances that have a time to start at, so many seconds from the next frame to be rendered. Call it
    /// once the engine runs. Called again, they play anew, as sound events of their own, beside what still plays of
    /// them.
    public func start() {
        let now = engine.lastRenderTime
        for instance in document.audio.instances {
            guard let seconds = instance.start else { continue }
            let event: PHASESoundEvent
            do { event = try eventToStart(instance) } catch {
                engine.record(error)
                continue
            }
            guard seconds > 0, let now else {
                event.start()
                continue
            }
            let frame = now.sampleTime + AVAudioFramePosition((seconds * now.sampleRate).rounded())
            event.start(at: AVAudioTime(sampleTime: frame, atRate: now.sampleRate))
        }
    }

    /// Starts an instance at once. One that was started before plays anew, as a sound event of its own, beside what
    /// still plays of it.
    /// - Throws: `PHASESoundEventError.notFound` for an instance that the scene does not have.
    @discardableResult
    public func start(_ instance: String) throws -> PHASESoundEvent {
        guard let described = document.audio.instances.first(where: { $0.name == instance }) else {
            throw PHASESoundEventError(
                .notFound,
                "The scene “\(document.name)” has no instance “\(instance)”; add it to the file, or correct the name."
            )
        }
        let chosen = try eventToStart(described)
        chosen.start()
        return chosen
    }

    /// The sound event that was made for an instance or, once that was started, another.
    private func eventToStart(_ instance: SceneInstance) throws -> PHASESoundEvent {
        let event = started.contains(instance.name) ? nil : made[instance.name]
        let chosen = try event ?? makeSoundEvent(instance)
        started.insert(instance.name)
        made[instance.name] = chosen
        return chosen
    }

    /// Takes the scene out of its engine: objects, sounds, sound events and groups. What plays is stopped.
    public func remove() {
        made.values.forEach { $0.stopAndInvalidate() }
        nodes.removeFromScene()
        sounds.unregister()
    }

    /// Writes the scene as a file, with its objects where they are now: a `.glb` in one piece, or a `.gltf` with its
    /// geometry in it. The same scene gives the same bytes. Sound files that are not beside it are copied there.
    ///
    /// - Throws: `PHASEAssetError.failedToLoad` for a sound that cannot be copied, and Foundation's errors of writing.
    public func write(to url: URL) throws {
        let document = nodes.updated(document)
        try copySounds(to: url.deletingLastPathComponent())
        try Data(document.bytes(binary: url.pathExtension.lowercased() == "glb")).write(to: url, options: .atomic)
    }

    private func copySounds(to folder: URL) throws {
        let place = SceneFolder(path: folder.path)
        for sound in document.audio.sounds {
            guard let from = try? document.folder.path(of: sound.uri), let to = try? place.path(of: sound.uri),
                !FileManager.default.fileExists(atPath: to)
            else { continue }
            do {
                try FileManager.default.createDirectory(
                    at: URL(fileURLWithPath: to).deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: from, toPath: to)
            } catch {
                throw PHASEAssetError(
                    .failedToLoad, object: "Sound “\(sound.name)”", value: "\(from) cannot be copied to \(to)",
                    rule: "A scene's sounds lie in its folder.", cure: "Write the scene where you may write.")
            }
        }
    }

    private func makeSoundEvent(_ instance: SceneInstance) throws -> PHASESoundEvent {
        let parameters = PHASEMixerParameters()
        for mixer in sounds.bindings.mixers(of: instance) {
            let bound = sounds.bindings.binding(of: mixer.name, in: instance)
            guard let listener = bound.listener.flatMap({ listeners[$0] }) else { continue }
            if mixer.isSpatial, let source = bound.source.flatMap({ sources[$0] }) {
                parameters.addSpatialMixerParameters(identifier: mixer.name, source: source, listener: listener)
            } else if !mixer.isSpatial {
                parameters.addAmbientMixerParameters(identifier: mixer.name, listener: listener)
            }
        }
        return try PHASESoundEvent(engine: engine, assetIdentifier: instance.event, mixerParameters: parameters)
    }
}

/// Errors of the scene's files as PHASE's.
enum SceneErrors {
    static func bridged<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SceneFileError {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }
}

extension PHASEEngine {
    fileprivate func apply(_ settings: SceneEngine) {
        randomSeed = UInt64(settings.seed)
        defaultReverbPreset = PHASEReverbPreset(settings.reverb)
        acousticsMode = settings.acoustics == .geometry ? .geometry : .preset
        acousticsQuality =
            switch settings.quality {
            case .low: .low
            case .medium: .medium
            case .high: .high
            }
        outputSpatializationMode =
            switch settings.spatialization {
            case .automatic: .automatic
            case .binaural: .alwaysUseBinaural
            case .channelBased: .alwaysUseChannelBased
            }
        defaultMedium =
            settings.medium.map {
                PHASEMedium(
                    engine: self, temperature: $0.temperature, humidity: $0.humidity, pressure: $0.pressure,
                    absorbs: $0.absorbs, delays: $0.delays)
            } ?? PHASEMedium(engine: self, preset: .air)
    }
}

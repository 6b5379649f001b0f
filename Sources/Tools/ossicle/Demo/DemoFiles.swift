import Foundation
import OssicleFiles
import OssicleScenes

/// The demo as files in a folder of their own, which goes when this does: the scene of
/// `Examples/Scenes/two-rooms.gltf`, the walk beside it at another speed, and the sounds, as WAVE files, which cost no
/// time to code.
final class DemoFiles {
    let scene, timeline: String
    /// Of the scene, for the picture.
    let document: SceneDocument
    private let folder: URL

    /// - Parameters:
    ///   - voice, music: mono samples at `sampleRate`, kept with 24 bits. - seconds: how long the walk takes.
    ///   - endsInOrder: whether the command itself notes the signals that end it, and removes the folder then.
    init(
        voice: [Float], music: [Float], seconds: Double, sampleRate: Int,
        acoustics: SceneEngine.Acoustics = .geometry, endsInOrder: Bool = false
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if !endsInOrder { UnfinishedFiles.add(folder.path) }
        scene = folder.appendingPathComponent("two-rooms.gltf").path
        timeline = folder.appendingPathComponent("two-rooms.walk.json").path
        var document = try SceneDocument(
            PackageResources.two_rooms_gltf, name: "two-rooms.gltf", folder: SceneFolder(path: folder.path))
        if acoustics == .preset { document.audio.takePreset() }
        for index in document.audio.sounds.indices {
            document.audio.sounds[index].uri = document.audio.sounds[index].name + ".wav"
        }
        self.document = document
        try Data(document.bytes(binary: false)).write(to: URL(fileURLWithPath: scene))
        try Data(Self.walk(of: document, lasting: seconds).bytes).write(to: URL(fileURLWithPath: timeline))
        let sounds = [("words", voice), ("tune", music)]
        for sound in document.audio.sounds {
            guard let samples = sounds.first(where: { $0.0 == sound.name })?.1 else { continue }
            try Self.write(samples, to: folder.appendingPathComponent(sound.uri).path, Double(sampleRate))
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        UnfinishedFiles.forget(folder.path)
    }

    /// The walk of the example with all its times stretched alike.
    static func walk(of scene: SceneDocument, lasting seconds: Double) throws -> SceneTimeline {
        var walk = try SceneTimeline(PackageResources.two_rooms_walk_json, name: "two-rooms.walk.json", for: scene)
        let stretch = seconds / walk.length
        walk.duration = seconds
        for track in walk.tracks.indices {
            for key in walk.tracks[track].keys.indices { walk.tracks[track].keys[key].time *= stretch }
        }
        return walk
    }

    private static func write(_ samples: [Float], to path: String, _ rate: Double) throws {
        let writer = try AudioFileWriter(
            FileEncoderRequest(path: path, container: .wav, codec: .pcm24, sampleRate: rate, channelCount: 1))
        try samples.withUnsafeBufferPointer { samples in
            if let base = samples.baseAddress { try writer.write([base], frames: samples.count) }
        }
        try writer.finish()
    }
}

extension SceneAudio {
    /// Direct sound and a preset's reverberation, in place of what the geometry gives.
    fileprivate mutating func takePreset() {
        (engine.acoustics, engine.reverb) = (.preset, .mediumRoom)
        for index in mixers.indices {
            guard case .spatial(var mixer) = mixers[index].kind else { continue }
            mixer.early = nil
            // A furnished flat: a third of what the preset's bare room answers.
            mixer.late?.level = 0.33
            mixers[index].kind = .spatial(mixer)
        }
    }
}

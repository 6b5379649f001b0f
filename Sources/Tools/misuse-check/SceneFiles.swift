import Foundation
import OssiclePHASE

/// A scene in memory with a sound beside it, and its timeline.
private struct SceneStage {
    let folder: URL
    let engine = PHASEEngine(updateMode: .manual)
    private let buffer: AVAudioPCMBuffer

    init() throws {
        folder = try Folder().url
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let sound = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 4800)
        else { throw MisuseFailure("no format") }
        self.buffer = buffer
        sound.frameLength = 4800
        let file = try AVAudioFile(forWriting: folder.appendingPathComponent("s.wav"), settings: mono.settings)
        try file.write(from: sound)
        file.close()
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    }

    static let text = #"""
        {"asset": {"version": "2.0"}, "nodes": [{"name": "mouth", "extensions": {"OSSICLE_audio": {"source": {}}}},
         {"name": "head", "translation": [0, 0, 1], "extensions": {"OSSICLE_audio": {"listener": {}}}}],
         "extensions": {"OSSICLE_audio": {"version": 1, "sounds": [{"name": "s", "uri": "s.wav"}],
          "mixers": [{"name": "m", "type": "spatial", "direct": {}}],
          "events": [{"name": "e", "root": {"type": "sampler", "sound": "s", "mixer": "m", "playback": "looping"}}],
          "instances": [{"name": "i", "event": "e", "source": "mouth", "start": 0}]}}}
        """#

    func scene(_ text: String = text) throws -> PHASEScene {
        try PHASEScene(data: Data(text.utf8), name: "a.gltf", folder: folder, engine: engine)
    }

    func timeline(_ text: String, _ scene: PHASEScene) throws -> PHASESceneTimeline {
        let place = folder.appendingPathComponent("t.json")
        try Data(text.utf8).write(to: place)
        return try PHASESceneTimeline(contentsOf: place, scene: scene)
    }

    func render() throws {
        engine.update()
        try engine.renderOffline(512, to: buffer)
    }
}

/// Scene files and timelines.
let sceneFileCases: [MisuseCase] = [
    MisuseCase("scene files: places and bytes that are no scene") {
        let stage = try SceneStage()
        for path in ["/", "/dev/null", "", stage.folder.path, stage.folder.appendingPathComponent("none.gltf").path] {
            try expectThrown("a scene from “\(path)”") {
                _ = try PHASEScene(contentsOf: URL(fileURLWithPath: path), engine: stage.engine)
            }
        }
        for draft in PHASEScene.KhronosDraft.allCases {
            try expectThrown("a scene from an address") {
                guard let url = URL(string: "https://example.com/a.gltf") else { throw MisuseFailure("no address") }
                _ = try PHASEScene(contentsOf: url, engine: stage.engine, khronosDraft: draft)
            }
        }
        for bytes in [Data(), Data([0]), Data("{}".utf8), Data("glTF".utf8), Data(repeating: 0x5B, count: 1 << 20)] {
            try expectThrown("a scene of \(bytes.count) bytes") {
                _ = try PHASEScene(data: bytes, name: "", folder: nil, engine: stage.engine)
            }
        }
        try expectThrown("sounds without a folder") {
            _ = try PHASEScene(data: Data(SceneStage.text.utf8), name: "a", folder: nil, engine: stage.engine)
        }
        try expect(stage.engine.assetRegistry.asset(forIdentifier: "s") == nil, "what was refused is registered")
    },
    MisuseCase("scene files: twice, removed twice, started in any order and never") {
        let stage = try SceneStage(), scene = try stage.scene()
        try expectThrown("the same scene in the same engine") { _ = try stage.scene() }
        try expectThrown("an instance that is not there") { try scene.start("nobody") }
        note("started before the engine")
        scene.start()
        try scene.start("i")
        try stage.engine.start()
        for _ in 0..<3 {
            scene.start()
            try scene.start("i")
            try stage.render()
        }
        note("written where that cannot be")
        try expectThrown("below a file") {
            try scene.write(to: stage.folder.appendingPathComponent("s.wav").appendingPathComponent("a.glb"))
        }
        scene.remove()
        scene.remove()
        note("started after it was removed")
        scene.start()
        try? scene.start("i")
        try stage.render()
        note("again")
        let again = try stage.scene()
        again.start()
        try stage.render()
        stage.engine.stop()
        again.remove()
    },
    MisuseCase("timelines: times that are none, go back or never end; objects that are gone") {
        let stage = try SceneStage(), scene = try stage.scene()
        let timeline = try stage.timeline(
            #"""
            {"version": 1, "tracks": [{"target": "position", "node": "mouth", "interpolation": "smooth", "keys": [{"time": 0, "value": [0, 0, 0]}, {"time": 1, "value": [1e7, 0, 0]}]}],
             "actions": [{"time": 0, "action": "start", "instance": "i"}, {"time": 0.01, "action": "seek", "instance": "i", "to": 1e6},
              {"time": 0.02, "action": "stop", "instance": "i"}, {"time": 0.03, "action": "resume", "instance": "i"}]}
            """#, scene)
        try stage.engine.start()
        for time in Hostile.doubles + [0.005, 0.015, 0.025, 0.035, 0] {
            note("to \(time) s")
            try timeline.advance(to: time)
            try stage.render()
        }
        scene.remove()
        note("after its scene was removed")
        try timeline.advance(to: 1)
        try stage.render()
        for text in [
            "", "[]", #"{"version": 2}"#,
            #"{"version": 1, "tracks": [{"target": "position", "node": "x", "keys": []}]}"#,
        ] {
            try expectThrown("a timeline of \(text)") { _ = try stage.timeline(text, scene) }
        }
    },
]

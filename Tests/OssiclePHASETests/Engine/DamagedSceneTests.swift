import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// Damaged scenes and timelines in an engine: each is played or refused, and what is played is finite.
@Suite struct DamagedSceneTests {
    private static let scene = #"""
        {"asset": {"version": "2.0"},
         "nodes": [{"name": "wall", "mesh": 0, "scale": [1, 2, 1], "children": [1, 2]},
          {"name": "mouth", "translation": [0, 1, -2], "extensions": {"OSSICLE_audio": {"source": {"gain": 0.5}}}},
          {"name": "head", "rotation": [0, 0.6, 0, 0.8], "extensions": {"OSSICLE_audio": {"listener": {}}}}],
         "materials": [{"extensions": {"OSSICLE_audio": {"absorption": [0.1], "scattering": [0.5]}}}],
         "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
         "accessors": [{"bufferView": 0, "componentType": 5121, "count": 3, "type": "VEC3", "normalized": true},
          {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}],
         "bufferViews": [{"buffer": 0, "byteLength": 12, "byteStride": 4}, {"buffer": 0, "byteOffset": 12, "byteLength": 3}],
         "buffers": [{"byteLength": 15, "uri": "data:;base64,AAAAAP8AAAAA/wAAAAEC"}],
         "extensions": {"OSSICLE_audio": {"version": 1, "engine": {"seed": 7, "reverb": "mediumHall"},
          "sounds": [{"name": "s", "uri": "s.wav"}], "groups": [{"name": "g", "rate": 2}],
          "parameters": [{"name": "p", "type": "number", "value": 0.5, "minimum": 0, "maximum": 1, "global": true}],
          "mixers": [{"name": "m", "type": "spatial", "direct": {}, "late": {}, "distance": {"model": "geometric", "rolloff": 1}}],
          "events": [{"name": "e", "root": {"type": "random", "children": [{"weight": 2, "node":
            {"type": "sampler", "sound": "s", "mixer": "m", "group": "g", "gainParameter": "p"}}]}}],
          "instances": [{"name": "i", "event": "e", "source": "mouth", "start": 0}]}}}
        """#
    private static let timeline = #"""
        {"version": 1, "tracks": [{"target": "position", "node": "mouth", "interpolation": "smooth", "keys":
          [{"time": 0, "value": [0, 0, 0]}, {"time": 0.01, "value": [1, 0, 0]}, {"time": 3, "value": [3, 2, 0]}]},
          {"target": "parameter", "parameter": "p", "keys": [{"time": 0, "value": 0}, {"time": 8, "value": 1}]}],
         "actions": [{"time": 0.005, "action": "start", "instance": "i"}, {"time": 0.01, "action": "mute", "group": "g"}]}
        """#

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)")

    /// - Returns: whether it was played.
    private func play(_ scene: Data, _ timeline: Data) throws -> Bool {
        // No decoder has to be designed for a sound field.
        let stage = try Stage(updateMode: .manual, layout: kAudioChannelLayoutTag_HOA_ACN_SN3D | 4)
        guard let loaded = try? PHASEScene(data: scene, name: "a.gltf", folder: folder, engine: stage.engine) else {
            return false
        }
        let file = folder.appendingPathComponent("t.json")
        try timeline.write(to: file)
        guard let moves = try? PHASESceneTimeline(contentsOf: file, scene: loaded) else { return false }
        try stage.start()
        loaded.start()
        for step in 0..<3 {
            try? moves.advance(to: Double(step) * 512 / 48_000)
            stage.engine.update()
            for channel in try stage.render(512) { #expect(channel.allSatisfy { $0.isFinite }) }
        }
        loaded.remove()
        return true
    }

    /// One to three digits of a document replaced.
    private static func digits(of bytes: [UInt8], changed round: Int) -> [UInt8] {
        let places = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) },
            random = CounterRandom(seed: 18, object: UInt64(round))
        var changed = bytes
        for index in 0...UInt64(round % 3) {
            let place = places[min(Int(random.unit(2 * index) * Double(places.count)), places.count - 1)]
            changed[place] = 0x30 + UInt8(min(random.unit(2 * index + 1) * 10, 9))
        }
        return changed
    }

    @Test func `1,000 of them are played or refused`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        buffer.frameLength = 4800
        for (frame, sample) in Signal.noise(count: 4800).enumerated() { buffer.floatChannelData?[0][frame] = sample }
        try AVAudioFile(forWriting: folder.appendingPathComponent("s.wav"), settings: format.settings).write(
            from: buffer)
        let (scene, timeline) = (Array(Self.scene.utf8), Array(Self.timeline.utf8))
        #expect(try play(Data(scene), Data(timeline)))
        // Other digits leave a document that can be parsed; other bytes hardly.
        var mutator = Mutator(seed: 18), played = 0
        for round in 0..<250 {
            if try play(Data(mutator.mutate(scene, most: 1)), Data(timeline)) { played += 1 }
            if try play(Data(scene), Data(mutator.mutate(timeline, most: 1))) { played += 1 }
            if try play(Data(Self.digits(of: scene, changed: round)), Data(timeline)) { played += 1 }
            if try play(Data(scene), Data(Self.digits(of: timeline, changed: round))) { played += 1 }
        }
        #expect((20..<1000).contains(played), "\(played)")
    }
}

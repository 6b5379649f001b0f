import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssiclePHASE
import OssicleSwiftTesting
import OssicleTestSupport
import Testing

@Suite("Takes of scenes") struct SceneTakeTests {
    /// A scene of two tones, in channel mixers: “low” from the start, “high” from 0.5 s on.
    private static func scene(_ folder: TemporaryFolder, low: Double = 0, high: Double = 0) throws -> (URL, URL) {
        for (name, frequency) in [("low", 250.0), ("high", 2000)] {
            try Tones.sound(Tones.sine(frequency, seconds: 1.5, amplitude: 0.1))
                .write(to: URL(fileURLWithPath: folder.path(name + ".wav")))
        }
        func event(_ name: String, _ level: Double) -> String {
            #"{"name": "\#(name)", "root": {"type": "sampler", "sound": "\#(name).wav", "mixer": "m", "level": \#(level), "calibration": "relativeSPL"}}"#
        }
        let text = #"""
            {"asset": {"version": "2.0"}, "nodes": [
              {"name": "head", "extensions": {"OSSICLE_audio": {"listener": {}}}},
              {"name": "mouth", "translation": [0, 0, -1], "extensions": {"OSSICLE_audio": {"source": {}}}}],
             "extensions": {"OSSICLE_audio": {"version": 1, "engine": {"seed": 5},
               "sounds": [{"name": "low.wav", "uri": "low.wav"}, {"name": "high.wav", "uri": "high.wav"}],
               "mixers": [{"name": "m", "type": "channel", "layout": "mono"}],
               "events": [\#(event("low", low)), \#(event("high", high))],
               "instances": [{"name": "low", "event": "low", "source": "mouth"}, {"name": "high", "event": "high", "source": "mouth"}]}}}
            """#
        let actions = #"""
            {"version": 1, "duration": 1.5, "actions": [{"time": 0, "action": "start", "instance": "low"},
              {"time": 0.5, "action": "start", "instance": "high"}]}
            """#
        let (scene, timeline) = (
            folder.url.appendingPathComponent("s.gltf"), folder.url.appendingPathComponent("t.json")
        )
        try Data(text.utf8).write(to: scene)
        try Data(actions.utf8).write(to: timeline)
        return (scene, timeline)
    }

    @Test("3 dB less in one event of a scene file are found in that event, on its path, and not in the other")
    func attribution() throws {
        let folder = try TemporaryFolder()
        func take(high: Double) throws -> SceneTake {
            let (scene, timeline) = try Self.scene(folder, high: high)
            return try SceneTake(scene: scene, timeline: timeline, layout: "stereo")
        }
        let before = try take(high: 0)
        let (low, high) = (try #require(before.events["low"]?.stem), try #require(before.events["high"]?.stem))
        // The stems add up to the mix.
        for channel in 0..<2 {
            let sum = zip(low.channels[channel], high.channels[channel]).map { $0 + $1 }
            #expect(Measure.largestDifference(sum, before.sound.channels[channel]) < 1e-6)
        }
        expect(high, .silence(during: 0..<0.49), .pitch(2000, during: 0.6..<1.4))
        let golden = Golden("two tones", in: folder.url, records: false)
        #expect(Golden("two tones", in: folder.url, records: true).finding(for: before).holds)
        #expect(golden.finding(for: before).holds)
        let finding = golden.finding(for: try take(high: -3))
        #expect(!finding.holds)
        let line = try #require(finding.details.first)
        #expect(
            line.hasPrefix("event “high”: −3.0 dB throughout (direct −3.0 dB") && line.contains("because of"),
            "\(finding)")
        #expect(finding.details.contains { $0.hasPrefix("mix: −1.2 dB from 0.5 to 1.5 s") }, "\(finding)")
        #expect(!finding.details.contains { $0.hasPrefix("event “low”") })
        #expect(finding.details.last?.contains("event “low”") == true)
        for file in finding.files { try FileManager.default.removeItem(at: file) }
        #expect(throws: (any Error).self) {
            try SceneTake(scene: folder.url.appendingPathComponent("s.gltf"), layout: "6.2")
        }
        #expect(throws: (any Error).self) { try SceneTake(scene: folder.url.appendingPathComponent("none.gltf")) }
    }

    @Test("of a program's own scene the engine explains the events: the group that was turned down is named")
    func program() throws {
        func take(_ gain: Double) throws -> SceneTake {
            let engine = PHASEEngine(updateMode: .manual)
            let listener = PHASEListener(engine: engine), source = PHASESource(engine: engine)
            source.transform.columns.3.z = -2
            try engine.rootObject.addChild(listener)
            try engine.rootObject.addChild(source)
            let group = PHASEGroup(identifier: "effects")
            group.register(engine: engine)
            group.gain = gain
            let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
            let data = Tones.sine(500, seconds: 1, amplitude: 0.5).withUnsafeBytes { Data($0) }
            try engine.assetRegistry.registerSoundAsset(
                data: data, identifier: "tone", format: format, normalizationMode: .none)
            let pipeline = try #require(PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]))
            let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline)
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "tone", mixerDefinition: mixer)
            sampler.playbackMode = .looping
            sampler.group = group
            try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "humming")
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
            var event: PHASESoundEvent?
            return try SceneTake(of: engine, seconds: 1.5) { time in
                guard event == nil, time >= 0.5 else { return }
                event = try PHASESoundEvent(engine: engine, assetIdentifier: "humming", mixerParameters: parameters)
                event?.start()
            } events: {
                event.map { ["hum": $0] } ?? [:]
            }
        }
        let folder = try TemporaryFolder(), before = try take(1)
        let trace = try #require(before.events["hum"])
        let direct = try #require(trace.paths["direct"])
        #expect(direct.prefix(2).allSatisfy { $0 == nil } && direct.suffix(3).allSatisfy { $0 != nil })
        #expect(trace.paths["late"] != nil && trace.stem == nil)
        #expect(Golden("hum", in: folder.url, records: true).finding(for: before).holds)
        let finding = Golden("hum", in: folder.url, records: false).finding(for: try take(pow(10, -3 / 20)))
        let line = try #require(finding.details.first)
        #expect(line.hasPrefix("event “hum”: −3.0 dB throughout (direct −3.0 dB, late −3.0 dB)"), "\(finding)")
        #expect(line.contains("because of group “effects” −3.0 dB"), "\(finding)")
        for file in finding.files { try FileManager.default.removeItem(at: file) }
    }
}

import Foundation
import OssicleTestSupport
import PHASE
import Testing

@Suite struct AssetTests {
    private func file(_ channels: [[Float]], rate: Double, flac: Bool) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-\(UUID().uuidString).\(flac ? "flac" : "wav")")
        let format = try TestFailure.unwrap(
            AVAudioFormat(standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels.count)))
        let count = channels[0].count
        let buffer = try TestFailure.unwrap(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)))
        buffer.frameLength = AVAudioFrameCount(count)
        for (channel, samples) in channels.enumerated() {
            for (index, sample) in samples.enumerated() { buffer.floatChannelData?[channel][index] = sample }
        }
        var settings = format.settings
        if flac {
            settings = [
                AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels.count,
                AVEncoderBitDepthHintKey: 24,
            ]
        }
        let file = try AVAudioFile(
            forWriting: url, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
        try file.write(from: buffer)
        file.close()
        return url
    }

    private func play(
        _ url: URL, _ type: PHASEAsset.AssetType, loops: Bool, frames: Int, channels: Int, unregister: Bool = false
    ) throws -> [[Float]] {
        let stage = try Stage()
        try stage.engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "file", assetType: type, channelLayout: nil, normalizationMode: .none)
        let event = try stage.registerEvent(
            "file",
            into: stage.channelMixer(channels == 2 ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_Mono),
            loops: loops)
        try stage.start()
        try stage.event(event).start(completion: nil)
        guard unregister else { return try stage.render(frames, call: 1000) }
        let start = try stage.render(frames / 2, call: 1000)
        stage.engine.assetRegistry.unregisterAsset(identifier: "file")
        stage.engine.assetRegistry.unregisterAsset(identifier: event)
        let rest = try stage.render(frames - frames / 2, call: 1000)
        return zip(start, rest).map { $0 + $1 }
    }

    @Test(arguments: [false, true], [44_100.0, 48_000])
    func `resident and streamed files give the same samples`(flac: Bool, rate: Double) throws {
        // Four seconds are more than a stream keeps in memory.
        let sound = [
            Signal.noise(count: Int(rate) * 4, seed: 1, amplitude: 0.5),
            Signal.noise(count: Int(rate) * 4, seed: 2, amplitude: 0.5),
        ]
        let url = try file(sound, rate: rate, flac: flac)
        defer { try? FileManager.default.removeItem(at: url) }
        for loops in [false, true] {
            let resident = try play(url, .resident, loops: loops, frames: 400_000, channels: 2)
            let streamed = try play(url, .streamed, loops: loops, frames: 400_000, channels: 2)
            #expect(resident == streamed)
            #expect(rms(resident[0][100_000..<190_000]) > 0.2)
            #expect((rms(resident[0][300_000...]) > 0.2) == loops)
        }
    }

    @Test func `a short streamed loop goes round without a seam`() throws {
        let sound = Signal.noise(count: 777, seed: 3, amplitude: 0.5)
        let url = try file([sound], rate: 48_000, flac: false)
        defer { try? FileManager.default.removeItem(at: url) }
        let out = try play(url, .streamed, loops: true, frames: 200_000, channels: 1)[0]
        let expected: [Float] = (0..<200_000).map { frame in sound[frame % 777] }
        #expect(out == expected)
    }

    @Test(arguments: [PHASEAsset.AssetType.resident, .streamed])
    func `what is unregistered while it plays plays on`(type: PHASEAsset.AssetType) throws {
        let sound = Signal.noise(count: 200_000, seed: 4, amplitude: 0.5)
        let url = try file([sound], rate: 48_000, flac: false)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try play(url, type, loops: false, frames: 200_000, channels: 1, unregister: true)[0] == sound)
    }

    @Test func `a streamed file that is gone when it is to play is a failure, and recorded`() throws {
        let url = try file([Signal.noise(count: 4800)], rate: 48_000, flac: false)
        let stage = try Stage()
        try stage.engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "file", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
        let event = try stage.event(stage.registerEvent("file", into: stage.channelMixer()))
        try FileManager.default.removeItem(at: url)
        try stage.start()
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        event.start { heard.note($0) }
        let out = try stage.render(2000)[0]
        heard.wait()
        #expect(out.allSatisfy { $0 == 0 })
        #expect(heard.values == [.failure])
        #expect(stage.engine.lastError?.localizedDescription.contains("file") == true)
    }

    // MARK: Data

    private func playData(_ data: Data, _ format: AVAudioFormat, frames: Int) throws -> [[Float]] {
        let stage = try Stage()
        try stage.engine.assetRegistry.registerSoundAsset(
            data: data, identifier: "data", format: format, normalizationMode: .none)
        let event = try stage.registerEvent("data", into: stage.channelMixer(kAudioChannelLayoutTag_Stereo))
        try stage.start()
        try stage.event(event).start(completion: nil)
        return try stage.render(frames)
    }

    @Test func `interleaved, planar and integer data are the same sound`() throws {
        let steps: [[Int16]] = (0..<2).map { channel in
            (0..<1000).map { frame -> Int16 in Int16(truncatingIfNeeded: frame * 37 + channel * 501 - 9000) }
        }
        func floats(_ values: [[Int16]], _ factor: Float) -> [[Float]] {
            values.map { channel in channel.map { Float($0) * factor } }
        }
        let sound = floats(steps, 0.5 / 32_768)
        func bytes<Value>(_ values: [Value]) -> Data { values.withUnsafeBytes { Data($0) } }
        func interleaved<Value>(_ values: [[Value]]) -> [Value] {
            (0..<1000).flatMap { frame in values.map { $0[frame] } }
        }
        func format(_ common: AVAudioCommonFormat, _ isInterleaved: Bool) throws -> AVAudioFormat {
            try TestFailure.unwrap(
                AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 2, interleaved: isInterleaved))
        }
        #expect(
            try playData(bytes(sound[0]) + bytes(sound[1]), format(.pcmFormatFloat32, false), frames: 1000) == sound)
        #expect(try playData(bytes(interleaved(sound)), format(.pcmFormatFloat32, true), frames: 1000) == sound)
        let expected = floats(steps, 1 / 32_768)
        #expect(try playData(bytes(interleaved(steps)), format(.pcmFormatInt16, true), frames: 1000) == expected)
        #expect(
            try playData(bytes(steps[0]) + bytes(steps[1]), format(.pcmFormatInt16, false), frames: 1000) == expected)
    }

    @Test func `a layout that does not fit is a typed error`() throws {
        let stage = try Stage()
        let url = try file([Signal.noise(count: 100), Signal.noise(count: 100)], rate: 48_000, flac: false)
        defer { try? FileManager.default.removeItem(at: url) }
        let surround = try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect {
            try stage.engine.assetRegistry.registerSoundAsset(
                url: url, identifier: "x", assetType: .resident, channelLayout: surround, normalizationMode: .none)
        } throws: { ($0 as? PHASEAssetError)?.code == .badParameters }
        try stage.engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "x", assetType: .resident, channelLayout: nil, normalizationMode: .none)
        try stage.registerEvent("x", into: stage.channelMixer(kAudioChannelLayoutTag_Mono))
        #expect { try stage.event("x event") } throws: { ($0 as? PHASESoundEventError)?.code == .badData }
    }

    @Test func `double precision and 32-bit integers are the same sound too`() throws {
        let sound = [
            Signal.noise(count: 500, seed: 1, amplitude: 0.5), Signal.noise(count: 500, seed: 2, amplitude: 0.5),
        ]
        func bytes<Value>(_ values: [[Value]], _ isInterleaved: Bool) -> Data {
            let all = isInterleaved ? (0..<500).flatMap { frame in values.map { $0[frame] } } : values.flatMap { $0 }
            return all.withUnsafeBytes { Data($0) }
        }
        for isInterleaved in [false, true] {
            func format(_ common: AVAudioCommonFormat) throws -> AVAudioFormat {
                try TestFailure.unwrap(
                    AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 2, interleaved: isInterleaved))
            }
            #expect(
                try playData(
                    bytes(sound.map { $0.map(Double.init) }, isInterleaved), format(.pcmFormatFloat64), frames: 500)
                    == sound)
            let integers = sound.map { $0.map { Int32(($0 * 8_388_608).rounded()) * 256 } }
            let expected = integers.map { $0.map { Float($0) / 2_147_483_648 } }
            #expect(try playData(bytes(integers, isInterleaved), format(.pcmFormatInt32), frames: 500) == expected)
        }
    }

    // MARK: Layouts

    @Test(arguments: [
        kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
        kAudioChannelLayoutTag_MPEG_5_1_A,
        kAudioChannelLayoutTag_MPEG_5_1_B, kAudioChannelLayoutTag_MPEG_7_1_A, kAudioChannelLayoutTag_Atmos_5_1_2,
        kAudioChannelLayoutTag_Atmos_7_1_4,
    ])
    func `every layout keeps its channels apart`(tag: AudioChannelLayoutTag) throws {
        let count = Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        let sound = (0..<count).map { Signal.noise(count: 300, seed: UInt64($0), amplitude: 0.1) }
        let stage = try Stage(layout: tag, mode: .alwaysUseChannelBased)
        try stage.register("sound", sound, layout: tag)
        let event = try stage.event(stage.registerEvent("sound", into: stage.channelMixer(tag)))
        try stage.start()
        event.start(completion: nil)
        #expect(try stage.render(300) == sound)
    }

    @Test(arguments: [
        kAudioChannelLayoutTag_HOA_ACN_SN3D | 4, kAudioChannelLayoutTag_HOA_ACN_SN3D | 16,
        kAudioChannelLayoutTag_HOA_ACN_N3D | 9,
    ])
    func `ambisonics are registered with their layout`(tag: AudioChannelLayoutTag) throws {
        let stage = try Stage()
        try stage.register(
            "sound", (0..<Int(tag & 0xFFFF)).map { Signal.noise(count: 100, seed: UInt64($0)) }, layout: tag)
        try stage.registerEvent("sound", into: stage.channelMixer(tag))
        _ = try stage.event("sound event")
        stage.engine.assetRegistry.unregisterAsset(identifier: "sound event")
        try stage.registerEvent("sound", into: stage.channelMixer(kAudioChannelLayoutTag_Quadraphonic))
        if tag & 0xFFFF != 4 {
            #expect { try stage.event("sound event") } throws: { ($0 as? PHASESoundEventError)?.code == .badData }
        }
    }

    @Test(arguments: [PHASEAsset.AssetType.resident, .streamed])
    func `four channels without a layout need one`(type: PHASEAsset.AssetType) throws {
        let url = try waveFile((0..<4).map { steps(400, seed: UInt64($0)) })
        defer { try? FileManager.default.removeItem(at: url) }
        let registry = try Stage().engine.assetRegistry
        #expect {
            try registry.registerSoundAsset(
                url: url, identifier: "x", assetType: type, channelLayout: nil, normalizationMode: .none)
        } throws: { ($0 as? PHASEAssetError)?.code == .badParameters && "\($0)".contains("layout") }
        let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic)
        let asset = try registry.registerSoundAsset(
            url: url, identifier: "x", assetType: type, channelLayout: layout, normalizationMode: .none)
        #expect(
            registry.asset(forIdentifier: "x") === asset && asset.type == type && asset.url == url && asset.data == nil)
    }

    // MARK: Names and lives

    @Test func `a name is taken once, by any kind of asset, and free as soon as it is given up`() throws {
        let stage = try Stage()
        let registry = stage.engine.assetRegistry
        func isTaken(_ register: () throws -> Void) -> Bool {
            do { try register() } catch { return (error as? PHASEAssetError)?.code == .alreadyExists }
            return false
        }
        try stage.register("name", [[1]])
        #expect(isTaken { try stage.register("name", [[1]]) })
        #expect(
            isTaken {
                try registry.registerGlobalMetaParameter(
                    metaParameterDefinition: PHASENumberMetaParameterDefinition(value: 1, identifier: "name"))
            })
        let node = PHASESamplerNodeDefinition(soundAssetIdentifier: "name", mixerDefinition: try stage.channelMixer())
        #expect(isTaken { try registry.registerSoundEventAsset(rootNode: node, identifier: "name") })
        registry.unregisterAsset(identifier: "name")
        #expect(registry.asset(forIdentifier: "name") == nil)
        try stage.register("name", [[1]])
        #expect(registry.asset(forIdentifier: "name") is PHASESoundAsset)
    }

    @Test(arguments: ["sound", "sound event", "parameter"])
    func `who gives up an asset hears of it when nothing plays it any more`(name: String) throws {
        for way in ["played to its end", "stopped", "engine stopped"] {
            let stage = try Stage()
            let registry = stage.engine.assetRegistry
            try stage.register("sound", [[Float](repeating: 0.5, count: 5000)])
            let parameter = PHASENumberMetaParameterDefinition(value: 1, identifier: "parameter")
            try registry.registerGlobalMetaParameter(metaParameterDefinition: parameter)
            try stage.registerEvent("sound", into: stage.channelMixer()) { $0.gainMetaParameterDefinition = parameter }
            try stage.start()
            let event = try stage.event("sound event")
            event.start(completion: nil)
            var out = try stage.render(1024)[0]
            let heard = Heard<Bool>()
            registry.unregisterAsset(identifier: name) { heard.note($0) }
            registry.unregisterAsset(identifier: name) { heard.note($0) }
            heard.wait()
            #expect(heard.values == [false] && registry.asset(forIdentifier: name) == nil)
            if name == "sound" { try stage.register("sound", [[Float](repeating: -0.5, count: 100)]) }
            out += try stage.render(2048)[0]
            #expect(heard.values == [false] && out.allSatisfy { $0 == 0.5 })
            switch way {
            case "stopped": event.stopAndInvalidate()
            case "engine stopped": stage.engine.stop()
            default: _ = try stage.render(2048)
            }
            heard.wait(for: 2)
            #expect(heard.values == [false, true], "\(way)")
        }
    }

    @Test func `what nobody plays is given up at once`() async throws {
        let stage = try Stage()
        try stage.register("sound", [[0.5]])
        let event = try stage.event(stage.registerEvent("sound", into: stage.channelMixer()))
        #expect(await stage.engine.assetRegistry.unregisterAsset(identifier: "sound"))
        #expect(await !stage.engine.assetRegistry.unregisterAsset(identifier: "sound"))
        try stage.start()
        event.start(completion: nil)
        #expect(try stage.render(1)[0] == [0.5])
    }

    @Test func `a shared meta-parameter moves every event that names it`() throws {
        let stage = try Stage()
        let definition = PHASENumberMetaParameterDefinition(value: 0.5, identifier: "shared")
        let asset = try stage.engine.assetRegistry.registerGlobalMetaParameter(metaParameterDefinition: definition)
        try stage.register("sound", [[Float](repeating: 0.25, count: 100)])
        let mixer = try stage.channelMixer()
        try stage.registerEvent("sound", into: mixer, loops: true) { $0.gainMetaParameterDefinition = definition }
        let events = [try stage.event("sound event"), try stage.event("sound event")]
        let shared = try TestFailure.unwrap(stage.engine.assetRegistry.globalMetaParameters["shared"])
        #expect(asset.identifier == "shared" && events.allSatisfy { $0.metaParameters["shared"] === shared })
        try stage.start()
        for event in events { event.start(completion: nil) }
        #expect(try stage.render(1000)[0].last == 0.25)
        shared.value = 1.0
        #expect(try stage.render(2000)[0].last == 0.5)
    }

    @Test func `samples of an asset that are no numbers are recorded once and played as 0`() throws {
        let stage = try Stage()
        try stage.register("broken", [[0.5, .nan, 0.25, .infinity]])
        #expect(
            stage.engine.recordedErrors.count == 1
                && "\(stage.engine.recordedErrors)".contains("“broken” holds 2 samples"))
        try stage.registerEvent("broken", into: try stage.channelMixer())
        try stage.start()
        try stage.event("broken event").start(completion: nil)
        #expect(try stage.render(512)[0].prefix(4) == [0.5, 0, 0.25, 0])
        #expect(stage.engine.recordedErrors.count == 1)
    }
}

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssiclePHASE
import OssicleTestSupport
import Testing

@Suite("Recorded commands, replayed") struct CommandReplayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.url.appendingPathComponent("commands.txt") }

    /// A minute with OSSICLE_REPLAY_SECONDS=60.
    private static let seconds = ProcessInfo.processInfo.environment["OSSICLE_REPLAY_SECONDS"].flatMap(Double.init) ?? 3

    /// What a replay renders, by channel.
    private func sound(of render: ((AVAudioPCMBuffer) throws -> Void) throws -> Void) throws -> [[Float]] {
        var channels: [[Float]] = [[], []]
        try render { piece in
            for channel in 0..<2 {
                channels[channel] += UnsafeBufferPointer(
                    start: piece.floatChannelData?[channel], count: Int(piece.frameLength))
            }
        }
        return channels
    }

    private func expectSame(_ replayed: [[Float]], _ recorded: [[Float]]) {
        #expect(recorded.contains { Measure.level($0) > -60 })
        #expect(replayed[0].count == recorded[0].count)
        for channel in 0..<2 {
            let first = zip(replayed[channel], recorded[channel]).enumerated().first {
                $1.0.bitPattern != $1.1.bitPattern
            }
            #expect(first == nil, "channel \(channel) differs from frame \(first?.offset ?? -1) on")
        }
    }

    @Test(
        "seconds of random edits of a PHASE scene give the same bytes",
        arguments: [(PHASEEngine.UpdateMode.manual, false), (.automatic, false), (.manual, true)])
    func scenes(updateMode: PHASEEngine.UpdateMode, usesGeometry: Bool) throws {
        let scene = try RandomScene(updateMode: updateMode, usesGeometry: usesGeometry, recording: file)
        try scene.run(seconds: usesGeometry ? min(Self.seconds, 2) : Self.seconds)
        try scene.engine.stopRecordingCommands()
        let replay = try PHASECommandReplay(contentsOf: file)
        #expect(replay.isComplete && replay.gaps.isEmpty)
        expectSame(try sound { try replay.render($0) }, scene.channels)
    }

    @Test("an effect of an event that was let go is inserted again")
    func effectsOfEventsThatAreGone() throws {
        let engine = PHASEEngine(updateMode: .manual)
        try engine.startRecordingCommands(to: file)
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 1024))
        let noise = Signal.noise(count: 96_000, seed: 4, amplitude: 0.2).withUnsafeBytes { Data($0) }
        try engine.assetRegistry.registerSoundAsset(
            data: noise, identifier: "noise", format: stereo, normalizationMode: .none)
        let mixer = PHASEChannelMixerDefinition(
            channelLayout: try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)),
            identifier: "mixer")
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 1024)
        try engine.start()
        let effect = AVAudioUnitDistortion()
        effect.loadFactoryPreset(.drumsLoFi)
        weak var gone: PHASESoundEvent?
        do {
            let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
            event.mixers["mixer"]?.insertEffects = [effect]
            gone = event
        }
        #expect(gone == nil)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        event.start()
        event.mixers["mixer"]?.insertEffects = [effect]
        #expect(event.mixers["mixer"]?.insertEffects == [effect])
        var recorded: [[Float]] = [[], []]
        for _ in 0..<20 {
            engine.update()
            try engine.renderOffline(1024, to: buffer)
            for channel in 0..<2 {
                recorded[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: 1024)
            }
        }
        try engine.stopRecordingCommands()
        let replay = try PHASECommandReplay(contentsOf: file)
        expectSame(try sound { try replay.render($0) }, recorded)
    }

    @Test("seconds of random edits of an AVAudioEngine give the same bytes")
    func graphs() throws {
        let graph = try RandomGraph(recording: file, folder: folder.url)
        try graph.run(seconds: Self.seconds)
        try graph.engine.stopRecordingCommands()
        let replay = try AVAudioCommandReplay(contentsOf: file)
        #expect(replay.isComplete && replay.gaps.isEmpty)
        expectSame(try sound { try replay.render($0) }, graph.channels)
    }

    @Test("a program that crashed leaves a recording that is replayed as far as it goes")
    func cutOff() throws {
        let graph = try RandomGraph(recording: file, folder: folder.url)
        try graph.run(seconds: 0.5)
        let bytes = try Data(contentsOf: file)
        let cut = folder.url.appendingPathComponent("cut.txt")
        try bytes.dropLast(10).write(to: cut)
        let replay = try AVAudioCommandReplay(contentsOf: cut)
        #expect(!replay.isComplete)
        let replayed = try sound { try replay.render($0) }
        #expect(!replayed[0].isEmpty && replayed[0] == Array(graph.channels[0].prefix(replayed[0].count)))
        try graph.engine.stopRecordingCommands()
    }

    @Test("what is no recording, of the other engine, or begun too late is a typed error that says what to do")
    func errors() throws {
        func message(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        let nowhere = URL(fileURLWithPath: "/nowhere/commands.txt")
        #expect(message { _ = try PHASECommandReplay(contentsOf: nowhere) }.contains("cannot be read"))
        let engine = PHASEEngine(updateMode: .manual)
        #expect(message { try engine.startRecordingCommands(to: nowhere) }.contains("cannot be created"))
        #expect(!engine.isRecordingCommands)
        try engine.startRecordingCommands(to: file)
        #expect(engine.isRecordingCommands)
        #expect(message { try engine.startRecordingCommands(to: file) }.contains("stopRecordingCommands"))
        try engine.stopRecordingCommands()
        try engine.stopRecordingCommands()
        #expect(message { _ = try AVAudioCommandReplay(contentsOf: file) }.contains("its commands are those of phase"))
        #expect(message { _ = try PHASECommandReplay(contentsOf: file) }.contains("never started"))
        let listener = PHASEListener(engine: engine)
        #expect(message { try engine.startRecordingCommands(to: file) }.contains("right after the engine is made"))
        withExtendedLifetime(listener) {}
        let graph = AVAudioEngine()
        _ = graph.mainMixerNode
        #expect(message { try graph.startRecordingCommands(to: file) }.contains("right after the engine is made"))
        try Data("hello\n".utf8).write(to: file)
        #expect(message { _ = try PHASECommandReplay(contentsOf: file) }.contains("not that of a recording"))
    }

    @Test("a full disk is a typed error, and the engine plays on")
    func fullDisk() throws {
        // A device that is always full, not a file of that name.
        let attributes = try? FileManager.default.attributesOfItem(atPath: "/dev/full")
        guard attributes?[.type] as? FileAttributeType == .typeCharacterSpecial else { return }
        let engine = PHASEEngine(updateMode: .manual)
        do {
            try engine.startRecordingCommands(to: URL(fileURLWithPath: "/dev/full"))
            Issue.record("a full disk was written to")
        } catch {
            #expect("\(error)".contains("could not be written") && "\(error)".contains("Make room"))
        }
        engine.randomSeed = 5
        #expect(engine.randomSeed == 5)
    }

    @Test("the client's source nodes and live input are in the file, and their sound is the same bytes")
    func captured() throws {
        let engine = AVAudioEngine()
        try engine.startRecordingCommands(to: file)
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let noise = Signal.noise(count: 48_000, seed: 8, amplitude: 0.2)
        nonisolated(unsafe) var place = 0
        let source = AVAudioSourceNode(format: mono) { _, _, count, list in
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(count) { samples?[frame] = noise[(place + frame) % 48_000] }
            place += Int(count)
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: mono)
        source.pan = -0.3
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 1024)
        let live = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 1024))
        nonisolated(unsafe) var livePlace = 0
        #expect(
            engine.inputNode.setManualRenderingInputPCMFormat(mono) { count in
                live.frameLength = count
                for frame in 0..<Int(count) {
                    live.floatChannelData?[0][frame] = Float(sin(0.05 * Double(livePlace + frame))) * 0.1
                }
                livePlace += Int(count)
                return live.audioBufferList
            })
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: mono)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 1024))
        var recorded: [[Float]] = [[], []]
        for step in 0..<40 {
            if step == 20 { source.volume = 0.4 }
            let count = 300 + 17 * step
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            for channel in 0..<2 {
                recorded[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
        }
        try engine.stopRecordingCommands()
        let replay = try AVAudioCommandReplay(contentsOf: file)
        #expect(replay.isComplete && replay.gaps.isEmpty)
        expectSame(try sound { try replay.render($0) }, recorded)
    }

    @Test("calls of several threads during rendering give a whole recording, whose replays are alike")
    func threads() throws {
        let scene = try RandomScene(updateMode: .automatic, usesGeometry: false, recording: file)
        try scene.run(seconds: 0.2)
        let edits = DispatchGroup()
        for thread in 0..<3 {
            DispatchQueue.global().async(group: edits) {
                for step in 0..<300 { scene.move(thread, to: Float(step % 7) - 3) }
            }
        }
        try scene.run(seconds: 0.5)
        edits.wait()
        try scene.engine.stopRecordingCommands()
        let replays = try (0..<2).map { _ in
            let replay = try PHASECommandReplay(contentsOf: file)
            #expect(replay.isComplete)
            return try sound { try replay.render($0) }
        }
        #expect(replays[0] == replays[1] && replays[0][0].count == scene.channels[0].count)
    }

    @Test("500 spoilt recordings are errors or recordings, and never a trap")
    func spoilt() throws {
        let graph = try RandomGraph(recording: file, folder: folder.url)
        try graph.run(seconds: 0.2)
        try graph.engine.stopRecordingCommands()
        let bytes = [UInt8](try Data(contentsOf: file)), spoilt = folder.url.appendingPathComponent("spoilt.txt")
        var mutator = Mutator(seed: 9), refused = 0
        for _ in 0..<500 {
            try Data(mutator.mutate(bytes)).write(to: spoilt)
            do { _ = try AVAudioCommandReplay(contentsOf: spoilt) } catch { refused += 1 }
        }
        // What is spoilt behind the last line break but one is cut off.
        #expect(refused > 400)
    }
}

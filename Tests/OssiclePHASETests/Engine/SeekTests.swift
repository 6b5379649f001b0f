import Foundation
import OssicleTestSupport
import OssicleSpatial
import PHASE
import Testing

@testable import OssiclePHASE

@Suite struct SeekTests {
    private static let length = 48_000
    private typealias Reason = PHASESoundEvent.SeekHandlerReason

    private func stage(
        _ mode: PHASEEngine.UpdateMode = .automatic, frames: Int = SeekTests.length, loops: Bool = false
    ) throws -> Stage {
        let stage = try Stage(updateMode: mode)
        try stage.register("steps", [(0..<frames).map(Self.sample)])
        try stage.registerEvent("steps", into: stage.channelMixer(), loops: loops)
        try stage.start()
        return stage
    }

    private static func sample(_ frame: Int) -> Float { Float(frame + 1) / 65_536 }
    private func place(_ sample: Float) -> Int { Int((sample * 65_536).rounded()) - 1 }
    private func time(_ frame: Int64) -> AVAudioTime { AVAudioTime(sampleTime: frame, atRate: 48_000) }
    private func steepest(_ out: [Float]) -> Float { zip(out, out.dropFirst()).map { abs($0 - $1) }.max() ?? 1 }

    @Test(arguments: [77, 512, 4096])
    func `a seek fades out over a quantum and is at its place behind it`(call: Int) throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        var out = try stage.render(1000, call: call)[0]
        event.seek(to: 0.5, completion: nil)
        out += try stage.render(3000, call: call)[0]
        #expect(place(out[999]) == 999 && out[1064] == Self.sample(1064) * 0.5)
        #expect(
            out[1128 + 64] == Self.sample(24_064) * 0.5 && place(out[1256]) == 24_128
                && place(out[3999]) == 24_000 + 2871)
        #expect(steepest(out) < 0.01)
    }

    @Test(arguments: [77, 512, 4096])
    func `seek(to:resumeAt:) goes on exactly there`(call: Int) throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        var out = try stage.render(1000, call: call)[0]
        event.seek(to: 0.25, resumeAt: time(3001), completion: nil)
        out += try stage.render(4000, call: call)[0]
        #expect(
            out[1128...3001].allSatisfy { $0 == 0 } && out[3001 + 64] == Self.sample(12_064) * 0.5
                && place(out[3001 + 128]) == 12_128)
    }

    @Test func `seek times are divided by unitsPerSecond`() throws {
        let stage = try stage()
        stage.engine.unitsPerSecond = 1000
        let event = try stage.event("steps event")
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.seek(to: 500, completion: nil)
        #expect(place(try stage.render(1000)[0][500]) == 24_000 + 372)
    }

    @Test func `a seek is under way until its frame has been rendered, and a second one meanwhile fails`() throws {
        let stage = try stage(.manual)
        let event = try stage.event("steps event")
        event.start(completion: nil)
        stage.engine.update()
        _ = try stage.render(1000)
        let (first, second, third) = (Heard<Reason>(), Heard<Reason>(), Heard<Reason>())
        event.seek(to: 0.25, resumeAt: time(3000)) { first.note($0) }
        event.seek(to: 0.5) { second.note($0) }
        stage.engine.update()
        #expect(first.values.isEmpty && second.values == [.failureSeekAlreadyInProgress])
        _ = try stage.render(2000)
        stage.engine.update()
        #expect(first.values.isEmpty)
        _ = try stage.render(1)
        stage.engine.update()
        #expect(first.values == [.seekSuccessful])
        event.seek(to: 0.5) { third.note($0) }
        stage.engine.update()
        _ = try stage.render(1000)
        stage.engine.update()
        stage.engine.update()
        #expect(
            (first.values, second.values, third.values) == (
                [.seekSuccessful], [.failureSeekAlreadyInProgress], [.seekSuccessful]
            ))
    }

    @Test func `before the start it is remembered as the place to start from`() throws {
        let stage = try stage(.manual)
        let heard = Heard<Reason>()
        let event = try stage.event("steps event")
        event.seek(to: 0.1) { heard.note($0) }
        event.seek(to: 0.25) { heard.note($0) }
        stage.engine.update()
        #expect(heard.values == [.seekSuccessful, .seekSuccessful] && event.renderingState == .stopped)
        event.start(completion: nil)
        stage.engine.update()
        let out = try stage.render(1000)[0]
        #expect(out[64] == Self.sample(12_064) * 0.5 && place(out[500]) == 12_500)
    }

    @Test func `together with the start it begins there, and one that waits for its time does too`() throws {
        let stage = try stage()
        let (together, waiting) = (try stage.event("steps event"), try stage.event("steps event"))
        together.start(completion: nil)
        together.seek(to: 0.5, completion: nil)
        let begun = try stage.render(1000)[0]
        #expect(place(begun[500]) == 24_500)
        together.stopAndInvalidate()
        waiting.start(at: time(3000), completion: nil)
        _ = try stage.render(1000)
        waiting.seek(to: 0.75, completion: nil)
        let out = try stage.render(2000)[0]
        #expect(out[200...1000].allSatisfy { $0 == 0 } && place(out[1500]) == 36_500)
    }

    @Test(arguments: [-1, .nan, .infinity, -.infinity, -1e-300])
    func `a time that is no place fails and is recorded`(time: Double) throws {
        let stage = try stage(.manual)
        let heard = Heard<Reason>()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        stage.engine.update()
        _ = try stage.render(500)
        event.seek(to: time) { heard.note($0) }
        stage.engine.update()
        #expect(heard.values == [.failure] && stage.engine.lastError is PHASESoundEventError)
        #expect(place(try stage.render(500)[0][400]) == 900)
    }

    @Test func `what is over cannot be sought, and what ends or is stopped meanwhile has failed`() throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        let (pending, late) = (Heard<Reason>(), Heard<Reason>())
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.seek(to: 0.5, resumeAt: time(90_000)) { pending.note($0) }
        _ = try stage.render(1000)
        event.stopAndInvalidate()
        event.seek(to: 0.5) { late.note($0) }
        pending.wait()
        late.wait()
        #expect(pending.values == [.failure] && late.values == [.failure])
    }

    @Test(arguments: [0.999_99, 1.0, 5, 1e300])
    func `beyond the end a one-shot finishes, and the seek has succeeded`(seconds: Double) throws {
        let stage = try stage()
        let (sought, ended) = (Heard<Reason>(), Heard<PHASESoundEvent.StartHandlerReason>())
        let event = try stage.event("steps event")
        event.start { ended.note($0) }
        _ = try stage.render(1000)
        event.seek(to: seconds) { sought.note($0) }
        let out = try stage.render(1000)[0]
        sought.wait()
        ended.wait()
        #expect(
            out[130...].allSatisfy { $0 == 0 } && sought.values == [.seekSuccessful]
                && ended.values == [.finishedPlaying])
    }

    @Test func `loops count on beyond their end`() throws {
        let stage = try stage(frames: 4800, loops: true)
        let event = try stage.event("steps event")
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.seek(to: 1.05, completion: nil)
        #expect(place(try stage.render(1000)[0][128 + 500]) == 2400 + 500)
    }

    @Test func `a paused event stays paused at the new place`() throws {
        let stage = try stage()
        let heard = Heard<Reason>()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.pause()
        _ = try stage.render(1000)
        event.seek(to: 0.5) { heard.note($0) }
        let silence = try stage.render(1000)[0]
        heard.wait()
        #expect(silence.allSatisfy { $0 == 0 } && event.renderingState == .paused && heard.values == [.seekSuccessful])
        event.resume()
        #expect(place(try stage.render(1000)[0][500]) == 24_500)
    }

    @Test func `all sounds that play move, those that have finished do not`() throws {
        let stage = try stage()
        try stage.register("short", [[Float](repeating: 0.5, count: 700)])
        let (container, mixer) = (PHASEContainerNodeDefinition(), try stage.channelMixer())
        for sound in ["steps", "steps", "short"] {
            container.addSubtree(PHASESamplerNodeDefinition(soundAssetIdentifier: sound, mixerDefinition: mixer))
        }
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: container, identifier: "tree")
        let event = try stage.event("tree")
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.seek(to: 0.01, completion: nil)
        let out = try stage.render(1000)[0]
        #expect(out[500] == 2 * Self.sample(480 + 372))
    }

    @Test func `a streamed sound goes on from the file's frame, without a click`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("seek-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        let frames = 250_000
        // A slow triangle: steep steps can only come from a seam.
        let wave = (0..<frames).map { frame in abs(Float(frame % 20_000) - 10_000) / 20_000 }
        try write(wave, to: url)
        for loops in [false, true] {
            let stage = try Stage()
            try stage.engine.assetRegistry.registerSoundAsset(
                url: url, identifier: "file", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
            try stage.registerEvent("file", into: stage.channelMixer(), loops: loops)
            try stage.start()
            let event = try stage.event("file event")
            event.start(completion: nil)
            var out = try stage.render(5000)[0]
            event.seek(to: 200_000 / 48_000.0 + (loops ? Double(frames) / 48_000 : 0), completion: nil)
            out += try stage.render(5000)[0]
            event.seek(to: 100 / 48_000.0, completion: nil)
            out += try stage.render(5000)[0]
            #expect(out[4999] == wave[4999] && out[5128 + 128] == wave[200_128] && out[9999] == wave[200_000 + 4871])
            #expect(out[10_128 + 128] == wave[228] && steepest(out) < 0.01)
            #expect(stage.engine.lastError == nil)
        }
    }

    private func write(_ samples: [Float], to url: URL) throws {
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try TestFailure.unwrap(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)))
        for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[0][frame] = sample }
        buffer.frameLength = AVAudioFrameCount(samples.count)
        let file = try AVAudioFile(
            forWriting: url, settings: format.settings, commonFormat: .pcmFormatFloat32, interleaved: false)
        try file.write(from: buffer)
        file.close()
    }

    @Test func `what sleeps wakes where it would be had it been heard there`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        try stage.register("ramp", [(0..<48_000).map { 0.1 + 0.4 * Float($0) / 48_000 }])
        let mixer = try stage.spatialMixer(rolloff: 0)
        mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        try stage.registerEvent("ramp", into: mixer) { $0.cullOption = .sleepWakeAtRealtimeOffset }
        let source = try stage.source(at: SIMD3(0, 0, -1))
        try stage.start()
        let event = try stage.event("ramp event", mixer, source)
        event.start(completion: nil)
        _ = try stage.render(1024)
        source.transform = .translation(SIMD3(0, 0, -20))
        _ = try stage.render(4096)
        event.seek(to: 0.5, completion: nil)
        _ = try stage.render(1024)
        source.transform = .translation(SIMD3(0, 0, -1))
        let out = try stage.render(2048)[0]
        let place = Int(((Double(out[2047]) * 2.0.squareRoot() - 0.1) / 0.4 * 48_000).rounded())
        // Less the metre to the ear and the delay line: some 150 frames.
        #expect((24_000 + 3072 - 300...24_000 + 3072).contains(place))
    }

    @Test func `a seek can be awaited, also by those whose engine goes`() async throws {
        var stage: Stage? = try stage()
        let event = try TestFailure.unwrap(stage).event("steps event")
        #expect(await event.seek(to: 0.25) == .seekSuccessful)
        event.start(completion: nil)
        _ = try stage?.render(512)
        async let reason = event.seek(to: 0.5, resumeAt: time(9_000_000))
        while event.control.locked({ event.instance.transport.seek == nil }) { await Task.yield() }
        _ = try stage?.render(512)
        stage = nil
        #expect(await reason == .failure)
        #expect(await event.seek(to: 0.5) == .failure)
    }
}

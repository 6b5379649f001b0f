import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Starting and going on at a time.
@Suite struct TimeTests {
    private static let length = 48_000
    private typealias Reason = PHASESoundEvent.StartHandlerReason

    private func stage(
        _ mode: PHASEEngine.UpdateMode = .automatic, frames: Int = TimeTests.length, starts: Bool = true
    ) throws -> Stage {
        let stage = try Stage(updateMode: mode)
        try stage.register("steps", [(0..<frames).map(Self.sample)])
        try stage.registerEvent("steps", into: stage.channelMixer())
        if starts { try stage.start() }
        return stage
    }

    private static func sample(_ frame: Int) -> Float { Float(frame + 1) / 65_536 }
    private func time(_ frame: Int64) -> AVAudioTime { AVAudioTime(sampleTime: frame, atRate: 48_000) }

    @Test(arguments: [64, 100, 512, 4096])
    func `start(at:) begins exactly at its frame`(call: Int) throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        let before = try stage.render(3000, call: call)[0]
        event.start(at: time(10_007), completion: nil)
        #expect(event.renderingState == .started)
        let out = before + (try stage.render(9000, call: call)[0])
        #expect(out[..<10_007].allSatisfy { $0 == 0 })
        #expect(Array(out[10_007...]) == (0..<1993).map(Self.sample))
    }

    @Test func `a one-shot of 48,000 frames that was started at a time finishes with its last frame`() throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        let heard = Heard<Reason>()
        event.start(at: time(10_007)) { heard.note($0) }
        let out = try stage.render(10_007 + 47_999)[0]
        #expect(out.last == Self.sample(47_998) && event.renderingState == .started)
        #expect(try stage.render(1)[0][0] == Self.sample(47_999))
        heard.wait()
        #expect(heard.values == [.finishedPlaying] && event.renderingState == .stopped)
        #expect(try stage.render(600)[0].allSatisfy { $0 == 0 })
    }

    @Test func `times count on the engine's clock, at any rate, and sample time wins over host time`() throws {
        let tenth = AVAudioTime.hostTime(forSeconds: 0.1)
        let times: [(AVAudioTime?, Int)] = [
            (AVAudioTime(sampleTime: 4410, atRate: 44_100), 4800),
            (AVAudioTime(sampleTime: 9600, atRate: 96_000), 4800),
            (AVAudioTime(hostTime: tenth), 4800),
            (AVAudioTime(hostTime: tenth, sampleTime: 7001, atRate: 48_000), 7001),
            (AVAudioTime(sampleTime: 5000, atRate: .nan), 5000),
            (nil, 0), (time(-5), 0), (time(.min), 0), (AVAudioTime(sampleTime: .min, atRate: 8000), 0),
            (AVAudioTime(hostTime: 0), 0),
        ]
        for (time, expected) in times {
            let stage = try stage()
            try stage.event("steps event").start(at: time, completion: nil)
            let out = try stage.render(8000)[0]
            #expect(out.firstIndex { $0 != 0 } == expected, "\(String(describing: time))")
            #expect(stage.engine.lastError == nil)
        }
    }

    @Test func `times that never come are waited for, and a time without a moment is now and recorded`() throws {
        let stage = try stage()
        for never in [time(.max), AVAudioTime(sampleTime: .max, atRate: 1e-300), AVAudioTime(hostTime: .max)] {
            let event = try stage.event("steps event")
            event.start(at: never, completion: nil)
            let silence = try stage.render(1024)[0]
            #expect(silence.allSatisfy { $0 == 0 } && event.renderingState == .started)
            event.stopAndInvalidate()
        }
        #expect(stage.engine.lastError == nil)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = 3000
        try stage.event("steps event").start(
            at: AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000), completion: nil)
        #expect(try stage.render(10)[0][0] == Self.sample(0))
        #expect(stage.engine.lastError is PHASESoundEventError)
    }

    @Test func `start(at:) before the engine starts, in manual mode, begins on its frame after one update`() throws {
        let stage = try stage(.manual, starts: false)
        try stage.event("steps event").start(at: time(2049), completion: nil)
        try stage.start()
        stage.engine.update()
        let out = try stage.render(4096, call: 4096)[0]
        #expect(out[..<2049].allSatisfy { $0 == 0 } && out[2049] == Self.sample(0) && out[4095] == Self.sample(2046))
    }

    @Test func `a waiting event can be stopped, and the engine's stop ends it`() throws {
        let stage = try stage()
        let (stopped, ended) = (Heard<Reason>(), Heard<Reason>())
        let event = try stage.event("steps event")
        event.start(at: time(2000)) { stopped.note($0) }
        try stage.event("steps event").start(at: time(90_000)) { ended.note($0) }
        _ = try stage.render(1000)
        event.stopAndInvalidate()
        stopped.wait()
        #expect(stopped.values == [.terminated] && event.renderingState == .stopped)
        #expect(try stage.render(3000)[0].allSatisfy { $0 == 0 })
        stage.engine.stop()
        ended.wait()
        #expect(ended.values == [.terminated])
    }

    @Test func `pausing while it waits keeps the start time, or puts it off`() throws {
        for (resumption, expected) in [(1500, 2000), (2500, 2600)] {
            let stage = try stage()
            let event = try stage.event("steps event")
            event.start(at: time(2000), completion: nil)
            var out = try stage.render(1000)[0]
            event.pause()
            #expect(event.renderingState == .paused)
            out += try stage.render(resumption - 1000)[0]
            event.resume(at: time(Int64(resumption + 100)))
            out += try stage.render(2000)[0]
            #expect(out[..<expected].allSatisfy { $0 == 0 } && out[expected] == Self.sample(0))
        }
    }

    @Test(arguments: [77, 512, 4096])
    func `resume(at:) goes on exactly at its frame, where it was halted`(call: Int) throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        var out = try stage.render(1000, call: call)[0]
        event.pause()
        out += try stage.render(1000, call: call)[0]
        event.resume(at: time(5003))
        #expect(event.renderingState == .started)
        out += try stage.render(8000, call: call)[0]
        #expect(out[1128...5003].allSatisfy { $0 == 0 })
        // Half-way through the fade, and behind it.
        #expect(out[5003 + 64] == Self.sample(1128 + 64) * 0.5 && out[5003 + 128] == Self.sample(1128 + 128))
    }

    @Test func `pausing and going on later, said at once, is a pause until then`() throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        event.start(completion: nil)
        _ = try stage.render(1000)
        event.pause()
        event.resume(at: time(3000))
        let out = try stage.render(4000)[0]
        #expect(out[128...2000].allSatisfy { $0 == 0 } && out[2000 + 200] == Self.sample(1128 + 200))
    }

    @Test func `pause before start is not remembered, and resume means nothing to what is not paused`() throws {
        let stage = try stage()
        let event = try stage.event("steps event")
        event.pause()
        event.resume(at: time(100))
        #expect(event.renderingState == .stopped)
        event.start(completion: nil)
        event.resume(at: time(3000))
        #expect(try stage.render(1000)[0] == (0..<1000).map(Self.sample))
    }

    @Test func `a second start(at:) is ignored, before its time and after`() async throws {
        let stage = try stage(frames: 100)
        let event = try stage.event("steps event")
        let (first, second) = (Heard<Reason>(), Heard<Reason>())
        event.start(at: time(1000)) { first.note($0) }
        event.start(at: time(100)) { second.note($0) }
        #expect(await event.start(at: nil) == .failure)
        let out = try stage.render(2000)[0]
        first.wait()
        #expect(out.firstIndex { $0 != 0 } == 1000 && first.values == [.finishedPlaying] && second.values.isEmpty)
    }

    @Test func `on a device, render times and host times are waited for`() throws {
        let engine = PHASEEngine(updateMode: .automatic)
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        try engine.assetRegistry.registerSoundAsset(
            data: Data(count: 480 * 4), identifier: "short", format: format, normalizationMode: .none)
        let mixer = PHASEChannelMixerDefinition(
            channelLayout: try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono)))
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "short", mixerDefinition: mixer)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        try engine.start()
        let now = try TestFailure.unwrap(engine.lastRenderTime)
        let begin = now.sampleTime + Int64(now.sampleRate / 10)
        let soon = AVAudioTime(hostTime: DispatchTime.now().uptimeNanoseconds + AVAudioTime.hostTime(forSeconds: 0.1))
        for time in [AVAudioTime(sampleTime: begin, atRate: now.sampleRate), soon] {
            let heard = Heard<Reason>()
            try PHASESoundEvent(engine: engine, assetIdentifier: "event").start(at: time) { heard.note($0) }
            heard.wait()
            #expect(heard.values == [.finishedPlaying])
        }
        #expect((engine.lastRenderTime?.sampleTime ?? 0) >= begin + 480)
        engine.stop()
    }

    @Test func `start(at:) can be awaited, also by those whose engine goes`() async throws {
        var stage: Stage? = try stage()
        let event = try TestFailure.unwrap(stage).event("steps event")
        async let reason = event.start(at: time(2_000_000))
        while event.renderingState != .started { await Task.yield() }
        _ = try stage?.render(512)
        stage = nil
        #expect(await reason == .terminated)
        #expect(await event.start(at: nil) == .failure)
        #expect(await event.prepare() == .terminated)
    }
}

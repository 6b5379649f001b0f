import Dispatch
import OssicleTestSupport
import PHASE
import Testing

@testable import OssiclePHASE

@Suite struct TapTests {
    /// A loop of noise in the ears of a listener, with a room.
    private func stage(updateMode: PHASEEngine.UpdateMode = .automatic) throws -> (Stage, PHASESoundEvent) {
        let stage = try Stage(updateMode: updateMode)
        stage.engine.defaultReverbPreset = .smallRoom
        try stage.register("noise", [Signal.noise(count: 9000, amplitude: 0.3)])
        let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb])
        let event = try stage.registerEvent("noise", into: mixer, loops: true)
        return (stage, try stage.event(event, mixer, stage.source(at: SIMD3(1, 0, -1))))
    }

    @Test(arguments: [64, 480, 4096])
    func `a tap on the engine has every frame of its output, in buffers of one size`(size: Int) throws {
        let (stage, event) = try stage()
        let listening = Listening()
        try stage.engine.installTap(bufferSize: AVAudioFrameCount(size), block: listening.block)
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(10_000, call: 777)
        stage.engine.removeTap()
        stage.engine.drainCallbacks()
        let heard = listening.all
        #expect(heard.channels == out)
        #expect(
            heard.sizes.dropLast().allSatisfy { $0 == size }
                && (heard.sizes.last ?? 0) == 10_000 - (heard.sizes.count - 1) * size)
        #expect(heard.times.map(\.sampleTime) == heard.sizes.indices.map { Int64($0 * size) })
        #expect(
            heard.times.allSatisfy {
                $0.sampleRate == 48_000
                    && abs(AVAudioTime.seconds(forHostTime: $0.hostTime) - Double($0.sampleTime) / 48_000) < 1e-8
            })
        #expect(stage.engine.droppedTapFrames == 0)
    }

    @Test func `installing a tap does not change the sound`() throws {
        let outs = try [false, true].map { isTapped in
            let (stage, event) = try stage()
            try stage.start()
            event.start(completion: nil)
            var out = try stage.render(3000)[0]
            if isTapped {
                try stage.engine.installTap(bufferSize: 512) { _, _ in }
                try event.mixers.values.first?.installTap(bufferSize: 512) { _, _ in }
            }
            out += try stage.render(6000)[0]
            return out
        }
        #expect(outs[0] == outs[1])
    }

    @Test func `taps on mixers have what leaves them: together the engine's output`() throws {
        let stage = try Stage()
        let (left, right) = (try stage.spatialMixer(rolloff: 1), try stage.channelMixer(kAudioChannelLayoutTag_Stereo))
        try stage.register("noise", [Signal.noise(count: 6000, amplitude: 0.2)])
        try stage.register("bed", [sine(400, 4800), sine(500, 4800)])
        let events = [
            try stage.event(
                stage.registerEvent("noise", into: left, loops: true), left, stage.source(at: SIMD3(-1, 0, 0))),
            try stage.event(stage.registerEvent("bed", into: right, loops: true)),
        ]
        let taps = events.map { _ in Listening() }
        for (event, tap) in zip(events, taps) {
            try TestFailure.unwrap(event.mixers.values.first).installTap(bufferSize: 256, block: tap.block)
        }
        try stage.start()
        for event in events { event.start(completion: nil) }
        let out = try stage.render(5000)
        stage.engine.stop()
        stage.engine.drainCallbacks()
        let (a, b) = (taps[0].all.channels, taps[1].all.channels)
        #expect(rms(a[0][...]) > 0.01 && rms(b[0][...]) > 0.01)
        for channel in 0..<2 { #expect(zip(a[channel], b[channel]).map { $0 + $1 } == out[channel]) }
    }

    @Test func `a mixer's tap ends when its event has rung out`() throws {
        let stage = try Stage()
        try stage.register("short", [sine(400, 1000)])
        let event = try stage.event(stage.registerEvent("short", into: stage.channelMixer()))
        let tap = Listening()
        try TestFailure.unwrap(event.mixers.values.first).installTap(bufferSize: 4096, block: tap.block)
        try stage.start()
        _ = try stage.render(700)
        event.start(completion: nil)
        let out = try stage.render(9000)
        stage.engine.drainCallbacks()
        let heard = tap.all
        #expect(heard.times.first?.sampleTime == 700)
        #expect(heard.channels.first.map { Array($0.prefix(1000)) } == Array(out[0].prefix(1000)))
        #expect((1000..<4096).contains(heard.channels.first?.count ?? 0))
    }

    @Test func `a tap on a listener's output`() throws {
        let (stage, event) = try stage()
        let tap = Listening()
        try stage.engine.output(for: stage.listener).installTap(bufferSize: 512, block: tap.block)
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(4096)
        stage.engine.drainCallbacks()
        #expect(tap.all.channels == out)
        stage.engine.output(for: stage.listener).removeTap()
        _ = try stage.render(1024)
        stage.engine.drainCallbacks()
        #expect(tap.all.channels == out)
    }

    @Test func `samples come in the form that was asked for`() throws {
        let (stage, event) = try stage()
        let (plain, integers) = (Listening(), Listening())
        let form = try TestFailure.unwrap(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        try stage.engine.installTap(bufferSize: 512, format: form, block: integers.block)
        try stage.engine.installTap(bufferSize: 512, block: plain.block)
        try stage.start()
        event.start(completion: nil)
        _ = try stage.render(2048)
        stage.engine.drainCallbacks()
        #expect(integers.all.formats.count == 4 && integers.all.formats.allSatisfy { $0 == form })
        #expect(
            plain.all.formats.allSatisfy { $0 == stage.format }
                && integers.all.times.map(\.sampleTime) == plain.all.times.map(\.sampleTime))
    }

    @Test func `a block that hangs delays nobody, and loses nothing offline`() throws {
        let (stage, event) = try stage()
        let (hang, tap) = (DispatchSemaphore(value: 0), Listening())
        stage.engine.offlineHandlerTimeLimit = 0.05
        let collect = tap.block
        try stage.engine.installTap(bufferSize: 128) { buffer, time in
            hang.wait()
            hang.signal()
            collect(buffer, time)
        }
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(48_000, call: 4096)
        hang.signal()
        stage.engine.removeTap()
        stage.engine.drainCallbacks()
        #expect(tap.all.channels == out)
    }

    @Test func `in manual update mode a tap begins with the update`() throws {
        let (stage, event) = try stage(updateMode: .manual)
        try stage.start()
        event.start(completion: nil)
        stage.engine.update()
        _ = try stage.render(1000)
        let tap = Listening()
        try stage.engine.installTap(bufferSize: 64, block: tap.block)
        _ = try stage.render(500)
        stage.engine.update()
        let out = try stage.render(640)
        stage.engine.removeTap()
        stage.engine.drainCallbacks()
        #expect(tap.all.channels == out && tap.all.times.first?.sampleTime == 1500)
    }

    @Test(arguments: [0, 63, 64] as [AVAudioFrameCount])
    func `a size out of range is moved into it`(size: AVAudioFrameCount) throws {
        let (stage, event) = try stage()
        let tap = Listening()
        try stage.engine.installTap(bufferSize: size, block: tap.block)
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(640)
        stage.engine.drainCallbacks()
        #expect(tap.all.channels == out && tap.all.times.map(\.sampleTime) == (0..<10).map { Int64(64 * $0) })
    }

    @Test func `formats that do not fit are refused`() throws {
        let (stage, event) = try stage()
        let mixer = try TestFailure.unwrap(event.mixers.values.first)
        let other = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        #expect { try stage.engine.installTap(bufferSize: 512, format: other) { _, _ in } } throws: {
            $0.localizedDescription.contains("44100")
        }
        stage.engine.removeTap()
        mixer.removeTap()
    }
}

import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// A push stream “push” into a channel mixer of its layout, in an engine that runs.
private struct PushStage: @unchecked Sendable {
    let stage: Stage
    let format: AVAudioFormat
    let event: PHASESoundEvent
    let node: PHASEPushStreamNode

    init(
        _ mode: PHASEEngine.UpdateMode = .automatic, rate: Double = 48_000, channels: AVAudioChannelCount = 1,
        _ configure: (PHASEPushStreamNodeDefinition) -> Void = { _ in }
    ) throws {
        stage = try Stage(updateMode: mode)
        format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
        let mixer = try stage.channelMixer(channels == 1 ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo)
        let definition = PHASEPushStreamNodeDefinition(mixerDefinition: mixer, format: format, identifier: "push")
        configure(definition)
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: definition, identifier: "stream")
        try stage.start()
        event = try stage.event("stream")
        node = try TestFailure.unwrap(event.pushStreamNodes["push"])
    }

    func buffer(_ channels: [Float]...) throws -> AVAudioPCMBuffer { try .make(channels, format) }

    func time(_ frame: Int64, rate: Double? = nil) -> AVAudioTime {
        AVAudioTime(sampleTime: frame, atRate: rate ?? format.sampleRate)
    }

    func schedule(_ samples: [Float], _ name: String, _ heard: Heard<String>) throws {
        node.scheduleBuffer(buffer: try buffer(samples), completionCallbackType: .dataRendered) { condition in
            heard.note(condition == .dataRendered ? name : "?")
        }
    }
}

extension AVAudioPCMBuffer {
    static func make(_ channels: [[Float]], _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let count = channels.map(\.count).max() ?? 0
        let buffer = try TestFailure.unwrap(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(count, 1))))
        buffer.frameLength = AVAudioFrameCount(count)
        for (channel, samples) in channels.enumerated() {
            for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[channel][frame] = sample }
        }
        return buffer
    }
}

/// Amplitude of one frequency in a stretch of whole periods.
func amplitude(_ frequency: Double, _ samples: ArraySlice<Float>, rate: Double = 48_000) -> Double {
    var (re, im) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
        let phase = 2 * .pi * frequency * Double(frame) / rate
        re += Double(sample) * cos(phase)
        im += Double(sample) * sin(phase)
    }
    return 2 * (re * re + im * im).squareRoot() / Double(max(samples.count, 1))
}

@Suite struct PushStreamTests {
    private let zeros = { (count: Int) in [Float](repeating: 0, count: count) }

    @Test(arguments: [1, 64, 127, 1024]) func `buffers come one behind the other, bit for bit, however calls are cut`(
        call: Int
    ) throws {
        let push = try PushStage(channels: 2)
        let sounds = (0..<4).map { (number: Int) -> [Float] in
            Signal.noise(count: 1000 + number * 77, seed: UInt64(number), amplitude: 0.5)
        }
        push.node.scheduleBuffer(buffer: try push.buffer(sounds[0], sounds[0]))
        push.node.scheduleBuffer(buffer: try push.buffer(sounds[1], sounds[2]))
        push.event.start(completion: nil)
        let start = try push.stage.render(4000, call: call)
        push.node.scheduleBuffer(buffer: try push.buffer(sounds[3], sounds[3]))
        let rest = try push.stage.render(2000, call: call)
        let expected: [Float] = sounds[0] + sounds[1] + zeros(4000 - 1000 - 1077)
        #expect(start[0] == expected)
        #expect(start[1].prefix(1000 + 1154) == (sounds[0] + sounds[2])[...])
        #expect(rest[0] == sounds[3] + zeros(2000 - 1231))
        #expect(push.event.renderingState == .started)
    }

    @Test func `a loop goes round until it is interrupted, at its seam or at once`() throws {
        let push = try PushStage()
        let (loop, next, last) = (
            Signal.noise(count: 1000, seed: 1, amplitude: 0.5), Signal.noise(count: 300, seed: 2, amplitude: 0.5),
            Signal.noise(count: 500, seed: 3, amplitude: 0.5)
        )
        push.node.scheduleBuffer(buffer: try push.buffer(loop), time: nil, options: .loops)
        push.event.start(completion: nil)
        var out = try push.stage.render(1500)[0]
        push.node.scheduleBuffer(buffer: try push.buffer(next), time: nil, options: [.loops, .interruptsAtLoop])
        out += try push.stage.render(1000)[0]
        push.node.scheduleBuffer(buffer: try push.buffer(last), time: nil, options: .interrupts)
        out += try push.stage.render(1000)[0]
        let (rounds, seconds) = (loop + loop, next + next)
        #expect(Array(out.prefix(2500)) == rounds + seconds.prefix(500))
        #expect(Array(out.suffix(1000)) == last + zeros(500))
    }

    @Test func `times count frames of the stream, which stand still while the event is paused`() throws {
        let push = try PushStage()
        let (early, late) = (
            Signal.noise(count: 100, seed: 1, amplitude: 0.5), Signal.noise(count: 100, seed: 2, amplitude: 0.5)
        )
        // 617 frames at half the rate are 1234.
        push.node.scheduleBuffer(buffer: try push.buffer(early), time: push.time(617, rate: 24_000))
        push.node.scheduleBuffer(buffer: try push.buffer(late), time: push.time(4000))
        push.event.start(completion: nil)
        var out = try push.stage.render(2048)[0]
        push.event.pause()
        // The fade takes a quantum, in which the clock still runs.
        let paused = try push.stage.render(10_240)[0]
        push.event.resume()
        out += try push.stage.render(4096)[0]
        #expect(Array(out[1200..<1400]) == zeros(34) + early + zeros(66))
        #expect(paused.allSatisfy { $0 == 0 })
        let start = 4000 - 128
        #expect(Array(out[start..<(start + 100)]) == late)
    }

    @Test func `a cut may be scheduled for a time`() throws {
        let push = try PushStage()
        let (long, cut) = (
            Signal.noise(count: 5000, seed: 1, amplitude: 0.5), Signal.noise(count: 200, seed: 2, amplitude: 0.5)
        )
        push.node.scheduleBuffer(buffer: try push.buffer(long))
        push.node.scheduleBuffer(buffer: try push.buffer(cut), time: push.time(701), options: .interrupts)
        push.event.start(completion: nil)
        #expect(try push.stage.render(1200)[0] == long.prefix(701) + cut + zeros(299))
    }

    @Test func `a host time means the frame that is heard then`() throws {
        let push = try PushStage()
        push.event.start(completion: nil)
        _ = try push.stage.render(512)
        let sound = Signal.noise(count: 100, seed: 1, amplitude: 0.5)
        push.node.scheduleBuffer(
            buffer: try push.buffer(sound),
            time: AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: 1512 / 48_000.0)))
        #expect(try push.stage.render(2000)[0] == zeros(1000) + sound + zeros(900))
    }

    // MARK: Handlers

    @Test func `every handler runs once and in order: played, cut, stopped`() throws {
        let push = try PushStage()
        let heard = Heard<String>()
        try push.schedule(Signal.noise(count: 600), "played", heard)
        try push.schedule(Signal.noise(count: 6000), "cut", heard)
        push.event.start(completion: nil)
        _ = try push.stage.render(1024)
        heard.wait(for: 1)
        #expect(heard.values == ["played"])
        push.node.scheduleBuffer(
            buffer: try push.buffer(Signal.noise(count: 5000)), time: nil, options: .interrupts,
            completionCallbackType: .dataRendered
        ) { _ in heard.note("stopped") }
        try push.schedule(Signal.noise(count: 100), "waiting", heard)
        _ = try push.stage.render(1024)
        heard.wait(for: 2)
        push.event.stopAndInvalidate()
        _ = try push.stage.render(1024)
        heard.wait(for: 4)
        push.stage.engine.stop()
        #expect(heard.values == ["played", "cut", "stopped", "waiting"])
    }

    @Test func `with manual updates handlers run in update, on its thread`() throws {
        let push = try PushStage(.manual)
        let heard = Heard<String>()
        try push.schedule(Signal.noise(count: 100), "a", heard)
        push.event.start(completion: nil)
        push.stage.engine.update()
        _ = try push.stage.render(1024)
        #expect(heard.values.isEmpty)
        push.stage.engine.update()
        #expect(heard.values == ["a"] && heard.threads == [ObjectIdentifier(Thread.current)])
    }

    @Test(arguments: [PHASEEngine.UpdateMode.automatic, .manual], [false, true])
    func `handlers run when engine or event are stopped or let go`(mode: PHASEEngine.UpdateMode, isStarted: Bool) throws
    {
        for way in ["engine stopped", "event let go", "engine let go"] {
            let heard = Heard<String>()
            var push: PushStage? = try PushStage(mode)
            try push?.schedule([1], "first", heard)
            try push?.schedule([1], "second", heard)
            if isStarted { push?.event.start(completion: nil) }
            var (event, node) = (push?.event, push?.node)
            var stage = push?.stage
            push = nil
            switch way {
            case "engine stopped":
                stage?.engine.stop()
                // What was not started can still be.
                if !isStarted { event = nil; node = nil }
            case "event let go":
                (event, node) = (nil, nil)
                if isStarted { stage?.engine.stop() }
            default:
                stage = nil
            }
            stage?.engine.update()
            heard.wait(for: 2)
            #expect(heard.values == ["first", "second"], "\(way)")
            withExtendedLifetime((event, node, stage)) {}
        }
    }

    @Test func `a wrong format, a time without parts and an ended event are recorded, and the handler runs`() throws {
        let push = try PushStage()
        let heard = Heard<String>()
        let other = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        push.node.scheduleBuffer(buffer: try .make([[1]], other), completionCallbackType: .dataRendered) { _ in
            heard.note("format")
        }
        let nowhere = AVAudioTime(sampleTime: 0, atRate: 0)
        push.node.scheduleBuffer(buffer: try push.buffer([1]), time: nowhere, completionCallbackType: .dataRendered) {
            _ in heard.note("time")
        }
        push.event.start(completion: nil)
        _ = try push.stage.render(512)
        push.event.stopAndInvalidate()
        try push.schedule([1], "end", heard)
        heard.wait(for: 3)
        #expect(heard.values == ["format", "time", "end"])
        #expect(push.stage.engine.recordedErrors.count == 3)
        #expect(
            push.stage.engine.recordedErrors.allSatisfy {
                ($0 as? PHASESoundEventError)?.code == .apiMisuse && "\($0)".contains("push")
            })
        #expect(try push.stage.render(1000)[0].suffix(500).allSatisfy { $0 == 0 })
    }

    @Test func `scheduling can be awaited, and the end of the engine ends the wait`() async throws {
        let push = try PushStage()
        let node = push.node
        nonisolated(unsafe) let buffer = try push.buffer(Signal.noise(count: 100))
        let first = Task { await node.scheduleBuffer(buffer: buffer, completionCallbackType: .dataRendered) }
        let second = Task {
            await node.scheduleBuffer(buffer: buffer, time: push.time(1 << 40), completionCallbackType: .dataRendered)
        }
        push.event.start(completion: nil)
        // Whenever the first is scheduled, rendering on brings it to its end.
        // Whoever waits needs a thread as well, and there may be two of them for all tests.
        let rendering = Task {
            while !Task.isCancelled {
                _ = try push.stage.render(512)
                await Task.yield()
            }
        }
        #expect(await first.value == .dataRendered)
        rendering.cancel()
        _ = await rendering.result
        push.stage.engine.stop()
        #expect(await second.value == .dataRendered)
    }

    // MARK: Rates and levels

    @Test(arguments: [(44_100.0, 1.0), (96_000, 0.5), (48_000, 2), (44_100, 0.25), (8000, 1), (24_000, 4)])
    func `another rate and another speed give the right pitch and level`(rate: Double, speed: Double) throws {
        let push = try PushStage(rate: rate) { $0.rate = speed }
        let frequency = 480 / speed
        push.node.scheduleBuffer(buffer: try push.buffer(sine(frequency, Int(rate * speed * 0.3), rate: rate)))
        push.event.start(completion: nil)
        let out = try push.stage.render(14_400)[0]
        #expect(abs(decibels(amplitude(480, out[2400..<12_000]) / 0.25)) < 0.05)
    }

    @Test func `gain and rate follow their meta-parameters, and the node shows them`() throws {
        let push = try PushStage { definition in
            definition.gainMetaParameterDefinition = PHASENumberMetaParameterDefinition(value: 0.5, identifier: "gain")
            definition.rateMetaParameterDefinition = PHASENumberMetaParameterDefinition(value: 1, identifier: "rate")
        }
        let definitions = try PushStage()
        #expect(definitions.node.gainMetaParameter == nil && definitions.node.rateMetaParameter == nil)
        #expect(
            push.node.gainMetaParameter === push.event.metaParameters["gain"]
                && push.node.rateMetaParameter === push.event.metaParameters["rate"])
        #expect(push.event.mixers.values.contains { $0 === push.node.mixer } && push.node.format == push.format)
        push.node.scheduleBuffer(buffer: try push.buffer(sine(480, 1000)), time: nil, options: .loops)
        push.event.start(completion: nil)
        let half = try push.stage.render(4800)[0]
        push.node.gainMetaParameter?.value = 1.0
        push.node.rateMetaParameter?.value = 2.0
        _ = try push.stage.render(4800)
        let double = try push.stage.render(4800)[0]
        #expect(abs(decibels(amplitude(480, half[...]) / 0.125)) < 0.05)
        #expect(abs(decibels(amplitude(960, double[...]) / 0.25)) < 0.05)
    }

    @Test func `what is not a number is stopped, counted and told of once`() throws {
        let push = try PushStage()
        push.node.scheduleBuffer(buffer: try push.buffer([0.5, .nan, 0.25, .infinity, -.infinity, 0.125]))
        push.event.start(completion: nil)
        #expect(try push.stage.render(1024)[0].prefix(6) == [0.5, 0, 0.25, 0, 0, 0.125])
        #expect(push.node.nonFiniteSampleCount == 3)
        #expect(push.stage.engine.recordedErrors.count == 1)
    }

    /// A stream whose buffers are each scheduled by the handler of the one before, which takes `seconds` for it.
    private static func chain(_ seconds: Double) throws -> [Float] {
        let push = try PushStage()
        push.stage.engine.offlineHandlerTimeLimit = .infinity
        let beats = Heard<Int>()
        @Sendable func schedule() {
            let beat = beats.values.count
            beats.note(beat)
            Thread.sleep(forTimeInterval: beat % 3 == 0 ? seconds : 0)
            let samples = (0..<(300 + 41 * beat)).map { Float(beat * 100 + $0 + 1) / 65536 }
            guard let buffer = try? push.buffer(samples) else { return }
            push.node.scheduleBuffer(buffer: buffer, completionCallbackType: .dataRendered) { _ in schedule() }
        }
        schedule()
        push.event.start(completion: nil)
        let sound = try push.stage.render(20_000, call: 500)[0]
        #expect(beats.values.count > 10)
        return sound
    }

    @Test func `what handlers schedule offline sounds the same however long they take`() throws {
        let sound = try Self.chain(0)
        #expect(try Self.chain(0.01) == sound && sound.contains { $0 != 0 })
    }

    @Test func `a normalised stream comes to −23 LUFS, slowly`() throws {
        let push = try PushStage { $0.normalize = true }
        // A full-scale sine at 997 Hz is −3.01 LUFS: this one is −29.03.
        let sound = sine(997, 4 * 48_000, amplitude: 0.05)
        push.node.scheduleBuffer(buffer: try push.buffer(sound))
        push.event.start(completion: nil)
        let out = try push.stage.render(4 * 48_000, call: 4096)[0]
        #expect(out.prefix(4800) == sound.prefix(4800))
        // At −23 LUFS its amplitude is −19.99 dB.
        #expect(abs(decibels(rms(out[(3 * 48_000)...]) * 2.0.squareRoot()) + 19.99) < 0.1)
        for step in 0..<30 {
            let (before, after) = (
                rms(out[(step * 4800)..<(step * 4800 + 4800)]), rms(out[(step * 4800 + 4800)..<(step * 4800 + 9600)])
            )
            #expect(abs(decibels(after / before)) < 0.65)
        }
    }

    // MARK: Refusals

    @Test func `streams have deinterleaved floats, their mixer's channels, and one place`() throws {
        let stage = try Stage()
        func register(_ format: AVAudioFormat?, pull: Bool = false) throws -> PHASESoundEventNodeAsset {
            let (mixer, format) = (try stage.channelMixer(), try TestFailure.unwrap(format))
            let node =
                pull
                ? PHASEPullStreamNodeDefinition(mixerDefinition: mixer, format: format)
                : PHASEPushStreamNodeDefinition(mixerDefinition: mixer, format: format)
            return try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: node, identifier: nil)
        }
        for pull in [false, true] {
            let wrong = [
                AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: true),
                AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: false),
                AVAudioFormat(standardFormatWithSampleRate: 1, channels: 1),
            ]
            for format in wrong {
                #expect { try register(format, pull: pull) } throws: {
                    ($0 as? PHASEAssetError)?.code == .badParameters && "\($0)".contains("AVAudioFormat")
                }
            }
            let stereo = try register(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2), pull: pull)
            #expect { try stage.event(stereo.identifier) } throws: { ($0 as? PHASESoundEventError)?.code == .badData }
        }
        let (mixer, format) = (
            try stage.channelMixer(),
            try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        )
        let (node, both) = (
            PHASEPushStreamNodeDefinition(mixerDefinition: mixer, format: format), PHASEContainerNodeDefinition()
        )
        both.addSubtree(node)
        both.addSubtree(node)
        #expect { try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: both, identifier: nil) } throws: {
            ($0 as? PHASEAssetError)?.code == .badParameters
        }
    }
}

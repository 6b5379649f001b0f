import OssicleTestSupport
import OssiclePlayback
import OssicleSpatial
import PHASE
import Testing

@testable import OssiclePHASE

@Suite struct InsertEffectTests {
    /// One sound through a channel mixer of as many channels.
    private func stage(
        _ channels: [[Float]], loops: Bool = true, seed: UInt64 = 0
    ) throws -> (Stage, PHASESoundEvent, PHASEMixer) {
        let stage = try Stage(seed: seed)
        let tags = [
            1: kAudioChannelLayoutTag_Mono, 2: kAudioChannelLayoutTag_Stereo, 6: kAudioChannelLayoutTag_MPEG_5_1_A,
        ]
        let tag = try TestFailure.unwrap(tags[channels.count])
        try stage.register("sound", channels, layout: tag)
        let mixer = try stage.channelMixer(tag)
        let event = try stage.event(stage.registerEvent("sound", into: mixer, loops: loops))
        return (stage, event, try TestFailure.unwrap(event.mixers.values.first))
    }

    private func boost(_ frequency: Float = 1000, _ gain: Float = 6) -> AVAudioUnitEQ {
        let equalizer = AVAudioUnitEQ(numberOfBands: 1)
        (
            equalizer.bands[0].filterType, equalizer.bands[0].frequency, equalizer.bands[0].gain,
            equalizer.bands[0].bypass
        ) = (.parametric, frequency, gain, false)
        return equalizer
    }

    private func attenuator(_ decibels: Float) -> AVAudioUnitEQ {
        let equalizer = AVAudioUnitEQ(numberOfBands: 0)
        equalizer.globalGain = decibels
        return equalizer
    }

    private func echo(_ seconds: Double) -> AVAudioUnitDelay {
        let delay = AVAudioUnitDelay()
        (delay.delayTime, delay.feedback, delay.wetDryMix, delay.lowPassCutoff) = (seconds, 0, 100, 24_000)
        return delay
    }

    // MARK: Sound

    @Test func `an equaliser on a mixer acts as its curve says, and its parameters are live`() throws {
        let (stage, event, mixer) = try stage([sine(1000, 4800, amplitude: 0.1)])
        let equalizer = boost()
        mixer.insertEffects = [equalizer]
        try stage.start()
        event.start(completion: nil)
        let level = { try decibels(rms(stage.render(9600)[0][4800...]) / (0.1 / 2.0.squareRoot())) }
        #expect(abs(try level() - 6) < 0.02)
        equalizer.bands[0].gain = -12
        #expect(abs(try level() + 12) < 0.02)
        equalizer.bypass = true
        #expect(abs(try level()) < 0.001)
        #expect(mixer.insertEffects.count == 1 && mixer.insertEffects[0] === equalizer)
    }

    @Test func `effects stand in a row: gains multiply, and each channel of a bed has its own`() throws {
        let (stage, event, mixer) = try stage([sine(300, 4800), sine(700, 4800, amplitude: 0.1)])
        mixer.insertEffects = [attenuator(-6), echo(0.01), attenuator(-4)]
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(4800)
        let gain = Float(pow(10, -0.5))
        for (channel, tone) in [sine(300, 4800), sine(700, 4800, amplitude: 0.1)].enumerated() {
            #expect(out[channel][..<480].allSatisfy { $0.magnitude < 1e-6 })
            #expect(Measure.largestDifference(Array(out[channel][480...]), tone[..<4320].map { $0 * gain }) < 1e-4)
        }
    }

    @Test func `a spatial mixer's effects work before the sound is placed`() throws {
        let outs = try [false, true].map { isInserted in
            let stage = try Stage()
            stage.engine.defaultReverbPreset = .smallRoom
            try stage.register("noise", [Signal.noise(count: 9000, amplitude: 0.2).map { isInserted ? $0 : $0 * 0.5 }])
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb])
            let event = try stage.event(
                stage.registerEvent("noise", into: mixer), mixer, stage.source(at: SIMD3(-2, 0, 0)))
            if isInserted { event.mixers.values.first?.insertEffects = [attenuator(-6.0206)] }
            try stage.start()
            event.start(completion: nil)
            return try stage.render(9000)
        }
        for (with, without) in zip(outs[1], outs[0]) {
            #expect(rms(without[...]) > 0.001)
            #expect(Measure.largestDifference(with, without) < 1e-4)
        }
    }

    @Test func `bypassed effects pass every bit, on mixers and on the whole`() throws {
        func render(_ prepare: (PHASEEngine, PHASEMixer) -> Void) throws -> [[Float]] {
            let (stage, event, mixer) = try stage([
                Signal.noise(count: 6000, amplitude: 0.3), Signal.noise(count: 6000, seed: 2, amplitude: 0.3),
            ])
            stage.engine.defaultReverbPreset = .mediumRoom
            let spatial = try stage.spatialMixer([.directPathTransmission, .lateReverb])
            try stage.register("mono", [Signal.noise(count: 6000, seed: 3, amplitude: 0.3)])
            let other = try stage.event(
                stage.registerEvent("mono", into: spatial, loops: true), spatial, stage.source(at: SIMD3(1, 0, -1)))
            prepare(stage.engine, mixer)
            try stage.start()
            for event in [event, other] { event.start(completion: nil) }
            return try stage.render(6000)
        }
        let plain = try render { _, _ in }
        func bypassed() -> [AVAudioUnit] {
            let effects: [AVAudioUnitEffect] = [AVAudioUnitReverb(), AVAudioUnitDistortion(), boost()]
            for effect in effects { effect.bypass = true }
            return effects
        }
        let inserted = try render { engine, mixer in
            (engine.insertEffects, mixer.insertEffects) = (bypassed(), bypassed())
        }
        #expect(inserted == plain)
    }

    @Test func `the engine's effects come before its limiter, and are not in listeners' outputs`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        try stage.register("tone", [sine(500, 4800, amplitude: 0.4)])
        let mixer = try stage.spatialMixer()
        let event = try stage.event(
            stage.registerEvent("tone", into: mixer, loops: true), mixer, stage.source(at: SIMD3(0, 0, -1)))
        stage.engine.insertEffects = [attenuator(24)]
        let output = stage.engine.output(for: stage.listener)
        try stage.start()
        event.start(completion: nil)
        let heard = try stage.render(9600, listeners: [output])
        let (meters, own) = (stage.engine.takeMeters(), output.takeMeters())
        #expect(meters.limitedFrames > 0 && own.limitedFrames == 0)
        #expect(heard.engine.joined().allSatisfy { $0.magnitude <= 1 })
        #expect(rms(heard.engine[0][4800...]) > 2 * rms(heard.listeners[0][0][4800...]))
        // Meters show what came in: the strips, not what effects made of them.
        #expect(meters.directPower == own.directPower)
    }

    @Test func `an event sounds until its effects have rung out, and gives its units free`() throws {
        let (stage, event, mixer) = try stage([sine(1000, 480, amplitude: 0.5)], loops: false)
        let delay = echo(0.8)
        mixer.insertEffects = [delay]
        try stage.start()
        event.start(completion: nil)
        let out = try stage.render(48_000)[0]
        #expect(event.renderingState == .stopped)
        #expect(Measure.largestDifference(Array(out[38_400..<38_880]), sine(1000, 480, amplitude: 0.5)) < 1e-3)
        #expect(stage.engine.control.spatial.player.events.isEmpty && mixer.insertEffects.isEmpty)
        let (other, _, next) = try self.stage([[0]])
        next.insertEffects = [delay]
        #expect(next.insertEffects.count == 1 && other.engine.lastError == nil)
    }

    // MARK: Changes

    @Test func `a row that is changed fades over in 10 ms, from where both begin`() throws {
        let (stage, event, mixer) = try stage([Signal.noise(count: 48_000, amplitude: 0.2)])
        let first = attenuator(-6.0206)
        mixer.insertEffects = [first]
        try stage.start()
        event.start(completion: nil)
        var out = try stage.render(2048)[0]
        mixer.insertEffects = [first, attenuator(-6.0206)]
        out += try stage.render(2048)[0]
        mixer.insertEffects = []
        out += try stage.render(2048)[0]
        let sound = Signal.noise(count: 48_000, amplitude: 0.2)
        func gain(_ frame: Int) -> Float {
            let (down, up) = (min(max(Float(frame - 2048) / 480, 0), 1), min(max(Float(frame - 4096) / 480, 0), 1))
            let inserted = 0.5 * (1 - down) + 0.25 * down
            return inserted * (1 - up) + up
        }
        #expect(Measure.largestDifference(out, (0..<6144).map { sound[$0] * gain($0) }) < 2e-6)
        #expect(Array(out[4700...]) == Array(sound[4700..<6144]))
    }

    @Test func `effects change places, and what changes during a fade waits for its end`() throws {
        let (stage, event, mixer) = try stage([sine(200, 4800)])
        let (a, b) = (attenuator(-6.0206), attenuator(-12.0412))
        mixer.insertEffects = [a, b]
        try stage.start()
        event.start(completion: nil)
        _ = try stage.render(1024)
        mixer.insertEffects = [b, a]
        _ = try stage.render(64)
        mixer.insertEffects = [b]
        let out = try stage.render(4800)[0]
        #expect(abs(decibels(rms(out[2400...]) / rms(sine(200, 4800)[...])) + 12.04) < 0.01)
        // The unit that went on in the new row still answers.
        b.globalGain = 0
        #expect(abs(decibels(rms(try stage.render(9600)[0][4800...]) / rms(sine(200, 4800)[...]))) < 0.01)
        a.globalGain = 20
        #expect(abs(decibels(rms(try stage.render(9600)[0][4800...]) / rms(sine(200, 4800)[...]))) < 0.01)
    }

    @Test func `a tone does not click when effects come and go`() throws {
        let (stage, event, mixer) = try stage([sine(1000, 48_000)])
        try stage.start()
        event.start(completion: nil)
        var out = try stage.render(12_000)[0]
        stage.engine.insertEffects = [attenuator(-6)]
        out += try stage.render(12_000)[0]
        mixer.insertEffects = [boost(200, 6)]
        out += try stage.render(12_000)[0]
        (mixer.insertEffects, stage.engine.insertEffects) = ([], [])
        out += try stage.render(12_000)[0]
        // A straight fade of 10 ms has its side bands below −70 dB from about 1 kHz away; a step has not.
        #expect(Measure.energyOutside(0, 2500, in: out) < -70)
    }

    @Test(arguments: [64, 127, 4096])
    func `the same bytes however render calls are cut`(call: Int) throws {
        func render(_ call: Int) throws -> [[Float]] {
            let (stage, event, mixer) = try stage([
                Signal.noise(count: 9000, amplitude: 0.2), Signal.noise(count: 9000, seed: 4, amplitude: 0.2),
            ])
            let (reverb, delay) = (AVAudioUnitReverb(), echo(0.05))
            reverb.loadFactoryPreset(.plate)
            mixer.insertEffects = [boost(), reverb]
            try stage.start()
            event.start(completion: nil)
            var out: [[Float]] = [[], []]
            for step in 0..<4 {
                if step == 1 { stage.engine.insertEffects = [delay] }
                if step == 2 { (mixer.insertEffects, delay.wetDryMix) = ([reverb], 50) }
                if step == 3 { stage.engine.insertEffects = [] }
                let part = try stage.render(4096, call: call)
                for channel in 0..<2 { out[channel] += part[channel] }
            }
            return out
        }
        let (cut, whole) = (try render(call), try render(512))
        #expect(cut == whole)
    }

    @Test func `effects begin afresh after a stop`() throws {
        let stage = try Stage()
        try stage.register("sound", [Signal.noise(count: 4000, amplitude: 0.2)])
        let name = try stage.registerEvent("sound", into: stage.channelMixer())
        stage.engine.insertEffects = [AVAudioUnitReverb()]
        let outs = try (0..<2).map { _ in
            try stage.start()
            try stage.event(name).start(completion: nil)
            let out = try stage.render(4096)
            stage.engine.stop()
            return out
        }
        #expect(outs[0] == outs[1])
        #expect(stage.engine.insertEffects.count == 1)
    }

    // MARK: Kinds

    static let kinds: [OSType] = [
        kAudioUnitSubType_Delay, kAudioUnitSubType_SampleDelay, kAudioUnitSubType_Distortion, kAudioUnitSubType_Reverb2,
        kAudioUnitSubType_MatrixReverb, kAudioUnitSubType_DynamicsProcessor, kAudioUnitSubType_MultiBandCompressor,
        kAudioUnitSubType_PeakLimiter, kAudioUnitSubType_NBandEQ, kAudioUnitSubType_GraphicEQ,
        kAudioUnitSubType_LowPassFilter,
        kAudioUnitSubType_HighPassFilter, kAudioUnitSubType_BandPassFilter, kAudioUnitSubType_HighShelfFilter,
        kAudioUnitSubType_LowShelfFilter, kAudioUnitSubType_ParametricEQ,
    ]

    @Test(arguments: kinds)
    func `every built-in effect is taken and sounds`(kind: OSType) throws {
        for channels in [1, 2, 6] {
            let (stage, event, mixer) = try stage((0..<channels).map { sine(1000 + 100 * Double($0), 4800) })
            let unit = AVAudioUnitEffect(
                audioComponentDescription: AudioComponentDescription(
                    componentType: kAudioUnitType_Effect, componentSubType: kind,
                    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
            mixer.insertEffects = [unit]
            try stage.start()
            event.start(completion: nil)
            let out = try stage.render(9600)
            #expect(stage.engine.lastError == nil && mixer.insertEffects.count == 1)
            #expect(out.joined().allSatisfy { $0.isFinite })
            #expect(rms(out[0][4800...]) > 1e-3)
        }
    }

    // MARK: Life

    @Test func `effects and taps go with their events`() throws {
        let stage = try Stage()
        try stage.register("sound", [sine(1000, 64)])
        let name = try stage.registerEvent("sound", into: stage.channelMixer())
        try stage.start()
        weak var last: AVAudioUnitEQ?
        weak var chain: InsertChain?
        for _ in 0..<200 {
            let event = try stage.event(name)
            let (equalizer, mixer) = (boost(), try TestFailure.unwrap(event.mixers.values.first))
            mixer.insertEffects = [equalizer]
            try mixer.installTap(bufferSize: 64) { _, _ in }
            (last, chain) = (equalizer, mixer.outlets.inserts)
            event.start(completion: nil)
            _ = try stage.render(512)
        }
        _ = try stage.render(192_000, call: 4096)
        stage.engine.drainCallbacks()
        #expect(stage.engine.control.spatial.player.events.isEmpty)
        #expect(last == nil && chain == nil)
    }

    @Test func `four threads that edit do no harm`() throws {
        // Only the first thread renders; the others use nothing of the stage but its engine.
        nonisolated(unsafe) let stage = try Stage()
        let mixer = try stage.spatialMixer()
        try stage.register("sound", [Signal.noise(count: 4800, amplitude: 0.1)])
        let event = try stage.event(
            stage.registerEvent("sound", into: mixer, loops: true), mixer, stage.source(at: SIMD3(0, 0, -1)))
        let strip = try TestFailure.unwrap(event.mixers.values.first)
        try stage.start()
        event.start(completion: nil)
        nonisolated(unsafe) let effects = (0..<3).map { _ in boost() }
        _ = stage.listener
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            for step in 0..<60 {
                switch thread {
                case 0: _ = try? stage.render(300)
                case 1: strip.insertEffects = Array(effects.prefix(step % 4))
                case 2: stage.engine.insertEffects = Array(effects.suffix(step % 2))
                case 3:
                    try? stage.engine.output(for: stage.listener).installTap(bufferSize: 64) { _, _ in }
                    if step % 3 == 0 { stage.engine.output(for: stage.listener).removeTap() }
                default:
                    try? strip.installTap(bufferSize: 64) { _, _ in }
                    effects[step % 3].bands[0].gain = Float(step % 12)
                    if step % 4 == 0 { strip.removeTap() }
                }
            }
        }
        (strip.insertEffects, stage.engine.insertEffects) = ([], [])
        _ = try stage.render(2048)
        #expect(try stage.render(4800).joined().allSatisfy { $0.isFinite })
        #expect(stage.engine.recordedErrors.allSatisfy { $0.localizedDescription.contains("another chain") })
    }

    // MARK: Misuse

    @Test func `what cannot be inserted is refused, and the chain stays`() throws {
        let (stage, event, mixer) = try stage([sine(500, 4800)])
        let kept = boost()
        mixer.insertEffects = [kept]
        let host = AVAudioEngine()
        let (attached, elsewhere) = (boost(), boost())
        host.attach(attached)
        stage.engine.insertEffects = [elsewhere]
        let none = AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect, componentSubType: 0x6E6F6E65,
                componentManufacturer: 0x6E6F6E65, componentFlags: 0, componentFlagsMask: 0))
        let attempts: [([AVAudioUnit], String)] = [
            ([AVAudioUnitVarispeed()], "Varispeed"), ([AVAudioUnitTimePitch()], "TimePitch"), ([attached], "attached"),
            ([elsewhere], "another chain"), ([kept, kept], "twice"), ([none], "built in"),
        ]
        for (units, word) in attempts {
            mixer.insertEffects = units
            let sentence = stage.engine.lastError?.localizedDescription ?? ""
            #expect(sentence.contains(word) && sentence.contains("mixer"), "“\(sentence)” does not name \(word)")
            #expect(mixer.insertEffects.count == 1 && mixer.insertEffects[0] === kept)
        }
        #expect(stage.engine.recordedErrors.count == attempts.count)
        // A unit that was refused together with others is free.
        let free = boost()
        mixer.insertEffects = [free, AVAudioUnitVarispeed()]
        host.attach(free)
        #expect(free.engine === host && host.lastError == nil)
        host.attach(kept)
        #expect(kept.engine == nil && host.lastError != nil)
        try stage.start()
        event.start(completion: nil)
        #expect(rms(try stage.render(4800)[0][...]) > 0.1)
    }

    @Test func `numbers that are none are recorded at the engine`() throws {
        let (stage, _, mixer) = try stage([[0]])
        let equalizer = attenuator(-3)
        mixer.insertEffects = [equalizer]
        equalizer.globalGain = .nan
        #expect(
            equalizer.globalGain == -3 && stage.engine.lastError?.localizedDescription.contains("not a number") == true)
    }
}

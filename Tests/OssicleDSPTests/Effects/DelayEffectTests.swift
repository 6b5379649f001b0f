import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct DelayEffectTests {
    typealias Parameters = DelayEffect.Parameters

    /// The low pass out of the way, unless asked for.
    static func parameters(
        _ delayTime: Double = 0.01, feedback: Float = 0, cutoff: Float = 24_000, mix: Float = 100
    ) -> Parameters {
        Parameters(delayTime: delayTime, feedback: feedback, lowPassCutoff: cutoff, wetDryMix: mix)
    }

    static func render(
        _ input: [Float], _ parameters: Parameters, sampleRate: Double = 48_000, blocks: [Int] = [128],
        changes: [Int: Parameters] = [:]
    ) -> [Float] {
        var delay = DelayEffect(sampleRate: sampleRate, channelCount: 1, parameters: parameters)
        return run(&delay, input, blocks: blocks) { delay, done in
            if let new = changes[done] { delay.take(new, atOnce: false) }
        }
    }

    @Test(
        "The effect laws hold, also for delays shorter than a block and for none at all",
        arguments: [(0.013, 0.001), (0.001, 0.013), (0, 0.02), (0.02, 0), (0.3, 0.00003)])
    func laws(first: Double, second: Double) {
        let parameters = Self.parameters(first, feedback: 60, cutoff: 8000, mix: 70)
        EffectLaws(
            make: { DelayEffect(sampleRate: 48_000, channelCount: $0, parameters: parameters) },
            change: { $0.take(Self.parameters(second, feedback: -90, mix: 100), atOnce: false) },
            tail: DelayEffect.tailTime(parameters, sampleRate: 48_000)
        ).check()
    }

    @Test(
        "The wet sound is the input delayTime·fs frames later, bit for bit", arguments: [0, 0.0001, 0.0125, 0.5, 1, 2],
        [44_100.0, 48_000, 96_000])
    func exactDelay(seconds: Double, sampleRate: Double) {
        let frames = Int((seconds * sampleRate).rounded())
        let input = Signal.noise(count: frames + 3000) + [-0.0]
        let output = Self.render(
            input + Signal.silence(count: frames), Self.parameters(seconds, cutoff: Float(sampleRate / 2)),
            sampleRate: sampleRate)
        #expect(Measure.sameBytes(Array(output.dropFirst(frames).prefix(input.count)), input))
        #expect(Measure.peak(output.prefix(frames)) == 0)
    }

    @Test("Delay times beyond the range, or not numbers, are held")
    func absurdParameters() {
        let impulse = Signal.impulse(count: 97_000)
        #expect(Self.render(impulse, Self.parameters(7))[96_000] == 1)
        for value in [Double.nan, -Double.infinity, -1] {
            #expect(Self.render(impulse, Self.parameters(value))[0] == 1)
        }
        let odd = Self.render(
            Signal.noise(count: 9600), Parameters(delayTime: 0.01, feedback: .nan, lowPassCutoff: .nan, wetDryMix: 1e9))
        #expect(Measure.isFinite(odd) && Measure.peak(odd) > 0.5)
    }

    @Test("Each echo is the one before times the feedback", arguments: [Float(50), -50, 100, -100, 0])
    func echoes(feedback: Float) {
        let output = Self.render(Signal.impulse(count: 4810, height: 0.5), Self.parameters(0.01, feedback: feedback))
        var expected = Signal.silence(count: 4810)
        for echo in 1...10 {
            expected[echo * 480] = (1..<echo).reduce(Float(0.5)) { level, _ in level * (feedback / 100) }
        }
        #expect(Measure.largestDifference(output, expected) == 0)
    }

    @Test("An untouched delay is the class's: one second, half the feedback, 15 kHz, all wet")
    func defaults() {
        var delay = DelayEffect(sampleRate: 48_000, channelCount: 1, parameters: Parameters())
        let output = run(&delay, Signal.impulse(count: 97_000))
        #expect(Measure.peak(output.prefix(48_000)) == 0)
        let (first, second) = (Array(output[48_000..<49_000]), Array(output[96_000..<97_000]))
        #expect(abs(Measure.energy(first) - 0.6) < 0.1)
        // At 0 Hz nothing but the feedback lies between the echoes.
        let sums: (Float, Float) = (first.reduce(0, +), second.reduce(0, +))
        #expect((sums.1 / sums.0 - 0.5).magnitude < 1e-3)
    }

    @Test("Each echo passes the low pass once more: −3 dB at the cutoff per echo, within 0.01 dB")
    func lowPass() {
        let output = Self.render(Signal.impulse(count: 48_000), Self.parameters(0.25, feedback: 100, cutoff: 3000))
        for (echo, range) in [(1, 12_000..<24_000), (2, 24_000..<36_000), (3, 36_000..<48_000)] {
            let spectrum = OssicleTestSupport.Spectrum(of: Array(output[range]))
            let bin = Int((3000 / 48_000 * Double(spectrum.count)).rounded())
            let level = Measure.decibels(spectrum.energy(bin).squareRoot())
            #expect(abs(level + 3.0103 * Double(echo)) < 0.01)
        }
    }

    @Test(
        "Full feedback neither dies nor blows up, whatever goes in", arguments: [Float(100), -100],
        [Float(24_000), 500])
    func fullFeedback(feedback: Float, cutoff: Float) {
        let tone = Signal.sine(100, count: 240_000)
        let output = Self.render(
            tone + Signal.silence(count: 48_000), Self.parameters(0.015, feedback: feedback, cutoff: cutoff))
        #expect(Measure.peak(output) <= 5.1 && Measure.isFinite(output))
        let short = Self.render(
            Signal.noise(count: 400, amplitude: 0.5) + Signal.silence(count: 480_000),
            Self.parameters(0.01, feedback: feedback))
        let (first, last) = (Measure.level(Array(short[480..<5280])), Measure.level(Array(short.suffix(4800))))
        #expect(abs(last - first) < 0.01)
    }

    @Test("0 % is the dry sound bit for bit; between the ends powers add up to one")
    func mixing() {
        let input = Signal.noise(count: 9600)
        #expect(Measure.sameBytes(Self.render(input, Self.parameters(feedback: 80, mix: 0)), input))
        for mix: Float in [10, 25, 50, 90] {
            let output = Self.render(Signal.impulse(count: 500), Self.parameters(mix: mix))
            let (dry, wet) = (Double(output[0]), Double(output[480]))
            let expected = DeterministicMath.sin(Double.pi / 2 * Double(mix) / 100)
            #expect(abs(dry * dry + wet * wet - 1) < 1e-6)
            #expect(abs(wet - expected) < 1e-6)
        }
    }

    @Test("Another delay time cross-fades without a click, also in the middle of a fade, and the newest one wins")
    func crossFades() {
        let tone = Signal.sine(100, count: 48_000, amplitude: 0.5)
        let output = Self.render(
            tone, Self.parameters(0.1),
            changes: [
                9600: Self.parameters(0.033), 9728: Self.parameters(1.9), 9856: Self.parameters(0.002),
                19_200: Self.parameters(0), 28_800: Self.parameters(0.005, feedback: 30, mix: 40),
            ])
        // The tone alone bends by 8.6e-5 per frame²; a straight fade of 480 frames between opposite phases by 1/480 at
        // its ends.
        #expect(Measure.largestKink(Array(output.dropFirst(4900))) < 3e-3)
        #expect(Measure.sameBytes(Array(output[12_000..<19_200]), Array(tone[(12_000 - 96)..<(19_200 - 96)])))
    }

    @Test("Changes of feedback, cutoff and mix do not click")
    func glides() {
        let output = Self.render(
            Signal.sine(100, count: 48_000, amplitude: 0.5), Self.parameters(0.02, feedback: 50, mix: 0),
            changes: [
                12_800: Self.parameters(0.02, feedback: -50, cutoff: 300, mix: 100),
                25_600: Self.parameters(0.02, feedback: 0, mix: 50),
            ])
        #expect(Measure.largestKink(Array(output.dropFirst(4900))) < 5e-3)
    }

    @Test("The tail lasts as long as the echoes, for ever at full feedback")
    func tailTime() {
        #expect(DelayEffect.tailTime(Self.parameters(0.5), sampleRate: 48_000) == 0.5)
        // 0.5ⁿ = 1/1000 after ten echoes more.
        #expect(abs(DelayEffect.tailTime(Self.parameters(0.5, feedback: -50), sampleRate: 48_000) - 5.5) < 1e-9)
        #expect(DelayEffect.tailTime(Self.parameters(feedback: 100), sampleRate: 48_000) == .infinity)
        #expect(DelayEffect.tailTime(Self.parameters(feedback: 100, mix: 0), sampleRate: 48_000) == 0)
    }
}

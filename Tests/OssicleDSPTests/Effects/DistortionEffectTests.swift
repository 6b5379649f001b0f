import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct DistortionEffectTests {
    typealias Parameters = DistortionEffect.Parameters

    /// Every stage out of the way and all wet, but for what `change` does.
    static func parameters(
        preGain: Float = 0, mix: Float = 100, _ change: (inout DistortionSettings) -> Void = { _ in }
    ) -> Parameters {
        var settings = DistortionSettings()
        (settings.delayMix, settings.decimationMix, settings.polynomialMix) = (0, 0, 0)
        (settings.softClipGain, settings.finalMix) = (-60, 100)
        change(&settings)
        return Parameters(settings: settings, preGain: preGain, wetDryMix: mix)
    }

    static func render(
        _ input: [Float], _ parameters: Parameters, sampleRate: Double = 48_000, changes: [Int: Parameters] = [:]
    ) -> [Float] {
        var distortion = DistortionEffect(sampleRate: sampleRate, channelCount: 1, parameters: parameters)
        return run(&distortion, input) { distortion, done in
            if let new = changes[done] { distortion.take(new, atOnce: false) }
        }
    }

    /// Of a tone, the level in dB of each harmonic relative to the first; index 1 is the first.
    static func harmonics(of output: [Float], _ frequency: Double, upTo count: Int) -> [Double] {
        let levels = (0...count).map { $0 == 0 ? 0 : Measure.tone(frequency * Double($0), in: output).amplitude }
        return levels.map { Measure.decibels($0 / levels[1]) }
    }

    @Test("The effect laws hold for every preset", arguments: DistortionPreset.allCases)
    func laws(preset: DistortionPreset) {
        let parameters = Parameters(settings: preset.settings, wetDryMix: 80)
        let next = DistortionPreset(rawValue: (preset.rawValue + 5) % 22) ?? .multiEcho1
        EffectLaws(
            make: { DistortionEffect(sampleRate: 48_000, channelCount: $0, parameters: parameters) },
            change: { $0.take(Parameters(settings: next.settings, preGain: 6, wetDryMix: 100), atOnce: false) },
            tail: DistortionEffect.tailTime(parameters, sampleRate: 48_000)
        ).check()
    }

    @Test("With either mix at 0 % the output is the input, bit for bit")
    func dry() {
        let input = Signal.noise(count: 3000) + [-0.0]
        let broken = DistortionPreset.multiEverythingIsBroken.settings
        #expect(Measure.sameBytes(Self.render(input, Parameters(settings: broken, preGain: 20, wetDryMix: 0)), input))
        #expect(
            Measure.sameBytes(
                Self.render(
                    input,
                    Self.parameters {
                        $0 = broken; $0.finalMix = 0
                    }), input))
    }

    @Test("Any two presets differ audibly: of one, at best 85 % of the power is explained by the other")
    func presetsDiffer() {
        // A bar of drum-like noise bursts and a voice-like chord.
        let burst = Signal.noise(count: 72_000).enumerated().map { index, x in
            x * Float(DeterministicMath.exp(-Double(index % 12_000) / 900))
        }
        let chord = [196.0, 294, 587].map { Signal.sine($0, count: 72_000, amplitude: 0.2) }
        let input = burst.indices.map { 0.5 * burst[$0] + chord[0][$0] + chord[1][$0] + chord[2][$0] }
        let sounds = DistortionPreset.allCases.map {
            Self.render(input, Parameters(settings: $0.settings, wetDryMix: 100))
        }
        for first in sounds.indices {
            #expect(
                Measure.isFinite(sounds[first]) && Measure.level(sounds[first]) > -30,
                "\(DistortionPreset.allCases[first])")
            for second in (first + 1)..<max(sounds.count, first + 1) {
                let alike = Measure.correlation(sounds[first], sounds[second])
                #expect(
                    alike * alike < 0.85, "\(DistortionPreset.allCases[first]) and \(DistortionPreset.allCases[second])"
                )
            }
        }
        #expect(sounds.count == 22)
    }

    @Test(
        "The pre-gain drives the distorted presets: from −40 to +10 dB their harmonics grow by more than 3 dB against the tone",
        arguments: [DistortionPreset.multiDistortedFunk, .multiDistortedCubed, .multiDistortedSquared])
    func driven(preset: DistortionPreset) {
        /// Power of the second to the tenth harmonic against that of the first, in dB.
        func distortion(_ preGain: Float) -> Double {
            let output = Self.render(
                Signal.sine(1000, count: 9600, amplitude: 0.5),
                Parameters(settings: preset.settings, preGain: preGain, wetDryMix: 100))
            let levels = (1...10).map { Measure.tone(1000 * Double($0), in: Array(output.suffix(4800))).amplitude }
            return 0.5 * Measure.decibels(levels.dropFirst().reduce(0) { $0 + $1 * $1 } / (levels[0] * levels[0]))
        }
        let (soft, usual, hard) = (distortion(-40), distortion(-6), distortion(10))
        #expect(hard > soft + 3 && usual > soft + 3, "\(soft), \(usual), \(hard) dB")
    }

    @Test(
        "The echo comes after its delay, and e^−decay quieter every time",
        arguments: [(Float(10), Float(1)), (250, 0.1), (0.1, 0.7)])
    func echo(milliseconds: Float, decay: Float) {
        let output = Self.render(
            Signal.impulse(count: 48_000),
            Self.parameters { ($0.delay, $0.decay, $0.delayMix) = (milliseconds, decay, 100) })
        let frames = Int((milliseconds * 48).rounded())
        // The DC blocker takes away a constant trickle behind each; the clipper at −60 dB takes nothing.
        let scale = 1000.0
        #expect(Measure.peak(output.prefix(frames)) == 0)
        for echo in 1...3 {
            #expect(
                abs(Double(output[frames * echo]) * scale - DeterministicMath.exp(-Double(decay) * Double(echo - 1)))
                    < 0.01, "echo \(echo)")
        }
    }

    @Test("The square gives the second harmonic and no mean, the cube the third", arguments: [Float(0.25), 1])
    func polynomial(amount: Float) {
        let tone = Signal.sine(500, count: 96_000, amplitude: 0.5)
        func settled(_ change: (inout DistortionSettings) -> Void) -> [Float] {
            Array(Self.render(tone, Self.parameters(change)).suffix(48_000))
        }
        // sin² = ½ − ½cos2x and sin³ = ¾sin x − ¼sin3x, at amplitude ½.
        let squared = settled { ($0.squaredTerm, $0.polynomialMix) = (amount, 100) }
        #expect(abs(Self.harmonics(of: squared, 500, upTo: 3)[2] - Measure.decibels(Double(amount) * 0.25)) < 0.05)
        #expect(abs(squared.reduce(0) { $0 + Double($1) } / 48_000) < 1e-4 * Double(Measure.peak(squared)))
        let cubed = settled { ($0.cubicTerm, $0.polynomialMix) = (amount, 100) }
        let third = Double(amount) / 32
        #expect(abs(Self.harmonics(of: cubed, 500, upTo: 3)[3] - Measure.decibels(third / (0.5 + 3 * third))) < 0.05)
        #expect(Self.harmonics(of: cubed, 500, upTo: 3)[2] < -90)
    }

    @Test("The ring modulator turns a tone into sum and difference, with the frequencies exact after ten minutes")
    func ringModulator() {
        let parameters = Self.parameters {
            ($0.ringModFrequency1, $0.ringModFrequency2, $0.ringModBalance, $0.ringModMix) = (300, 77, 0, 100)
        }
        let output = Array(Self.render(Signal.sine(1000, count: 96_000), parameters).suffix(48_000))
        let (sum, difference) = (Measure.tone(1300, in: output), Measure.tone(700, in: output))
        #expect(abs(sum.amplitude - 0.0005) < 1e-6 && abs(difference.amplitude - 0.0005) < 1e-6)
        #expect(Measure.tone(1000, in: output).amplitude < 1e-7)

        // A constant of 1 (−60 dB after the clip) would be taken out by the DC blocker, its product is the oscillator
        // itself.
        var distortion = DistortionEffect(sampleRate: 48_000, channelCount: 1, parameters: parameters)
        let constant = [Float](repeating: 1, count: 480_000)
        let early = Array(run(&distortion, constant).suffix(48_000))
        var late: [Float] = []
        for _ in 1..<60 { late = Array(run(&distortion, constant).suffix(48_000)) }
        // 300 Hz fit a whole number of times into every ten seconds.
        #expect(Measure.largestDifference(early, late) < 1e-9)
        #expect(Measure.tone(300, in: late).signalToNoise > 110)
    }

    @Test("The balance chooses between the two oscillators")
    func balance() {
        let tone = Signal.sine(1000, count: 96_000)
        for (balance, first, second) in [(Float(0), 1.0, 0.0), (50, 0.5, 0.5), (100, 0, 1)] {
            let parameters = Self.parameters {
                ($0.ringModFrequency1, $0.ringModFrequency2, $0.ringModBalance, $0.ringModMix) = (300, 80, balance, 100)
            }
            let output = Array(Self.render(tone, parameters).suffix(48_000))
            #expect(abs(Measure.tone(1300, in: output).amplitude - first * 0.0005) < 1e-6)
            #expect(abs(Measure.tone(1080, in: output).amplitude - second * 0.0005) < 1e-6)
        }
    }

    @Test(
        "Decimation holds samples for 2^(8·percent) frames of 48 kHz, at any rate", arguments: [Float(25), 50, 75],
        [48_000.0, 96_000])
    func decimation(percent: Float, sampleRate: Double) {
        let output = Self.render(
            Signal.noise(count: 48_000), Self.parameters { ($0.decimation, $0.decimationMix) = (percent, 100) },
            sampleRate: sampleRate)
        // The DC blocker tilts the steps by far less than they are high.
        let steps = zip(output, output.dropFirst()).count { ($0 - $1).magnitude > 2e-5 }
        let held = 1 + (DeterministicMath.exp2(8 * Double(percent) / 100) - 1) * sampleRate / 48_000
        #expect(abs(48_000 / Double(max(steps, 1)) / held - 1) < 0.05)
    }

    @Test("Rounding leaves a sound with as many levels as its step says")
    func rounding() {
        let input = Signal.noise(count: 20_000)
        let plain = Self.render(input, Self.parameters())
        #expect(
            Measure.sameBytes(Self.render(input, Self.parameters { ($0.rounding, $0.decimationMix) = (0, 100) }), plain)
        )
        for (percent, step) in [(Float(75), 1.0 / 16), (50, 1.0 / 256), (100, 1)] {
            let coarse = Self.render(input, Self.parameters { ($0.rounding, $0.decimationMix) = (percent, 100) })
            let error = Measure.rms(zip(coarse, plain).map { ($0 - $1) * 1000 })
            // An error spread evenly over a step has an RMS of step/√12.
            #expect(abs(error / step * 12.0.squareRoot() - 1) < 0.03, "\(percent) %")
        }
    }

    @Test("The clipper is transparent far below its knee and never lets more than 1 through")
    func clipper() {
        let quiet = Array(
            Self.render(Signal.sine(500, count: 96_000, amplitude: 0.001), Self.parameters { $0.softClipGain = 0 })
                .suffix(48_000))
        #expect(Self.harmonics(of: quiet, 500, upTo: 3)[3] < -110)
        let loud = Array(
            Self.render(Signal.sine(500, count: 96_000), Self.parameters(preGain: 20) { $0.softClipGain = 20 }).suffix(
                48_000))
        // Behind the clipper the DC blocker lets the flat tops sink by 6 %, half of it on either side.
        #expect(Measure.peak(loud) < 1.04 && Measure.peak(loud) > 0.99)
        // A square wave's third harmonic lies at a third.
        #expect(abs(Self.harmonics(of: loud, 500, upTo: 3)[3] - Measure.decibels(1.0 / 3)) < 0.3)
    }

    @Test("Changes do not click")
    func glides() {
        let change = Self.parameters(preGain: 6) {
            ($0.cubicTerm, $0.polynomialMix, $0.softClipGain) = (1, 60, 0)
            ($0.ringModFrequency1, $0.ringModMix, $0.delayMix, $0.delay) = (30, 70, 40, 30)
        }
        let output = Self.render(
            Signal.sine(100, count: 48_000, amplitude: 0.3), Self.parameters { $0.softClipGain = 0 },
            changes: [9600: change, 19_200: Self.parameters { $0.ringModMix = 0 }, 28_800: Self.parameters(mix: 0)])
        // The tone bends by 5e-5 per frame², straight glides of 480 frames by up to 1/480 at their ends.
        #expect(Measure.largestKink(Array(output.dropFirst(4800))) < 3e-3)
    }

    @Test("Settings that make no sense still make a sound that is finite")
    func absurdSettings() {
        for value: Float in [.nan, .infinity, -.infinity, -1e30, 1e30] {
            var settings = DistortionSettings()
            withUnsafeMutableBytes(of: &settings) { $0.bindMemory(to: Float.self).update(repeating: value) }
            let output = Self.render(
                Signal.noise(count: 3000), Parameters(settings: settings, preGain: value, wetDryMix: 100))
            #expect(Measure.isFinite(output) && Measure.peak(output) <= 2)
        }
    }
}

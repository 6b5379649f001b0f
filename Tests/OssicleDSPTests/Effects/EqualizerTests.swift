import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct EqualizerTests {
    typealias Kind = FilterKind

    static func equalizer(
        _ bands: [EqualizerBand], gain: Float = 0, channels: Int = 1, sampleRate: Double = 48000
    ) -> Equalizer {
        Equalizer(sampleRate: sampleRate, channelCount: channels, parameters: .init(globalGain: gain), bands: bands)
    }

    static func band(_ kind: Kind, _ frequency: Float = 1000, bandwidth: Float = 0.5, gain: Float = 0) -> EqualizerBand
    {
        EqualizerBand(kind: kind, frequency: frequency, bandwidth: bandwidth, gain: gain, bypass: false)
    }

    /// Nine bands, two of them idle: one group of four in the pipeline, and some left over.
    static let several = [
        band(.lowShelf, 100, gain: 6), band(.parametric, 300, gain: -12), EqualizerBand(),
        band(.parametric, 2000, bandwidth: 1, gain: 9),
        band(.highShelf, 6000, gain: -4), band(.parametric, 500), band(.resonantLowPass, 12_000, bandwidth: 1),
        band(.bandStop, 4000),
        band(.highPass, 30),
    ]

    static func set(
        _ bands: [(Int, EqualizerBand)], gain: Float = 0, in equalizer: inout Equalizer, atOnce: Bool = false
    ) {
        for (index, band) in bands { equalizer.bandCell(index)?.write(band) }
        equalizer.take(.init(globalGain: gain, revision: 1), atOnce: atOnce)
    }

    @Test("The effect laws hold, with bands switched on, off and over")
    func laws() {
        EffectLaws(
            make: { Self.equalizer(Self.several, gain: -3, channels: $0) },
            change: {
                Self.set(
                    [(0, EqualizerBand()), (2, Self.band(.parametric, 700, gain: 12)), (3, Self.band(.lowPass, 9000))],
                    gain: 2, in: &$0)
            },
            tail: Equalizer.tailTime(of: Self.several, sampleRate: 48000)
        ).check()
    }

    @Test(
        "Every kind has the cookbook's response within 0.01 dB, from its impulse response", arguments: Kind.allCases,
        [44_100.0, 48_000, 96_000])
    func responses(kind: Kind, sampleRate: Double) {
        for frequency in [110.0, 1000, 5300, sampleRate * 0.4] {
            // The slowest band, a quarter of an octave raised by 12 dB at 96 kHz, has fallen by 178 dB then, or by 404.
            let frames = frequency < 500 ? 1 << 16 : 1 << 14
            for bandwidth: Float in [0.25, 0.5, 2] {
                for gain: Float in [-30, -6, 12] {
                    let band = Self.band(kind, Float(frequency), bandwidth: bandwidth, gain: gain)
                    var equalizer = Self.equalizer([band], sampleRate: sampleRate)
                    let spectrum = OssicleTestSupport.Spectrum(
                        of: run(&equalizer, Signal.impulse(count: frames)), sampleRate: sampleRate)
                    let cookbook = Cookbook(band, sampleRate: sampleRate)
                    for octave in stride(from: 5.0, through: 14.25, by: 0.75) {
                        let bin = Int((DeterministicMath.exp2(octave) / sampleRate * Double(spectrum.count)).rounded())
                        let expected = cookbook.decibels(at: spectrum.frequency(bin), sampleRate: sampleRate)
                        // Below that the rounding of the output's samples shows.
                        guard expected > -80 else { continue }
                        let measured = 10 * DeterministicMath.log10(spectrum.energy(bin))
                        #expect(abs(measured - expected) < 0.01, "\(band) at \(spectrum.frequency(bin)) Hz")
                    }
                }
            }
        }
    }

    @Test(
        "A bell has its gain at its centre, and half of it in dB at the edges of its bandwidth",
        arguments: [(40.0, 1.0), (1000, 0.5), (3000, 0.1), (8000, 2)])
    func bell(frequency: Double, octaves: Double) {
        for gain: Float in [-40, -6, 3, 24] {
            let band = Self.band(.parametric, Float(frequency), bandwidth: Float(octaves), gain: gain)
            func measured(_ at: Double) -> Double {
                var equalizer = Self.equalizer([band])
                let input = Signal.sine(at, count: 96_000)
                return Measure.gain(at: at, from: input, to: run(&equalizer, input), skip: 48_000)
            }
            #expect(abs(measured(frequency) - Double(gain)) < 0.05)
            // The bilinear transform bends the edges a little; far below half the sample rate it does not.
            guard frequency <= 1000 else { continue }
            for edge in [
                frequency / DeterministicMath.exp2(octaves / 2), frequency * DeterministicMath.exp2(octaves / 2),
            ] {
                #expect(abs(measured(edge) - Double(gain) / 2) < 0.3, "\(gain) dB at \(edge) Hz")
            }
        }
    }

    @Test("Without bands, with bands bypassed and with bells of 0 dB the output is the input, bit for bit")
    func transparent() {
        let input = Signal.noise(count: 3000) + [-0.0, .leastNormalMagnitude]
        for bands in [
            [], [EqualizerBand](repeating: EqualizerBand(), count: 256),
            [Self.band(.parametric), Self.band(.lowShelf)],
        ] {
            var equalizer = Self.equalizer(bands)
            #expect(Measure.sameBytes(run(&equalizer, input), input))
        }
    }

    @Test("The global gain is exact, and alone when there are no bands")
    func globalGain() {
        let input = Signal.noise(count: 1000)
        for gain: Float in [-96, -6, 24] {
            var equalizer = Equalizer(sampleRate: 48000, channelCount: 1, parameters: .init(globalGain: gain))
            let output = run(&equalizer, input)
            #expect(abs(Measure.level(output) - Measure.level(input) - Double(gain)) < 1e-4)
        }
    }

    @Test("256 bands that undo one another leave the sound as it was within 0.01 dB")
    func manyBands() {
        let bands = (0..<256).map { (number: Int) -> EqualizerBand in
            let frequency = 30 * Float(DeterministicMath.exp2(Double(number / 2) / 14))
            return Self.band(.parametric, frequency, bandwidth: 1, gain: number % 2 == 0 ? 10 : -10)
        }
        var equalizer = Self.equalizer(bands, channels: 2)
        let input = Signal.noise(count: 48_000)
        let output = run(&equalizer, [input, input])
        for channel in output {
            #expect(Measure.level(zip(channel, input).map { $0 - $1 }) < Measure.level(input) - 60)
        }
    }

    @Test("Changes while a tone sounds do not click", arguments: Kind.allCases)
    func changes(kind: Kind) {
        var equalizer = Self.equalizer([EqualizerBand(), Self.band(.parametric, 500, gain: 12)])
        let wild = Self.band(kind, 150, bandwidth: 1, gain: -20)
        let output = run(&equalizer, Signal.sine(100, count: 48_000, amplitude: 0.5)) { equalizer, done in
            switch done {
            case 9600: Self.set([(0, wild)], in: &equalizer)
            case 14_464: Self.set([(1, Self.band(.lowShelf, 2000, gain: 3))], gain: 6, in: &equalizer)
            case 19_200: Self.set([(0, Self.band(.parametric, 8000, gain: 24))], in: &equalizer)
            case 19_328: Self.set([(0, EqualizerBand())], in: &equalizer)
            default: break
            }
        }
        // A jump of the tone (amplitude 2 after the first bell) bends by up to 2; a straight glide of 480 frames, at
        // its ends, by 1/240.
        #expect(Measure.largestKink(Array(output.dropFirst(4800))) < 0.01)
    }

    @Test("After a glide the band is what it would have been from the start")
    func arrival() {
        let input = Signal.noise(count: 96_000)
        let target = Self.band(.resonantHighPass, 400, bandwidth: 1)
        var glided = Self.equalizer([Self.band(.lowShelf, 5000, gain: 9)])
        var settled = Self.equalizer([target])
        let output = run(&glided, input) { equalizer, done in
            if done == 4096 { Self.set([(0, target)], in: &equalizer) }
        }
        #expect(
            Measure.largestDifference(Array(output.suffix(48_000)), Array(run(&settled, input).suffix(48_000))) < 1e-6)
    }

    @Test("A band is heard only when its parameters are taken up, and at once if so asked")
    func handOver() {
        let input = Signal.noise(count: 1280)
        var equalizer = Self.equalizer([EqualizerBand()])
        var fresh = Self.equalizer([Self.band(.lowPass, 300)])
        equalizer.bandCell(0)?.write(Self.band(.lowPass, 300))
        #expect(Measure.sameBytes(run(&equalizer, input), input))
        equalizer.take(.init(revision: 1), atOnce: true)
        #expect(Measure.sameBytes(run(&equalizer, input), run(&fresh, input)))
        #expect(equalizer.bandCell(1) == nil && equalizer.bandCell(-1) == nil)
    }

    @Test(
        "At 96 kHz a tone in a narrow low band has noise below −110 dB",
        arguments: [Kind.parametric, .resonantLowPass, .bandPass, .lowShelf, .resonantHighPass])
    func noise(kind: Kind) {
        var equalizer = Self.equalizer([Self.band(kind, 25, bandwidth: 0.2, gain: 12)], sampleRate: 96_000)
        let output = run(&equalizer, Signal.sine(23, sampleRate: 96_000, count: 960_000, amplitude: 0.1))
        let tone = Measure.tone(23, in: Array(output.suffix(192_000)), sampleRate: 96_000)
        #expect(tone.signalToNoise > 110)
    }

    @Test(
        "A band rings for as long as its tail time says",
        arguments: [(Float(40), Float(0.2), Float(18)), (1000, 0.05, 24), (200, 1, -12)])
    func tailTime(frequency: Float, bandwidth: Float, gain: Float) {
        let band = Self.band(.parametric, frequency, bandwidth: bandwidth, gain: gain)
        let tail = Equalizer.tailTime(of: [band], sampleRate: 48_000)
        var equalizer = Self.equalizer([band])
        let ringing = Array(run(&equalizer, Signal.impulse(count: Int(tail * 2 * 48_000))).dropFirst())
        func envelope(_ seconds: Double) -> Double {
            Measure.level(Array(ringing.dropFirst(Int(seconds * 48_000)).prefix(Int(96_000 / frequency))))
        }
        #expect(abs(envelope(tail) - envelope(0) + 60) < 3)
    }

    @Test("Bands that make no sense still make a filter that works")
    func absurdBands() {
        for kind in Kind.allCases {
            for value: Float in [.nan, .infinity, -.infinity, 0, -5, 1e30] {
                var equalizer = Self.equalizer(
                    [EqualizerBand(kind: kind, frequency: value, bandwidth: value, gain: value, bypass: false)],
                    gain: value)
                #expect(
                    Measure.isFinite(run(&equalizer, Signal.noise(count: 2000, amplitude: 0.1))), "\(kind) \(value)")
            }
        }
    }

    @Test("A Q and its bandwidth say the same", arguments: [0.3, 0.7071067811865476, 5, 30])
    func bandwidthOfQ(q: Double) {
        let band = Self.band(.resonantLowPass, 1000, bandwidth: EqualizerBand.bandwidth(q: q))
        // A low pass of quality Q has the gain Q at its corner.
        #expect(
            abs(Cookbook(band, sampleRate: 48_000).decibels(at: 1000, sampleRate: 48_000) - Measure.decibels(q)) < 1e-3)
    }
}

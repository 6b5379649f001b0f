import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct BiquadTests {
    static let designs: [(String, BiquadCoefficients)] = [
        ("low pass", .lowPass(1000, sampleRate: 48000)), ("high pass", .highPass(1000, sampleRate: 48000)),
        ("band pass", .bandPass(1000, q: 2, sampleRate: 48000)), ("notch", .notch(1000, q: 2, sampleRate: 48000)),
        ("all pass", .allPass(1000, q: 2, sampleRate: 48000)),
        ("peaking", .peaking(1000, q: 1, gain: 9, sampleRate: 48000)),
        ("low shelf", .lowShelf(1000, gain: -12, sampleRate: 48000)),
        ("high shelf", .highShelf(1000, gain: 6, sampleRate: 48000)),
    ]

    @Test("A biquad's measured gain is its magnitude response within 0.001 dB", arguments: designs)
    func measuredGain(name: String, coefficients: BiquadCoefficients) {
        for frequency in [50.0, 400, 1800, 9000] {
            var filter = Biquad(coefficients)
            let input = Signal.sine(frequency, count: 16000)
            let output = render(input) { filter.process(from: $0, to: $1, $2) }
            let measured = Measure.gain(at: frequency, from: input, to: output, skip: 8000)
            #expect(abs(measured - Measure.decibels(coefficients.magnitude(at: frequency, sampleRate: 48000))) < 0.001)
        }
    }

    @Test("The cookbook's designs have the gains they are named for")
    func namedGains() {
        func decibels(_ c: BiquadCoefficients, _ frequency: Double) -> Double {
            Measure.decibels(c.magnitude(at: frequency, sampleRate: 48000))
        }
        #expect(abs(decibels(.lowPass(1000, sampleRate: 48000), 1000) + 3.0103) < 1e-3)
        #expect(abs(decibels(.highPass(1000, sampleRate: 48000), 1000) + 3.0103) < 1e-3)
        #expect(abs(decibels(.bandPass(1000, q: 3, sampleRate: 48000), 1000)) < 1e-6)
        #expect(decibels(.notch(1000, q: 3, sampleRate: 48000), 1000) < -150)
        #expect(abs(decibels(.allPass(1000, q: 3, sampleRate: 48000), 777)) < 1e-6)
        #expect(abs(decibels(.peaking(1000, q: 3, gain: 7, sampleRate: 48000), 1000) - 7) < 1e-6)
        #expect(abs(decibels(.lowShelf(1000, gain: -12, sampleRate: 48000), 1000) + 6) < 1e-6)
        #expect(abs(decibels(.lowShelf(1000, gain: -12, sampleRate: 48000), 1) + 12) < 1e-3)
        #expect(abs(decibels(.highShelf(1000, gain: 6, sampleRate: 48000), 23999) - 6) < 1e-3)
    }

    @Test("Every design is stable, also for absurd arguments")
    func stability() {
        for frequency in [-1, 0, 20, 24000, 1e9] {
            for q in [-1, 0.3, 50] {
                #expect(BiquadCoefficients.lowPass(frequency, q: q, sampleRate: 48000).isStable)
                #expect(BiquadCoefficients.peaking(frequency, q: q, gain: 500, sampleRate: 48000).isStable)
                #expect(BiquadCoefficients.highShelf(frequency, q: q, gain: -500, sampleRate: 48000).isStable)
            }
        }
    }

    @Test("A biquad gives the same bytes however its calls are cut")
    func cuts() {
        let input = Signal.noise(count: 6000)
        let results = [[128], [1], awkwardCuts].map { blocks in
            var filter = Biquad(.peaking(700, q: 2, gain: 6, sampleRate: 48000))
            return render(input, blocks: blocks) { filter.process(from: $0, to: $1, $2) }
        }
        #expect(Measure.sameBytes(results[0], results[1]))
        #expect(Measure.sameBytes(results[0], results[2]))
    }

    @Test("After a NaN a biquad is itself again within a quantum, and has counted it")
    func recovery() {
        var input = Signal.sine(500, count: 48000)
        input[1000] = .nan
        var filter = Biquad(.lowPass(2000, sampleRate: 48000))
        let output = render(input) { filter.process(from: $0, to: $1, $2) }
        #expect(Measure.isFinite(output.dropFirst(1152)))
        #expect(filter.feedback.faults == 1)
    }
}

import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct StateVariableFilterTests {
    typealias Pair = (shape: StateVariableFilter.Shape, cookbook: BiquadCoefficients)
    static let pairs: [Pair] = [
        (.lowPass, .lowPass(1200, q: 1.5, sampleRate: 48000)), (.highPass, .highPass(1200, q: 1.5, sampleRate: 48000)),
        (.bandPass, .bandPass(1200, q: 1.5, sampleRate: 48000)), (.notch, .notch(1200, q: 1.5, sampleRate: 48000)),
        (.allPass, .allPass(1200, q: 1.5, sampleRate: 48000)),
        (.peaking(8), .peaking(1200, q: 1.5, gain: 8, sampleRate: 48000)),
        (.lowShelf(-9), .lowShelf(1200, q: 1.5, gain: -9, sampleRate: 48000)),
        (.highShelf(-9), .highShelf(1200, q: 1.5, gain: -9, sampleRate: 48000)),
    ]

    @Test(
        "Each shape has the response of the cookbook biquad of the same name within 0.01 dB", arguments: 0..<pairs.count
    )
    func agreesWithCookbook(index: Int) {
        let pair = Self.pairs[index]
        for frequency in [60.0, 500, 2000, 11000] {
            var filter = StateVariableFilter(pair.shape, frequency: 1200, q: 1.5, sampleRate: 48000)
            let input = Signal.sine(frequency, count: 16000)
            let output = render(input) { filter.process(from: $0, to: $1, $2) }
            let expected = Measure.decibels(pair.cookbook.magnitude(at: frequency, sampleRate: 48000))
            #expect(abs(Measure.gain(at: frequency, from: input, to: output, skip: 8000) - expected) < 0.01)
        }
    }

    @Test("A filter thrown about at random every few frames stays bounded")
    func modulation() {
        var filter = StateVariableFilter(.lowPass, frequency: 100, q: 20, sampleRate: 48000)
        let (input, random) = (Signal.noise(count: 48000), Signal.noise(count: 48000, seed: 7))
        var turn = 0
        let output = render(input, blocks: [7]) {
            filter.setTarget(
                .lowPass, frequency: 20 + 20000 * Double(random[turn].magnitude), q: 20, sampleRate: 48000, frames: 7)
            turn += 1
            filter.process(from: $0, to: $1, $2)
        }
        #expect(Measure.peak(output) < 40)
        #expect(Measure.peak(output) > 0.1)
    }

    @Test("Arguments that are not numbers make a filter that still works")
    func absurdArguments() {
        let input = Signal.noise(count: 1000)
        for shape in [StateVariableFilter.Shape.peaking(.nan), .lowShelf(.infinity), .lowPass] {
            var filter = StateVariableFilter(shape, frequency: .nan, q: .nan, sampleRate: 48000)
            let output = render(input) { filter.process(from: $0, to: $1, $2) }
            #expect(Measure.isFinite(output) && Measure.peak(output) > 0.1)
        }
    }

    @Test("A sweep gives the same bytes however its calls are cut")
    func cuts() {
        let input = Signal.noise(count: 6000)
        let results = [[128], [1], awkwardCuts].map { blocks in
            var filter = StateVariableFilter(.bandPass, frequency: 200, q: 3, sampleRate: 48000)
            filter.setTarget(.bandPass, frequency: 5000, q: 1, sampleRate: 48000, frames: 1777)
            return render(input, blocks: blocks) { filter.process(from: $0, to: $1, $2) }
        }
        #expect(Measure.sameBytes(results[0], results[1]))
        #expect(Measure.sameBytes(results[0], results[2]))
    }
}

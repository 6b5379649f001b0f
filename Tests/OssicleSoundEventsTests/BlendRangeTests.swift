import Testing
@testable import OssicleSoundEvents

@Suite struct BlendRangeTests {
    @Test("below fades out towards its value along the curve")
    func below() {
        let range = BlendRange.below(value: 4, full: 2, curve: .squared)
        for (x, gain) in [(-1e9, 1), (2, 1), (3, 0.25), (4, 0), (5, 0)] as [(Double, Double)] {
            #expect(range.gain(at: x) == gain)
        }
    }

    @Test("above fades in from its value along the curve")
    func above() {
        let range = BlendRange.above(value: 2, full: 4, curve: .cubed)
        for (x, gain) in [(1, 0), (2, 0), (3, 0.125), (4, 1), (1e9, 1)] as [(Double, Double)] {
            #expect(range.gain(at: x) == gain)
        }
    }

    @Test("between has a fade of its own at each side")
    func between() {
        let range = BlendRange.between(
            low: 0, fullLow: 2, lowCurve: .squared, high: 10, fullHigh: 6, highCurve: .linear)
        for (x, gain) in [(0, 0), (1, 0.25), (2, 1), (4, 1), (6, 1), (9, 0.25), (10, 0)] as [(Double, Double)] {
            #expect(range.gain(at: x) == gain)
        }
    }

    @Test("thresholds that coincide or cross leave a step at the audible limit")
    func steps() {
        for full in [1.0, 3.0] {
            let range = BlendRange.below(value: 1, full: full, curve: .linear)
            #expect(range.gain(at: 1.0.nextDown) == 1 && range.gain(at: 1) == 0)
        }
        for full in [1.0, 0.0] {
            let range = BlendRange.above(value: 1, full: full, curve: .linear)
            #expect(range.gain(at: 1.0.nextUp) == 1 && range.gain(at: 1) == 0)
        }
    }

    @Test("an envelope gives the gain, never below 0; NaN is heard nowhere")
    func envelope() throws {
        let envelope = try #require(Envelope(start: [0, -1], segments: [.init(end: [1, 2], curve: .linear)]))
        #expect(BlendRange.envelope(envelope).gain(at: 0) == 0)
        #expect(BlendRange.envelope(envelope).gain(at: 1) == 2)
        #expect(BlendRange.envelope(envelope).gain(at: .nan) == 0)
        #expect(BlendRange.above(value: 0, full: 1, curve: .linear).gain(at: .nan) == 0)
        let undefined = BlendRange.above(value: .nan, full: 1, curve: .linear)
        #expect(undefined.gain(at: 5) == 0 && !undefined.isWellDefined)
    }

    @Test("infinite thresholds never divide infinity by infinity")
    func infinite() {
        let range = BlendRange.below(value: .infinity, full: 0, curve: .linear)
        for x in [-1, 0, 1, 1e300, Double.infinity] { #expect((0...1).contains(range.gain(at: x))) }
    }
}

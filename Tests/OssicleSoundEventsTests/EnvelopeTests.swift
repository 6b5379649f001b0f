import Testing
@testable import OssicleSoundEvents

@Suite struct EnvelopeTests {
    private func envelope(_ start: SIMD2<Double>, _ ends: [SIMD2<Double>], _ curve: CurveType = .linear) -> Envelope? {
        Envelope(start: start, segments: ends.map { Envelope.Segment(end: $0, curve: curve) })
    }

    @Test("segments are sorted, joined and held at the ends")
    func evaluates() throws {
        let hat = try #require(envelope([0, 0], [[2, 0], [1, 1]]))
        for (x, y) in [(-5, 0), (0, 0), (0.25, 0.25), (1, 1), (1.5, 0.5), (2, 0), (9, 0)] as [(Double, Double)] {
            #expect(hat.evaluate(x) == y)
        }
        #expect(hat.domain == 0...2)
        #expect(hat.range == 0...1)
    }

    @Test("the curve shapes the way, also downwards")
    func curved() throws {
        let fall = try #require(envelope([10, 1], [[20, 0]], .squared))
        #expect(fall.evaluate(15) == 0.75)
        let rise = try #require(envelope([10, -1], [[20, 1]], .squared))
        #expect(rise.evaluate(15) == -0.5)
    }

    @Test("a start to the right of the leftmost end makes no envelope, nor do coordinates that are not finite")
    func refused() {
        #expect(envelope([1.5, 0], [[1, 1], [2, 0]]) == nil)
        #expect(envelope([.nan, 0], [[1, 1]]) == nil)
        #expect(envelope([0, 0], [[1, .infinity]]) == nil)
        #expect(envelope([1, 0], [[1, 1]]) != nil)
    }

    @Test("no segments at all hold the start value everywhere")
    func empty() throws {
        let point = try #require(envelope([3, 0.4], []))
        #expect(point.segments == [Envelope.Segment(end: [3, 0.4], curve: .linear)])
        #expect(point.domain == 3...3)
        for x in [-1e300, 3, 1e300, .nan] { #expect(point.evaluate(x) == 0.4) }
    }

    @Test("a vertical step takes its new value at once")
    func step() throws {
        let step = try #require(envelope([0, 0], [[1, 0], [1, 1], [2, 1]]))
        #expect(step.evaluate(1.0.nextDown) == 0)
        #expect(step.evaluate(1) == 1)
    }

    @Test("values stay within the points even where differences overflow; NaN gives the start value")
    func extremes() throws {
        let great = Double.greatestFiniteMagnitude
        let huge = try #require(envelope([-great, -great], [[great, great]]))
        for x in [-great, 0, 1, great, .infinity, -.infinity, .nan] { #expect(huge.evaluate(x).isFinite) }
        #expect(huge.evaluate(.nan) == -great)
        let level = try #require(envelope([0, 0.3], [[1, 0.3]], .sine))
        for x in stride(from: 0, through: 1, by: 0.01) { #expect(level.evaluate(x) == 0.3) }
    }
}

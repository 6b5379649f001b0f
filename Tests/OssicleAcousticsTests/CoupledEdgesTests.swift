@testable import OssicleAcoustics
import COssicle
import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

/// Two edges, one after the other, at many frequencies at once: against the formulas in double precision, one
/// frequency at a time.
@Suite struct CoupledEdgesTests {
    @Test("Two edges send D₁D₂X of their terms, within 1e-5 of the largest at the tones whose amplitudes are computed")
    func terms() {
        let random = CounterRandom(seed: 20, object: 35)
        let root = 1.2 * OctaveTone.factors[0]
        // Three quarters of an octave from one frequency to the next.
        let computed = [(0, 0), (0, 3), (1, 2), (2, 1), (3, 0), (3, 3), (4, 2)]
        let coupled = CoupledEdges(count: 5, root)
        for index in 0..<UInt64(200) {
            var drawn: UInt64 = 0
            func draw(_ low: Double, _ high: Double) -> Double {
                drawn += 1
                return low + (high - low) * random.unit(64 * index + drawn)
            }
            func pair(_ low: Double, _ high: Double) -> (Float, Float) {
                (Float(draw(low, high)), Float(draw(low, high)))
            }
            func terms(isAlong: Bool) -> ossicle_edge_terms {
                let (c, d, u, v) = (pair(-1, 1), pair(-1, 1), pair(0, 1), pair(0, 1))
                return ossicle_edge_terms(
                    weights: (c.0, c.1, d.0, d.1), arguments: (u.0, u.1, v.0, v.1), last_weights: pair(-1, 1),
                    last_arguments: pair(0, 1), sides: (draw(-1, 1) < 0 ? -1 : 1, draw(-1, 1) < 0 ? -1 : 1),
                    root: Float(draw(0.3, 1.5)), last_root: Float(draw(0.3, 1.5)), is_along: isAlong)
            }
            let (one, two) = (terms(isAlong: index % 3 == 0), terms(isAlong: index % 5 == 0))
            let (correlation, angle) = (draw(-0.8, 0.8), draw(0, 3))
            var (first, second) = (edge(coupled, one), edge(coupled, two))
            var fields = [Tones](repeating: .zero, count: 5)
            coupled.add(
                &first, &second, correlation: correlation, Phasor(real: 0.6, imaginary: -0.8), ToneTurn(angle),
                to: &fields)
            let (lowestOne, lowestTwo) = (PlainEdge(one, root), PlainEdge(two, root))
            var (largest, worst) = (0.0, 0.0)
            for (band, tone) in computed {
                let scale = Double(1 << band).squareRoot() * OctaveTone.factors[tone]
                let (a, b) = (PlainEdge(one, 1.2 * scale), PlainEdge(two, 1.2 * scale))
                var sum = a.sum * b.sum
                for i in a.waves.indices {
                    for j in b.waves.indices where lowestOne.places[i] * lowestTwo.places[j] < 1 {
                        let r = a.slopes[i] * b.slopes[j] * (-correlation * a.sides[i] * b.sides[j])
                        sum = sum + a.waves[i] * b.waves[j] * (Self.coupling(r) - Complex(re: 1, im: 0))
                    }
                }
                let phase = angle * scale * scale
                sum = sum * Complex(re: 0.6, im: -0.8) * Complex(re: cos(phase), im: -sin(phase))
                let found = Complex(re: fields[band].real[tone], im: fields[band].imaginary[tone])
                largest = max(largest, sum.magnitude)
                worst = max(worst, (found - sum).magnitude)
            }
            #expect(worst < 1e-5 * largest, "\(index): \(worst) of \(largest)")
        }
    }

    private func edge(_ coupled: CoupledEdges, _ terms: ossicle_edge_terms) -> ossicle_edge {
        var edge = ossicle_edge()
        coupled.find(terms, &edge)
        return edge
    }

    /// X₀(r) as it is approximated.
    private static func coupling(_ r: Complex) -> Complex {
        let one = Complex(re: 1, im: 0)
        return (one + r * (Complex(re: 0.1366, im: 0) + r * (Complex(re: 0.1573, im: 0) + r * 0.1203)))
            / (one - r).root
    }

    @Test("Where both edges are on their boundaries, X is (1 + 2/π asin ρ)/√(1 − ρ²) within 8 %")
    func onBothBoundaries() {
        let coupled = CoupledEdges(count: 8, 1)
        for step in -9...9 {
            let correlation = Double(step) / 10
            let terms = ossicle_edge_terms(
                weights: (1, 0, 0, 0), arguments: (0, 0, 0, 0), last_weights: (0, 0), last_arguments: (0, 0),
                sides: (1, 1), root: 1, last_root: 0, is_along: false)
            var (one, two) = (edge(coupled, terms), edge(coupled, terms))
            var fields = [Tones](repeating: .zero, count: 8)
            // Either looks along the path from its own end: on the same side, it is on the other side of the other.
            coupled.add(&one, &two, correlation: -correlation, .one, ToneTurn(0), to: &fields)
            let x = (1 + 2 / .pi * asin(correlation)) / (1 - correlation * correlation).squareRoot()
            // (½ + j½)²
            let expected = 0.5 * x
            for field in fields {
                #expect(abs(field.imaginary[0] - expected) < 0.08 * expected, "ρ = \(correlation)")
                #expect(abs(field.real[0]) < 1e-6)
            }
        }
    }

    /// The terms of an edge at one frequency.
    private struct PlainEdge {
        let waves: [Complex]
        let slopes: [Complex]
        let sides: [Double]
        /// u.
        let places: [Double]
        let sum: Complex

        /// - Parameter number: √k.
        init(_ terms: ossicle_edge_terms, _ number: Double) {
            func wave(_ weight: Float, _ u: Double) -> Complex {
                let u = SIMD4(repeating: u)
                return Complex(re: FresnelTail.f(u).x, im: FresnelTail.g(u).x) * Double(weight)
            }
            let (c, u) = (terms.weights, terms.arguments)
            let weights = [c.0, c.1, c.2, c.3]
            let arguments = [u.0, u.1, u.2, u.3].map { number * Double(terms.root) * Double($0) }
            var before = Complex(re: 1, im: 0)
            if terms.is_along {
                let root = number * Double(terms.last_root)
                before =
                    wave(terms.last_weights.0, root * Double(terms.last_arguments.0))
                    + wave(terms.last_weights.1, root * Double(terms.last_arguments.1))
            }
            let all = zip(weights, arguments).map { wave($0, $1) * before }
            let kinds = terms.is_along ? [0] : [0, 1]
            waves = kinds.map { all[$0] }
            sum = (terms.is_along ? [0, 2] : [0, 1, 2, 3]).reduce(Complex(re: 0, im: 0)) { $0 + all[$1] }
            slopes = kinds.map { kind in
                let tail = wave(1, arguments[kind])
                let f = Complex(re: 0.5, im: 0.5) * Complex(re: tail.im, im: -tail.re)
                let turn = Complex(re: 0.5.squareRoot(), im: 0.5.squareRoot())
                return Complex(re: 0.5, im: 0) / f - turn * (.pi / 2.0.squareRoot() * arguments[kind])
            }
            sides = [Double(terms.sides.0), Double(terms.sides.1)]
            places = kinds.map { arguments[$0] }
        }
    }
}

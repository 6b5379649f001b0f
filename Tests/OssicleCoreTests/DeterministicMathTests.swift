import Foundation
import OssicleCore
import Testing

@Suite struct DeterministicMathTests {
    /// Distance in units in the last place of the expected value.
    static func distance(_ found: Double, _ expected: Double) -> Double {
        if found == expected || (found.isNaN && expected.isNaN) { return 0 }
        guard found.isFinite, expected.isFinite else { return .infinity }
        return abs(found - expected) / max(expected.ulp, .leastNonzeroMagnitude)
    }

    /// The worst distance over 100 000 arguments spread by `argument` over a counter-based uniform number in 0…1.
    static func worst(
        _ f: (Double) -> Double, _ reference: (Double) -> Double, _ argument: (Double) -> Double
    ) -> (ulps: Double, at: Double) {
        let random = CounterRandom(seed: 11, object: 0)
        var result = (ulps: 0.0, at: 0.0)
        for index in 0..<100_000 {
            let x = argument(random.unit(UInt64(index)))
            let ulps = distance(f(x), reference(x))
            if ulps > result.ulps { result = (ulps, x) }
        }
        return result
    }

    @Test("exp is within 4 units in the last place from −708 to 709")
    func exponential() {
        for range in [1e-9, 1, 30, 708] {
            let worst = Self.worst(DeterministicMath.exp, Foundation.exp) { (2 * $0 - 1) * range }
            #expect(worst.ulps <= 4, "\(worst)")
        }
    }

    @Test("log is within 4 units in the last place over the whole range of Double and close to 1")
    func logarithm() {
        for range in [1e-9, 1e-3, 0.7, 100, 700] {
            let worst = Self.worst(DeterministicMath.log, Foundation.log) { Foundation.exp((2 * $0 - 1) * range) }
            #expect(worst.ulps <= 4, "\(worst)")
        }
        let subnormal = Self.worst(DeterministicMath.log, Foundation.log) {
            Double(bitPattern: 1 + UInt64($0 * 0x1p51))
        }
        #expect(subnormal.ulps <= 4, "\(subnormal)")
    }

    @Test("log2, log10 and exp2 are within a relative 1e-14")
    func otherBases() {
        #expect(Self.worst(DeterministicMath.log2, Foundation.log2) { Foundation.exp((2 * $0 - 1) * 600) }.ulps <= 45)
        #expect(Self.worst(DeterministicMath.log10, Foundation.log10) { Foundation.exp((2 * $0 - 1) * 600) }.ulps <= 45)
        #expect(Self.worst(DeterministicMath.exp2, Foundation.exp2) { (2 * $0 - 1) * 60 }.ulps <= 45)
    }

    @Test("pow is within a relative 1e-14 for results from 1e-13 to 1e13")
    func power() {
        for y in [-3.0, -0.5, 0.1, 0.5, 2, 2.5] {
            let worst = Self.worst({ DeterministicMath.pow($0, y) }, { Foundation.pow($0, y) }) {
                Foundation.exp((2 * $0 - 1) * 30 / y)
            }
            #expect(worst.ulps <= 45, "\(y): \(worst)")
        }
    }

    @Test(
        "Sine and cosine of four angles at once have the bits of those one by one, also halfway between quarter turns")
    func fourAngles() {
        let random = CounterRandom(seed: 3, object: 1)
        let special = [0, 1e-300, 0.25, 1, 3, 1e6, 1.5e6, 1e12, .infinity, .nan, -0.75, -2.5]
        for index in 0..<UInt64(20_000) {
            var x = SIMD4<Double>.zero
            for lane in 0..<4 {
                let unit = 2 * random.unit(4 * index + UInt64(lane)) - 1
                x[lane] = unit * [1, 100, 9e5, 0.01][Int(index % 4)]
            }
            // Odd eighths of a turn, and what is no angle.
            if index % 10 == 0 { x[1] = (Double(index / 10) - 900 + 0.5) * DeterministicMath.pi / 2 }
            if index % 50 == 0 { x[2] = special[Int(index / 50) % special.count] }
            let (sines, cosines) = DeterministicMath.sincos(x)
            for lane in 0..<4 {
                let (s, c) = DeterministicMath.sincos(x[lane])
                #expect(sines[lane].bitPattern == s.bitPattern || s.isNaN && sines[lane].isNaN, "\(x[lane])")
                #expect(cosines[lane].bitPattern == c.bitPattern || c.isNaN && cosines[lane].isNaN, "\(x[lane])")
            }
        }
    }

    @Test("sin, cos and tan are within 4 units in the last place up to 10⁶, also next to their zeros")
    func trigonometry() {
        for range in [1e-6, 1, 100, 1e6] {
            #expect(Self.worst(DeterministicMath.sin, Foundation.sin) { (2 * $0 - 1) * range }.ulps <= 4)
            #expect(Self.worst(DeterministicMath.cos, Foundation.cos) { (2 * $0 - 1) * range }.ulps <= 4)
            #expect(Self.worst(DeterministicMath.tan, Foundation.tan) { (2 * $0 - 1) * range }.ulps <= 4)
        }
        let zeros = Self.worst(DeterministicMath.sin, Foundation.sin) { ($0 * 300_000).rounded() * Double.pi }
        #expect(zeros.ulps <= 4, "\(zeros)")
    }

    @Test("atan, atan2, asin and acos are within 4 units in the last place")
    func inverseTrigonometry() {
        #expect(Self.worst(DeterministicMath.atan, Foundation.atan) { (2 * $0 - 1) * 3 }.ulps <= 4)
        #expect(Self.worst(DeterministicMath.atan, Foundation.atan) { Foundation.exp((2 * $0 - 1) * 600) }.ulps <= 4)
        #expect(Self.worst(DeterministicMath.asin, Foundation.asin) { 2 * $0 - 1 }.ulps <= 4)
        #expect(Self.worst(DeterministicMath.acos, Foundation.acos) { 2 * $0 - 1 }.ulps <= 4)
        let around = Self.worst(
            { DeterministicMath.atan2(Foundation.sin($0), Foundation.cos($0)) },
            { Foundation.atan2(Foundation.sin($0), Foundation.cos($0)) }
        ) { (2 * $0 - 1) * 3.14159 }
        #expect(around.ulps <= 4, "\(around)")
    }

    @Test("The ends of the ranges are the C library's: infinities, zeros, not-a-number")
    func ends() {
        for x in [0, -0.0, Double.infinity, -.infinity, .nan, 800, -800, -745.1, 709.7, 709.79, -708.5, -740] {
            #expect(Self.distance(DeterministicMath.exp(x), Foundation.exp(x)) <= 4, "exp \(x)")
            #expect(Self.distance(DeterministicMath.log(x), Foundation.log(x)) <= 4, "log \(x)")
            #expect(Self.distance(DeterministicMath.atan(x), Foundation.atan(x)) <= 4, "atan \(x)")
        }
        #expect(DeterministicMath.sin(.infinity).isNaN && DeterministicMath.cos(.nan).isNaN)
        #expect(
            DeterministicMath.pow(0, 2) == 0 && DeterministicMath.pow(0, 0) == 1 && DeterministicMath.pow(-1, 0.5).isNaN
        )
        #expect(
            DeterministicMath.atan2(0, 0) == 0 && DeterministicMath.asin(2) == Double.pi / 2
                && DeterministicMath.acos(-7) == Double.pi)
        #expect(DeterministicMath.atan2(0, -1) == Double.pi)
    }
}

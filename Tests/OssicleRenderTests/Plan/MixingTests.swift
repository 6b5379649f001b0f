import OssicleTestSupport
import Testing
@testable import OssicleRender

@Suite struct MixingTests {
    @Test(arguments: [0, 1, 7, 16, 127, 128, 1000])
    func `finite samples of every kind keep their bits, wherever the others lie`(count: Int) {
        var bits = (0..<count).map { UInt32(truncatingIfNeeded: $0 &* 0x9E37_79B9) }
        for index in bits.indices where bits[index] & 0x7F80_0000 == 0x7F80_0000 { bits[index] ^= 0x0080_0000 }
        let finite =
            [Float.leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0]
            + bits.map { Float(bitPattern: $0) }
        var samples = finite
        #expect(Mixing.clearNonFinite(&samples, samples.count) == 0)
        #expect(Measure.sameBytes(samples, finite))
        for place in finite.indices {
            samples[place] = [.nan, .infinity, -.infinity][place % 3]
            #expect(Mixing.clearNonFinite(&samples, samples.count) == 1 && samples[place].bitPattern == 0)
            samples[place] = finite[place]
        }
        #expect(Measure.sameBytes(samples, finite))
    }
}

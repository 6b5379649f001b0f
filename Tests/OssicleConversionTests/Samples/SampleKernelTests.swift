import COssicle
import OssicleTestSupport
import Testing
@testable import OssicleConversion

/// The kernels of samples against plain Swift.
struct SampleKernelTests {
    /// Noise beyond full scale, halves of 16-bit steps, and what is not a number.
    private static let special: [Double] =
        [.nan, .infinity, -.infinity, 1, -1, 0, -0.0, 1e300, -1e300, 0x1p-1074]
        + (-9...9).map { (Double($0) + 0.5) * 0x1p-15 }
    private static let samples =
        Signal.noise(count: 700, seed: 5).map { 1.5 * Double($0) } + special + special.map { 0.999_97 + $0 * 0.01 }

    @Test("16-bit integers are those of the code for any integers, at any stride and length")
    func packing() {
        let code = IntegerCode<Word<UInt16, LittleEndian>>(bits: 16, isSigned: true, isAlignedHigh: true)
        for stride in [2, 4, 6, 16] {
            for count in [0, 1, 7, 255, 256, 257, Self.samples.count] {
                var (found, expected) = ([UInt8](repeating: 7, count: stride * count), [UInt8]())
                expected = found
                let samples = Array(Self.samples.suffix(count))
                found.withUnsafeMutableBytes { bytes in
                    guard let target = bytes.baseAddress else { return }
                    ossicle_pack_16(samples, target, stride, count)
                }
                expected.withUnsafeMutableBytes { bytes in
                    guard let target = bytes.baseAddress else { return }
                    for index in 0..<count { code.encode(samples[index], target + index * stride) }
                }
                #expect(found == expected)
            }
        }
    }

    @Test("Two planes side by side are what each of them is alone", arguments: [0, 1, 7, 255, 256, 257, 700])
    func pairs(count: Int) {
        let (left, right) = (Array(Self.samples.suffix(count)), Array(Self.samples.prefix(count).reversed()))
        var (found, expected) = ([UInt8](repeating: 7, count: 4 * count + 3), [UInt8]())
        expected = found
        found.withUnsafeMutableBytes { bytes in
            guard let target = bytes.baseAddress else { return }
            ossicle_pack_16_pairs(left, right, target, count)
        }
        expected.withUnsafeMutableBytes { bytes in
            guard let target = bytes.baseAddress else { return }
            ossicle_pack_16(left, target, 4, count)
            ossicle_pack_16(right, target + 2, 4, count)
        }
        #expect(found == expected)
    }

    @Test(
        "Samples become multiples of a step from -1 to 1 less a step; none where one is not finite",
        arguments: [8, 16, 24])
    func steps(bits: Int) {
        let scale = Double(1 << (bits - 1))
        let finite = Self.samples.filter { Float($0).isFinite }
        for count in [0, 1, 5, 64, finite.count] {
            let samples = Array(finite.suffix(count))
            var found = samples.map { _ in 9.0 }
            let expected = samples.map { min(max(($0 * scale).rounded(.toNearestOrEven), -scale), scale - 1) / scale }
            #expect(ossicle_round_to_steps(samples, &found, count, scale) == 1)
            #expect(found == expected)
            var inPlace = samples
            inPlace.withUnsafeMutableBufferPointer { memory in
                guard let start = memory.baseAddress else { return }
                #expect(ossicle_round_to_steps(start, start, count, scale) == 1)
            }
            #expect(inPlace == expected)
        }
        for bad in [Double.nan, .infinity, -.infinity, 1e39] {
            var target = [9.0, 9, 9, 9]
            #expect(ossicle_round_to_steps([0.1, 0.2, bad, 0.3], &target, 4, scale) == 0 && target == [9, 9, 9, 9])
        }
    }

    @Test("Widened samples stay within the peak; what is not a number is 0") func widening() {
        let samples = Self.samples.map(Float.init)
        for count in [0, 1, 15, 16, 33, samples.count] {
            let part = Array(samples.suffix(count))
            var found = [Double](repeating: 9, count: count)
            ossicle_widen_clamped(part, &found, count, 1.25)
            #expect(found == part.map { $0.isNaN ? 0 : min(max(Double($0), -1.25), 1.25) })
        }
    }
}

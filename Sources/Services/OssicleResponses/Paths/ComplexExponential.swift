import OssicleCore

/// e^z for eight complex numbers at once, to six digits, in plain additions and multiplications: the same bits on any processor.
enum ComplexExponential {
    typealias Lanes = SIMD8<Float>

    // ln 2 and π in two parts: products of whole numbers and the first are exact.
    private static let ln2: (Float, Float) = (0.693_145_75, 1.428_606_8e-6)
    private static let pi: (Float, Float) = (3.140_625, 9.676_535_9e-4)
    /// Adding it leaves the nearest whole number in the low bits of the mantissa: 1.5·2²³.
    private static let magic = Lanes(repeating: 12_582_912)

    /// - Parameters:
    ///   - level: real part, within ±87. - angle: imaginary part, radians, within ±1000.
    @inline(__always)
    static func value(level: Lanes, angle: Lanes) -> (real: Lanes, imaginary: Lanes) {
        // Whole powers of two and half turns go first.
        let octaves = nearest(level * 1.442_695_04), turns = nearest(angle * 0.318_309_89)
        let x = (level - octaves * ln2.0) - octaves * ln2.1
        let y = (angle - turns * pi.0) - turns * pi.1
        // Horner: 1 + z(1 + z/2(1 + z/3(…))); |z| < 1.61.
        var (re, im) = (Lanes(repeating: 1), Lanes.zero)
        for n in stride(from: Float(14), through: 1, by: -1) {
            (re, im) = ((x * re - y * im) * (1 / n) + 1, (x * im + y * re) * (1 / n))
        }
        let odd = turns - nearest(turns * 0.5) * 2
        let factor = (1 - odd * odd * 2) * powerOfTwo(octaves)
        return (re * factor, im * factor)
    }

    @inline(__always)
    private static func nearest(_ x: Lanes) -> Lanes { (x + magic) - magic }

    /// 2^k of whole numbers, put together from its bits.
    @inline(__always)
    private static func powerOfTwo(_ k: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(k + (magic + 127), to: SIMD8<UInt32>.self) &<< SIMD8(repeating: 23), to: Lanes.self)
    }
}

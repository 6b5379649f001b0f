@testable import OssicleCore

/// As little as it takes to spread rays (Marsaglia, Xorshift RNGs, 2003).
struct BareRandom {
    private var state: UInt32 = 2_463_534_242

    /// Uniform in 0..<1.
    mutating func unit() -> Float {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Float(state >> 8) * 0x1p-24
    }

    /// Uniform over the unit sphere (Marsaglia 1972).
    mutating func direction() -> SIMD3<Float> {
        while true {
            let (x, y) = (unit() * 2 - 1, unit() * 2 - 1)
            let square = x * x + y * y
            guard square < 1 else { continue }
            let width = 2 * (1 - square).squareRoot()
            return SIMD3(x * width, y * width, 1 - 2 * square)
        }
    }
}

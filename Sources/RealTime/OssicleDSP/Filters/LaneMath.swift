/// Powers and logarithms of sixteen numbers at once, to a few units in the last place of `Float`, in plain additions and
/// multiplications: the same bits on any processor.
enum LaneMath {
    typealias Lanes = SIMD16<Float>

    /// Each lane held within ±limit. (The library's `clamped` is forty times slower on vectors this wide.)
    @inline(__always)
    static func held(_ x: Lanes, within limit: Float) -> Lanes {
        let low = x.replacing(with: -limit, where: x .< -limit)
        return low.replacing(with: limit, where: low .> limit)
    }

    /// 2^x for x within ±126 (held there).
    static func exp2(_ x: Lanes) -> Lanes {
        let held = held(x, within: 126)
        // Adding 1.5·2²³ leaves the nearest integer in the low bits of the mantissa.
        let magic = Lanes(repeating: 12_582_912)
        let shifted = held + magic
        let r = held - (shifted - magic)
        let k = unsafeBitCast(shifted, to: SIMD16<Int32>.self) &- unsafeBitCast(magic, to: SIMD16<Int32>.self)
        var sum = Lanes(repeating: 1.525_273_4e-5)                                         // ln2ⁿ/n!, n = 7 … 1
        sum = sum * r + 1.540_353_0e-4
        sum = sum * r + 1.333_355_8e-3
        sum = sum * r + 9.618_129_1e-3
        sum = sum * r + 5.550_410_9e-2
        sum = sum * r + 2.402_265_1e-1
        sum = sum * r + 6.931_471_8e-1
        sum = sum * r + 1
        let scale = unsafeBitCast((k &+ SIMD16<Int32>(repeating: 127)) &<< SIMD16<Int32>(repeating: 23), to: Lanes.self)
        return sum * scale
    }

    /// log₂ x for normal positive x.
    static func log2(_ x: Lanes) -> Lanes {
        let bits = unsafeBitCast(x, to: SIMD16<Int32>.self)
        let rootHalf = SIMD16<Int32>(repeating: 0x3F35_04F3)
        let exponent = (bits &- rootHalf) &>> SIMD16<Int32>(repeating: 23)
        let mantissa = unsafeBitCast(bits &- (exponent &<< SIMD16<Int32>(repeating: 23)), to: Lanes.self)
        let t = (mantissa - 1) / (mantissa + 1)
        let t2 = t * t
        var sum = Lanes(repeating: 0.320_598_90)                                          // 2/(n·ln2), n = 9, 7 … 1
        sum = sum * t2 + 0.412_198_58
        sum = sum * t2 + 0.577_078_02
        sum = sum * t2 + 0.961_796_69
        sum = sum * t2 + 2.885_390_08
        return Lanes(exponent) + t * sum
    }
}

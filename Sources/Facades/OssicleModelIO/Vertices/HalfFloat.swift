/// IEEE 754 binary16, which not every processor's Swift has as a type: 1 sign bit, 5 bits of exponent (bias 15), 10 of fraction.
enum HalfFloat {
    static func value(of bits: UInt16) -> Double {
        let fraction = Double(bits & 0x3FF) / 1024
        let magnitude: Double = switch (bits >> 10) & 0x1F {
        case 0: fraction * 0x1p-14
        case 31: fraction == 0 ? .infinity : .nan
        case let exponent: Double(sign: .plus, exponent: Int(exponent) - 15, significand: 1 + fraction)
        }
        return bits >> 15 == 0 ? magnitude : -magnitude
    }

    /// Rounded to nearest, ties to even; infinite beyond 65504.
    static func bits(of value: Double) -> UInt16 {
        let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
        let magnitude = value.magnitude
        if magnitude.isNaN { return 0x7E00 }
        if magnitude >= 65520 { return sign | 0x7C00 }
        // Steps of the finest unit at this size; carrying into the exponent is what rounding up to the next power means.
        let exponent = max(magnitude == 0 ? -14 : Int(magnitude.exponent), -14)
        let steps = Double(sign: .plus, exponent: 10 - exponent, significand: magnitude).rounded(.toNearestOrEven)
        return sign | (UInt16(exponent + 14) << 10) &+ UInt16(steps)
    }
}

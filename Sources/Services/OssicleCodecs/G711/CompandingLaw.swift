/// A law of ITU-T G.711: eight bits a sample, finer steps for quiet sounds. Numbers are on the scale of 16 bits.
enum CompandingLaw: Sendable {
    case mu, a

    /// The value a code stands for (tables 2 and 1 of the recommendation, times 4 and times 8): sign, three bits of exponent, four of mantissa. The
    /// codes travel with all bits (µ) or every second (A) inverted.
    func expand(_ code: UInt8) -> Int32 {
        switch self {
        case .mu:
            let bits = ~code
            let exponent = Int32(bits >> 4 & 7), mantissa = Int32(bits & 15)
            let magnitude = (mantissa << 3 + Self.muBias) << exponent - Self.muBias
            return bits & 0x80 != 0 ? -magnitude : magnitude
        case .a:
            let bits = code ^ 0x55
            let exponent = Int32(bits >> 4 & 7), mantissa = Int32(bits & 15)
            let magnitude = exponent == 0 ? mantissa << 4 + 8 : (mantissa << 4 + 0x108) << (exponent - 1)
            return bits & 0x80 != 0 ? magnitude : -magnitude
        }
    }

    /// The code whose interval holds a value.
    func compress(_ value: Int32) -> UInt8 {
        switch self {
        case .mu:
            let magnitude = min(value.magnitude, 32_635) + UInt32(Self.muBias)
            let exponent = UInt32(24 - magnitude.leadingZeroBitCount)
            let bits = UInt8(truncatingIfNeeded: exponent << 4 | magnitude >> (exponent + 3) & 15)
            return ~(value < 0 ? bits | 0x80 : bits)
        case .a:
            let magnitude = value < 0 ? UInt32(-(value + 1)) : UInt32(value)
            let exponent = UInt32(max(24 - magnitude.leadingZeroBitCount, 0))
            let bits = UInt8(truncatingIfNeeded: exponent << 4 | magnitude >> (max(exponent, 1) + 3) & 15)
            return (value < 0 ? bits : bits | 0x80) ^ 0x55
        }
    }

    /// Makes the first step as long as a power of two, so that exponents come by shifting.
    private static let muBias: Int32 = 0x84
}

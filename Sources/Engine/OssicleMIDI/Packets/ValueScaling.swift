/// Values of MIDI 1.0 in the resolution of MIDI 2.0 and back (M2-115-U, Bit Scaling and Resolution).
package enum ValueScaling {
    /// Min-center-max scaling: 0 stays 0, the center 2^(n−1) becomes the center, the largest becomes the largest.
    ///
    /// Up to the center the value is shifted; above it its lower bits are repeated below, which ends in all ones.
    /// - Parameters:
    ///   - value: of `bits` bits; more are cut.
    ///   - bits: 1...31.
    ///   - wide: bits of the result, `bits`...32.
    package static func up(_ value: UInt32, from bits: Int, to wide: Int) -> UInt32 {
        let value = value & (UInt32(1) << UInt32(bits) - 1)
        let shift = wide - bits
        var scaled = UInt64(value) << UInt64(shift)
        guard bits > 1, value > UInt32(1) << UInt32(bits - 1) else { return UInt32(truncatingIfNeeded: scaled) }
        let repeated = bits - 1
        let pattern = UInt64(value) & (1 << UInt64(repeated) - 1)
        var offset = shift - repeated
        while offset > -repeated {
            scaled |= offset >= 0 ? pattern << UInt64(offset) : pattern >> UInt64(-offset)
            offset -= repeated
        }
        return UInt32(truncatingIfNeeded: scaled)
    }

    /// The upper `bits` bits of a value of `wide` bits: `up` undone.
    package static func down(_ value: UInt32, from wide: Int, to bits: Int) -> UInt32 { value >> UInt32(wide - bits) }
}

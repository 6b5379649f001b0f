/// One value for each of the ten octave bands the engine computes in: 31.5, 63, 125, 250, 500 Hz, 1, 2, 4, 8 and 16
/// kHz.
///
/// What a value means (amplitude factor, dB, share of energy) is said by the name of the variable. Lanes 10…15 are
/// padding and stay 0, so that whole-vector arithmetic is safe.
package struct OctaveBands: BitwiseCopyable, Hashable, Sendable {
    package static let count = 10
    package var lanes: SIMD16<Float>

    /// Lanes 10…15 of `lanes` are 0; products and sums of bands keep them so.
    @inlinable package init(lanes: SIMD16<Float>) { self.lanes = lanes }

    @inlinable package init(repeating v: Float) { lanes = SIMD16(v, v, v, v, v, v, v, v, v, v, 0, 0, 0, 0, 0, 0) }

    /// Values from the lowest band up; the last given value continues to 16 kHz. An empty list gives zeros.
    package init(_ values: [Float]) {
        self.init(repeating: values.last ?? 0)
        for (band, value) in values.prefix(OctaveBands.count).enumerated() { lanes[band] = value }
    }

    /// The usual seven tabulated octaves 125 Hz … 8 kHz, the end values held outwards.
    package init(from125HzTo8kHz values: [Float]) {
        let low = values.first ?? 0
        self.init([low, low] + values)
    }

    @inlinable package subscript(band: Int) -> Float {
        get { lanes[band] }
        set { lanes[band] = newValue }
    }

    /// Centre of a band in Hz (base-two series around 1 kHz).
    @inlinable package static func centre(_ band: Int) -> Double {
        band >= 5 ? 1000 * Double(1 << (band - 5)) : 1000 / Double(1 << (5 - band))
    }

    @inlinable package static var ones: OctaveBands { OctaveBands(repeating: 1) }
    @inlinable package static var zeros: OctaveBands { OctaveBands(repeating: 0) }

    /// Bit for bit: what is computed anew from the same numbers is equal, whatever they are.
    @inlinable package static func == (a: OctaveBands, b: OctaveBands) -> Bool {
        let eight =
            unsafeBitCast(a.lanes, to: SIMD8<UInt64>.self) ^ unsafeBitCast(b.lanes, to: SIMD8<UInt64>.self)
        let four = eight.lowHalf | eight.highHalf
        let two = four.lowHalf | four.highHalf
        return two.x | two.y == 0
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(unsafeBitCast(lanes, to: SIMD8<UInt64>.self)) }

    /// Element-wise map in band order.
    package func map(_ transform: (Float) -> Float) -> OctaveBands {
        var result = OctaveBands.zeros
        for band in 0..<OctaveBands.count { result.lanes[band] = transform(lanes[band]) }
        return result
    }

    package var values: [Float] { (0..<OctaveBands.count).map { lanes[$0] } }

    @inlinable package static func * (a: OctaveBands, b: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: a.lanes * b.lanes)
    }
    @inlinable package static func + (a: OctaveBands, b: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: a.lanes + b.lanes)
    }
    @inlinable package static func * (a: OctaveBands, b: Float) -> OctaveBands { OctaveBands(lanes: a.lanes * b) }
}

/// Level conversions. Amplitude throughout (20·log₁₀), energies where the name says so (10·log₁₀).
package enum Decibels {
    package static func amplitude(_ decibels: Double) -> Double {
        DeterministicMath.exp(decibels * (DeterministicMath.ln10 / 20))
    }
    package static func energy(_ decibels: Double) -> Double {
        DeterministicMath.exp(decibels * (DeterministicMath.ln10 / 10))
    }
    package static func of(amplitude: Double) -> Double { 20 * DeterministicMath.log10(amplitude) }
    package static func of(energy: Double) -> Double { 10 * DeterministicMath.log10(energy) }
}

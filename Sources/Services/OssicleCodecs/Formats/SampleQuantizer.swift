// From floating point to integers, and back, by Apple's rule.

/// Turns samples into integers of some depth: -1 is the smallest integer, so 16 bits span -32768 ... 32767 and +1 is
/// clamped.
package struct SampleQuantizer: Sendable {
    private let scale: Double
    private let lowest: Double
    private let highest: Double

    /// A rule for `bits`, clamped to 2...32.
    package init(bits: Int) {
        scale = Double(UInt64(1) << UInt64(min(max(bits, 2), 32) - 1))
        lowest = -scale
        highest = scale - 1
    }

    /// The nearest integer, ties to even; NaN is 0.
    package func quantize(_ sample: Double) -> Int32 {
        let scaled = (sample * scale).rounded(.toNearestOrEven)
        return scaled.isNaN ? 0 : Int32(min(max(scaled, lowest), highest))
    }

    /// The sample an integer stands for.
    package func sample(_ integer: Int32) -> Double { Double(integer) / scale }

    /// The same of an integer that may be wider, as damaged packets give it.
    package func sample(clamping integer: Int32) -> Double { min(max(Double(integer), lowest), highest) / scale }
}

/// What a decoder may give, whatever its packets hold.
package enum DecodedRange {
    /// The largest magnitude of a sample out of a lossy codec: +24 dBFS. Genuine overshoot of full scale stays within
    /// some decibels, and a float encoder that was given headroom keeps it; a damaged packet decodes to 10⁶ and more,
    /// which no loudspeaker should get.
    package static let lossyPeak = 16.0
    /// The same of a lossless codec of integers, whose samples have no room above full scale.
    package static let integerPeak = 1.0

    /// `sample` within ±`peak`; 0 where it is not a number.
    package static func clamp(_ sample: Double, to peak: Double = lossyPeak) -> Double {
        sample.isNaN ? 0 : min(max(sample, -peak), peak)
    }
}

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

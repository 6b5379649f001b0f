import OssicleCore

extension RateConverter {
    /// A speed as a fraction, and the filter for it. Made on the control side.
    package struct Parameters: BitwiseCopyable {
        /// Input frames per output frame are `numerator / denominator`; the denominator is at most 2³².
        package let numerator: UInt64
        package let denominator: UInt64
        package let table: UnsafePointer<SincTable>

        /// A playing speed: 0.25 … 4 input frames per output frame, in steps of 2⁻³². Held within that range, NaN is 1.
        package init(rate: Double) {
            (numerator, denominator) = (SincInterpolator.step(ratio: max(rate, SincTable.ratios.lowerBound)), SincInterpolator.unit)
            table = SincTable.varispeed(ratio: rate)
        }

        /// A conversion between two sampling rates in Hz, up to 48 times apart; what is not a positive number counts as equal rates.
        ///
        /// The fraction is in lowest terms and therefore exact, as long as its denominator fits 32 bits (any two whole rates do).
        package init(from input: Double, to output: Double) {
            (numerator, denominator) = Parameters.fraction(from: input, to: output)
            table = numerator == denominator ? SincTable.varispeed(ratio: 1) : SincTable.shared(numerator: numerator, denominator: denominator)
        }

        /// The same, for a speed that may glide: as exact in time, through one of the few filters for playing speeds instead of one of its own.
        package init(gliding input: Double, to output: Double) {
            (numerator, denominator) = Parameters.fraction(from: input, to: output)
            let ratio = Double(numerator) / Double(denominator)
            table = ratio <= SincTable.ratios.upperBound ? SincTable.varispeed(ratio: ratio)
                : SincTable.shared(numerator: UInt64(ratio.rounded(.up)), denominator: 1)
        }

        private static func fraction(from input: Double, to output: Double) -> (UInt64, UInt64) {
            let known = input > 0 && output > 0 && input.isFinite && output.isFinite
            let ratio = known ? min(max(input / output, SincTable.conversionRatios.lowerBound), SincTable.conversionRatios.upperBound) : 1
            return (known && ratio == input / output ? fraction(input, output) : nil)
                ?? (UInt64((ratio * Double(SincInterpolator.unit)).rounded()), SincInterpolator.unit)
        }

        /// As fast as `self` where that is at most `limit` input frames per output frame.
        init(_ other: Parameters, atMost limit: UInt64) {
            numerator = min(other.numerator, limit * other.denominator)
            (denominator, table) = (other.denominator, other.table)
        }

        package var isUnity: Bool { numerator == denominator }
        package var ratio: Double { Double(numerator) / Double(denominator) }

        /// a / b in lowest terms: every Double is a whole number after enough doublings.
        private static func fraction(_ a: Double, _ b: Double) -> (UInt64, UInt64)? {
            var (a, b) = (a, b)
            while a != a.rounded() || b != b.rounded() { (a, b) = (2 * a, 2 * b) }
            guard a < 0x1p53, b < 0x1p53 else { return nil }
            let (x, y) = (UInt64(a), UInt64(b))
            var (divisor, rest) = (x, y)
            while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
            return y / divisor <= SincInterpolator.unit ? (x / divisor, y / divisor) : nil
        }
    }
}

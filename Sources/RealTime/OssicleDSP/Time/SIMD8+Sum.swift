extension SIMD8<Float> {
    /// The sum of the lanes in pairs: one order, whatever vectors the processor has.
    @inline(__always)
    var pairwiseSum: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}

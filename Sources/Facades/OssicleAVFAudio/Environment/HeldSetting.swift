extension Float {
    /// The value moved into a range; `old` if it is not a number.
    func held(in range: ClosedRange<Float>, else old: Float) -> Float {
        isNaN ? old : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Float {
    /// Within a parameter's range; what is not finite becomes its default. Kernels are given clamped values, and stay sane when they are not.
    @inline(__always)
    func held(_ range: ClosedRange<Float>, otherwise standard: Float) -> Float {
        isFinite ? Swift.min(Swift.max(self, range.lowerBound), range.upperBound) : standard
    }
}

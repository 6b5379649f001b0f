/// A stretch of values, both ends included.
public struct AudioValueRange: Equatable, Hashable, Sendable {
    /// The lowest value.
    public var mMinimum: Float64
    /// The highest value.
    public var mMaximum: Float64

    /// The value 0 alone.
    public init() { self.init(mMinimum: 0, mMaximum: 0) }

    /// The values from `mMinimum` to `mMaximum`.
    public init(mMinimum: Float64, mMaximum: Float64) {
        self.mMinimum = mMinimum
        self.mMaximum = mMaximum
    }
}

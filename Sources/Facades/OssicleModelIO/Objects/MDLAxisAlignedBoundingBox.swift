import OssicleSIMD

/// The smallest box along the axes that holds something.
public struct MDLAxisAlignedBoundingBox: Sendable {
    /// The corner with the largest coordinates.
    public var maxBounds: vector_float3
    /// The corner with the smallest coordinates.
    public var minBounds: vector_float3

    /// The box of a point at the origin.
    public init() { self.init(maxBounds: .zero, minBounds: .zero) }

    /// From both corners.
    public init(maxBounds: vector_float3, minBounds: vector_float3) {
        self.maxBounds = maxBounds
        self.minBounds = minBounds
    }
}

extension MDLAxisAlignedBoundingBox {
    /// The box of those points that are finite; nil without any.
    init?(of points: some Sequence<vector_float3>) {
        var bounds: (low: vector_float3, high: vector_float3)?
        for point in points where point.x.isFinite && point.y.isFinite && point.z.isFinite {
            bounds = (simd_min(bounds?.low ?? point, point), simd_max(bounds?.high ?? point, point))
        }
        guard let (low, high) = bounds else { return nil }
        self.init(maxBounds: high, minBounds: low)
    }
}

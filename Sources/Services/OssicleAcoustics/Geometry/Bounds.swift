import OssicleCore

/// An axis-aligned box. The empty box is larger than nothing: `lower` at +∞, `upper` at −∞.
package struct Bounds: Sendable, Hashable {
    package var lower: Vector
    package var upper: Vector

    package static let empty = Bounds(lower: Vector(repeating: .infinity), upper: Vector(repeating: -.infinity))

    package var isEmpty: Bool { !(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z) }
    package var centre: Vector { (lower + upper) * 0.5 }
    package var extent: Vector { upper - lower }

    /// Whether another box lies within this one and is not the same.
    func contains(_ other: Bounds) -> Bool {
        self != other && pointwiseMin(lower, other.lower) == lower && pointwiseMax(upper, other.upper) == upper
    }

    @inline(__always) func overlaps(_ lower: Vector, _ upper: Vector) -> Bool {
        self.lower.x <= upper.x && self.lower.y <= upper.y && self.lower.z <= upper.z
            && self.upper.x >= lower.x && self.upper.y >= lower.y && self.upper.z >= lower.z
    }

    /// Half the surface, the measure of how often a random ray meets the box.
    var halfArea: Double {
        let e = extent
        return e.x * e.y + e.y * e.z + e.z * e.x
    }

    @inline(__always) package mutating func include(_ point: Vector) { include(Bounds(lower: point, upper: point)) }

    @inline(__always) package mutating func include(_ other: Bounds) {
        lower = Vector(min(lower.x, other.lower.x), min(lower.y, other.lower.y), min(lower.z, other.lower.z))
        upper = Vector(max(upper.x, other.upper.x), max(upper.y, other.upper.y), max(upper.z, other.upper.z))
    }

    /// Grown by a hair, so that a flat box still has an inside and a ray along its face meets it.
    var grown: Bounds {
        let reach = pointwiseMax(lower.replacing(with: -lower, where: lower .< .zero), upper.replacing(with: -upper, where: upper .< .zero))
        let hair = reach * 1e-9 + 1e-12
        return Bounds(lower: lower - hair, upper: upper + hair)
    }
}

import OssicleCore

/// A flat part of a geometry that hangs together, in the geometry's own coordinates.
struct ReflectorPatch: Sendable {
    let plane: PlaneGrouping.Plane
    let bounds: Bounds
    /// The side the plane's normal looks to, and the other.
    let front: Side
    let back: Side
    /// Index in the occluder's materials; nil where the patch is of several.
    let element: Int32?
    /// Places of its triangles in the geometry's facets where they are so few that looking through them beats a search of the tree; else empty.
    let listed: [Int32]

    static let mostListed = 8

    struct Side: Sendable {
        /// Square units; 0 where the patch does not reflect on this side.
        var area: Double
        /// Share 0…1 of the rim that no other surface continues towards this side. The floor of a closed room has none.
        var freeRim: Double

        func scaled(by square: Double) -> Side { Side(area: area * square, freeRim: freeRim) }
    }

    var area: Double { max(front.area, back.area) }
}

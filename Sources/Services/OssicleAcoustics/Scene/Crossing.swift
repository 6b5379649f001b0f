/// One surface on the way.
package struct Crossing: Sendable, Hashable {
    /// Where, as a share 0…1 of the way.
    package var share: Double
    /// Index in the scene's occluders.
    package var occluder: Int32
    /// Index in the occluder's mesh.
    package var triangle: Int32
    /// Index in the occluder's materials.
    package var element: Int32
    /// Index in the geometry's pieces.
    package var piece: Int32
    /// Whether that piece closes around a volume.
    package var isClosed: Bool
    /// +1 into the solid, −1 out of it, 0 where the surface is open or its winding tells nothing.
    package var turn: Int8
}

extension [Crossing] {
    /// By place on the way, then occluder, then triangle.
    mutating func sortAlongWay() {
        sortFew { ($0.share, $0.occluder, $0.triangle) < ($1.share, $1.occluder, $1.triangle) }
    }

    /// By occluder, and along the way within each.
    mutating func sortByOccluder() {
        sortFew { ($0.occluder, $0.share, $0.triangle) < ($1.occluder, $1.share, $1.triangle) }
    }

    /// Most rays cross two or four surfaces; the library's sort allocates for any number.
    @inline(__always)
    private mutating func sortFew(_ isBefore: (Crossing, Crossing) -> Bool) {
        guard count <= 24 else { return sort(by: isBefore) }
        for index in indices.dropFirst() {
            var place = index
            while place > 0, isBefore(self[place], self[place - 1]) {
                swapAt(place, place - 1)
                place -= 1
            }
        }
    }
}

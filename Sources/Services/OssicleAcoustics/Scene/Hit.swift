import OssicleCore

/// Where a ray meets the scene first.
package struct Hit: Sendable, Hashable {
    /// Metres from the ray's start.
    package var distance: Double
    package var position: Vector
    /// Unit, towards the side the ray came from.
    package var normal: Vector
    /// Index in the scene's occluders.
    package var occluder: Int32
    /// Index in the occluder's mesh.
    package var triangle: Int32
    /// Index in the occluder's materials.
    package var element: Int32
    /// For who goes on from here.
    package let ground: Ground

    init(distance: Double, position: Vector, normal: Vector, occluder: Int32, triangle: Int32, element: Int32, isClear: Bool) {
        (self.distance, self.position, self.normal) = (distance, position, normal)
        (self.occluder, self.triangle, self.element) = (occluder, triangle, element)
        ground = isClear ? Ground(occluder: occluder) : .unknown
    }
}

/// What a way starts on: an occluder with nothing else of its mesh near, which then need not be looked for.
package struct Ground: BitwiseCopyable, Sendable, Hashable {
    /// Index in the scene's occluders.
    fileprivate let occluder: Int32

    /// Some place in the air, or one that other surfaces may touch.
    package static let unknown = Ground(occluder: -1)

    @inline(__always) func isOn(_ occluder: Int32) -> Bool { self.occluder == occluder }
}

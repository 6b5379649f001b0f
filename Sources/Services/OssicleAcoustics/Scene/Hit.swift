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

    package init(distance: Double, position: Vector, normal: Vector, occluder: Int32, triangle: Int32, element: Int32) {
        (self.distance, self.position, self.normal) = (distance, position, normal)
        (self.occluder, self.triangle, self.element) = (occluder, triangle, element)
    }
}

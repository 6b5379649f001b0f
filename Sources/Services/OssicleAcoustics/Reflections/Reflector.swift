import OssicleCore

/// A plane of the scene in which sources are mirrored: all patches that lie in it, whoever they belong to.
package struct Reflector: Sendable {
    /// Unit; the plane is normal · p = offset.
    package let normal: Vector
    package let offset: Double
    /// Box around the patches.
    package let bounds: Bounds
    /// Whether any patch reflects on the side the normal looks to, and on the other.
    package let reflectsInFront: Bool
    package let reflectsBehind: Bool
    /// Range of the set's faces.
    let first: Int32
    let count: Int32

    /// Metres from the plane, positive on the side the normal looks to.
    @inline(__always) func height(_ point: Vector) -> Double { normal.dot(point) - offset }

    @inline(__always) func mirrored(_ point: Vector) -> Vector { point - normal * (2 * height(point)) }

    @inline(__always) func reflects(inFront: Bool) -> Bool { inFront ? reflectsInFront : reflectsBehind }

    /// Whether any part of the patches may lie on one side of another plane.
    @inline(__always) func reaches(inFront: Bool, of plane: Reflector) -> Bool {
        let half = bounds.extent * 0.5
        let n = plane.normal
        let reach = half.x * n.x.magnitude + half.y * n.y.magnitude + half.z * n.z.magnitude
        let height = plane.height(bounds.centre)
        return (inFront ? height : -height) + reach > Reflector.closest
    }

    /// Metres from a plane within which a point counts as lying in it.
    static let closest = 1e-6
}

/// A patch at its place in the world.
struct ReflectorFace: Sendable {
    let occluder: Int32
    let patch: Int32
    /// The same for the same patch of the same occluder, wherever it moves.
    let identity: UInt64
    let bounds: Bounds
    let plane: PlaneGrouping.Plane
    /// By side of the reflector's plane; square metres, those of touching faces together.
    var front: ReflectorPatch.Side
    var back: ReflectorPatch.Side
    /// Whether the patch's front is the reflector's back.
    var isTurned = false

    func side(inFront: Bool) -> ReflectorPatch.Side { inFront ? front : back }

    static func identity(of occluder: Occluder, patch: Int) -> UInt64 { SoundPath.identity(occluder.id, then: UInt64(patch)) }
}

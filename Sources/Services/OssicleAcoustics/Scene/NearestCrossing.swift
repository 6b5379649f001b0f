import OssicleCore

/// The nearest surface found so far on one way.
package struct NearestCrossing: BitwiseCopyable {
    /// Where; the end of the way while nothing is found.
    private(set) var share: Double
    private var mesh: UnsafePointer<PlacedMesh>?
    private var facet: UnsafePointer<Facet>?
    private var againstNormal = false

    init(within limit: Double) { share = limit }

    /// True where this surface is nearer than the one known. Of surfaces at one place the first in the scene counts, whoever is asked first.
    @inline(__always)
    mutating func take(_ share: Double, _ mesh: UnsafePointer<PlacedMesh>, _ facet: UnsafePointer<Facet>, _ againstNormal: Bool) -> Bool {
        guard share < self.share || share == self.share && isBefore(mesh, facet) else { return false }
        (self.share, self.mesh, self.facet, self.againstNormal) = (share, mesh, facet, againstNormal)
        return true
    }

    private func isBefore(_ otherMesh: UnsafePointer<PlacedMesh>, _ otherFacet: UnsafePointer<Facet>) -> Bool {
        guard let mesh, let facet else { return false }
        return (otherMesh.pointee.occluder, otherFacet.pointee.triangle) < (mesh.pointee.occluder, facet.pointee.triangle)
    }

    /// - Parameter way: in the world, its shares metres.
    @inline(__always)
    func hit(on way: Segment) -> Hit? {
        guard let mesh, let facet else { return nil }
        let pose = mesh.pointee.pose
        let across = facet.pointee.edge1.cross(facet.pointee.edge2)
        let normal = (pose.right * across.x + pose.up * across.y + pose.back * across.z) / facet.pointee.size
        return Hit(distance: share, position: way.start + way.delta * share, normal: againstNormal == (pose.scale > 0) ? normal : -normal,
                   occluder: mesh.pointee.occluder, triangle: facet.pointee.triangle, element: facet.pointee.element)
    }
}

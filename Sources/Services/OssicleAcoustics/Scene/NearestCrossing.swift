import OssicleCore

/// The nearest surface found so far on one way.
package struct NearestCrossing: BitwiseCopyable {
    /// Where; the end of the way while nothing is found.
    private(set) var share: Double
    private var mesh: UnsafePointer<PlacedMesh>?
    private var facet: UnsafePointer<Facet>?
    private var againstNormal = false
    private var isClear = false

    init(within limit: Double) { share = limit }

    /// True where this surface is nearer than the one known. Of surfaces at one place the first in the scene counts, whoever is asked first.
    @inline(__always)
    mutating func take(_ passage: Facet.Passage, _ mesh: UnsafePointer<PlacedMesh>, _ facet: UnsafePointer<Facet>) -> Bool {
        guard passage.share < share || passage.share == share && isBefore(mesh, facet) else { return false }
        (share, againstNormal, isClear) = (passage.share, passage.againstNormal, passage.isClear)
        (self.mesh, self.facet) = (mesh, facet)
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
        let normal = mesh.pointee.normal(of: facet)
        return Hit(distance: share, position: way.start + way.delta * share, normal: againstNormal == mesh.pointee.keepsSides ? normal : -normal,
                   occluder: mesh.pointee.occluder, triangle: facet.pointee.triangle, element: facet.pointee.element, isClear: isClear)
    }
}

import OssicleCore

/// The ray tracer in plain Swift, the same bits on every machine.
package typealias PortableTracer = MeshTracer<TreeSearch>

/// Searches a mesh by its tree of boxes. Never inlined: it would burden the stack of those who only fall back to it.
package enum TreeSearch: MeshSearch {
    @inline(never)
    package static func findNearest(in mesh: UnsafePointer<PlacedMesh>, _ way: Segment, _ nearest: inout NearestCrossing) {
        mesh.pointee.tree.searchInOrder(way, { nearest.share }) { place in
            let facet = mesh.pointee.facets + place
            if let passage = facet.pointee.crossing(way) { _ = nearest.take(passage, mesh, facet) }
        }
    }

    @inline(never)
    package static func isBlocked(by mesh: UnsafePointer<PlacedMesh>, _ way: Segment) -> Bool {
        mesh.pointee.tree.search(way) { mesh.pointee.facets[$0].crossing(way) != nil }
    }

    @inline(never)
    package static func findCrossings(of mesh: UnsafePointer<PlacedMesh>, _ way: Segment, into crossings: inout [Crossing]) {
        _ = mesh.pointee.tree.search(way) { place in
            let facet = mesh.pointee.facets + place
            if let passage = facet.pointee.crossing(way) { crossings.append(Crossing(passage, mesh.pointee.occluder, facet.pointee)) }
            return false
        }
    }
}

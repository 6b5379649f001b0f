import OssicleCore

/// The top of a scene's trees: the occluders' geometries where they stand, laid out so that a ray counts no references.
///
/// Immutable once built. The tree views point into the geometries, which it keeps alive.
final class PlacedMeshes: @unchecked Sendable {
    /// One geometry at its place, with the way from the world into its coordinates.
    struct Placed: BitwiseCopyable {
        let occluder: Int32
        let tree: BoxTree.View
        let facets: UnsafePointer<Facet>
        let pose: Pose
    }

    /// What an occluder's elements do to sound that passes, by element.
    struct Solid: BitwiseCopyable {
        let transmitted: UnsafePointer<OctaveBands>
        let thickness: UnsafePointer<Double>
    }

    private let tree: BoxTree
    private let geometries: [MeshGeometry]
    /// In the tree's order.
    private let meshes: UnsafeMutablePointer<Placed>
    /// In the order of the scene's occluders.
    let solids: UnsafePointer<Solid>
    private let transmitted: UnsafeMutablePointer<OctaveBands>
    private let thickness: UnsafeMutablePointer<Double>

    init(_ occluders: [Occluder]) {
        tree = BoxTree(occluders.map(\.bounds), leafSize: 1)
        geometries = occluders.map(\.geometry)
        meshes = .allocate(capacity: max(tree.order.count, 1))
        for (place, index) in tree.order.enumerated() {
            let occluder = occluders[Int(index)]
            (meshes + place).initialize(to: Placed(occluder: index, tree: occluder.geometry.tree.view, facets: occluder.geometry.facets, pose: occluder.pose))
        }
        let elements = max(occluders.reduce(0) { $0 + $1.materials.count }, 1)
        transmitted = .allocate(capacity: elements)
        thickness = .allocate(capacity: elements)
        let solids = UnsafeMutablePointer<Solid>.allocate(capacity: max(occluders.count, 1))
        var first = 0
        for (index, occluder) in occluders.enumerated() {
            (solids + index).initialize(to: Solid(transmitted: transmitted + first, thickness: thickness + first))
            for element in occluder.materials.indices {
                (transmitted + first + element).initialize(to: occluder.transmitted[element])
                (thickness + first + element).initialize(to: occluder.materials[element].thickness)
            }
            first += occluder.materials.count
        }
        self.solids = UnsafePointer(solids)
    }

    deinit {
        meshes.deallocate()
        solids.deallocate()
        transmitted.deallocate()
        thickness.deallocate()
    }

    /// Calls `visit` with every facet the segment passes through, until it answers true.
    @inline(__always)
    func search(_ way: Segment, _ visit: (Placed, Facet, _ share: Double, _ againstNormal: Bool) -> Bool) -> Bool {
        tree.view.search(way) { place in
            let mesh = meshes[place]
            let local = way.inside(mesh.pose)
            return mesh.tree.search(local) { index in
                guard let (share, againstNormal) = mesh.facets[index].crossing(local) else { return false }
                return visit(mesh, mesh.facets[index], share, againstNormal)
            }
        }
    }

    func areIn(_ box: Bounds) -> Bool {
        tree.view.search({ lower, upper in
            lower.x <= box.upper.x && lower.y <= box.upper.y && lower.z <= box.upper.z
                && upper.x >= box.lower.x && upper.y >= box.lower.y && upper.z >= box.lower.z
        }, { _ in true })
    }
}

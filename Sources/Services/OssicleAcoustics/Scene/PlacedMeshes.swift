import OssicleCore

/// The top of a scene's trees: the occluders' geometries where they stand, laid out so that a ray counts no references.
///
/// Immutable once built. The tree views point into the geometries, which it keeps alive.
final class PlacedMeshes: @unchecked Sendable {
    /// What an occluder's elements do to sound, by element.
    struct Solid: BitwiseCopyable {
        /// Shares of the incident energy that pass, and that come back in whatever direction.
        let transmitted: UnsafePointer<OctaveBands>
        let reflected: UnsafePointer<OctaveBands>
        /// Share of what comes back that is scattered.
        let scattered: UnsafePointer<OctaveBands>
        let thickness: UnsafePointer<Double>
    }

    private let tree: BoxTree
    private let geometries: [MeshGeometry]
    /// In the tree's order.
    private let meshes: UnsafeMutablePointer<PlacedMesh>
    /// In the order of the scene's occluders.
    let solids: UnsafePointer<Solid>
    /// Transmitted, reflected and scattered shares of all elements, one list behind the other.
    private let shares: UnsafeMutablePointer<OctaveBands>
    private let thickness: UnsafeMutablePointer<Double>

    init(_ occluders: [Occluder]) {
        tree = BoxTree(occluders.map(\.bounds), leafSize: 1)
        geometries = occluders.map(\.geometry)
        meshes = .allocate(capacity: max(tree.order.count, 1))
        for (place, index) in tree.order.enumerated() { (meshes + place).initialize(to: PlacedMesh(occluders[Int(index)], at: index)) }
        let elements = max(occluders.reduce(0) { $0 + $1.materials.count }, 1)
        shares = .allocate(capacity: 3 * elements)
        thickness = .allocate(capacity: elements)
        let solids = UnsafeMutablePointer<Solid>.allocate(capacity: max(occluders.count, 1))
        var first = 0
        for (index, occluder) in occluders.enumerated() {
            (solids + index).initialize(to: Solid(transmitted: shares + first, reflected: shares + elements + first, scattered: shares + 2 * elements + first,
                                                 thickness: thickness + first))
            for element in occluder.materials.indices {
                let material = occluder.materials[element]
                (shares + first + element).initialize(to: occluder.transmitted[element])
                (shares + elements + first + element).initialize(to: material.reflectedEnergy)
                (shares + 2 * elements + first + element).initialize(to: material.scattering)
                (thickness + first + element).initialize(to: material.thickness)
            }
            first += occluder.materials.count
        }
        self.solids = UnsafePointer(solids)
    }

    deinit {
        meshes.deallocate()
        solids.deallocate()
        shares.deallocate()
        thickness.deallocate()
    }

    var view: View { View(tree: tree.view, meshes: UnsafePointer(meshes)) }

    /// For inner loops: no reference to count. Valid as long as the placed meshes live.
    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let tree: BoxTree.View
        fileprivate let meshes: UnsafePointer<PlacedMesh>

        /// The mesh of a scene that has one. A room in one mesh is the common case, and whoever asks is in it: no box need be tested.
        @inline(__always) var only: UnsafePointer<PlacedMesh>? { tree.nodeCount == 1 ? meshes : nil }

        /// Calls `visit` with every mesh the way may meet and the way in its coordinates, until it answers true.
        @inline(__always)
        func search(_ way: Segment, _ visit: (UnsafePointer<PlacedMesh>, Segment) -> Bool) -> Bool {
            tree.search(way) { visit(meshes + $0, meshes[$0].local(way)) }
        }

        /// The same, near meshes first, with those the way may meet before `reach`, which `visit` may bring nearer.
        @inline(__always)
        func searchInOrder(_ way: Segment, _ reach: () -> Double, _ visit: (UnsafePointer<PlacedMesh>, Segment) -> Void) {
            tree.searchInOrder(way, reach) { visit(meshes + $0, meshes[$0].local(way)) }
        }
    }

    /// Whether the box of any of them reaches into a box.
    func areIn(_ box: Bounds) -> Bool { tree.view.search({ box.overlaps($0, $1) }, { _ in true }) }

    /// Whether a triangle of any of them may reach into a ball.
    func areIn(ballAt centre: Vector, radius: Double) -> Bool {
        let box = Bounds(lower: centre - radius, upper: centre + radius)
        return tree.view.search({ box.overlaps($0, $1) }) { place in
            let mesh = meshes[place]
            let (local, reach) = (mesh.pose.toLocal(centre), radius / mesh.pose.scale.magnitude * (1 + 1e-6))
            let box = Bounds(lower: local - reach, upper: local + reach)
            return mesh.tree.search({ box.overlaps($0, $1) }) { mesh.facets[$0].isIn(box, around: local, within: reach) }
        }
    }
}

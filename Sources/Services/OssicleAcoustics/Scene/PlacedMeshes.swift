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
        /// Of elements whose reflection depends on the angle.
        let reactions: UnsafePointer<LocalReaction?>
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
    private let reactions: UnsafeMutablePointer<LocalReaction?>

    init(_ occluders: [Occluder]) {
        tree = BoxTree(occluders.map(\.bounds), leafSize: 1)
        geometries = occluders.map(\.geometry)
        meshes = .allocate(capacity: max(tree.order.count, 1))
        for (place, index) in tree.order.enumerated() {
            (meshes + place).initialize(to: PlacedMesh(occluders[Int(index)], at: index))
        }
        let elements = max(occluders.reduce(0) { $0 + $1.materials.count }, 1)
        shares = .allocate(capacity: 3 * elements)
        thickness = .allocate(capacity: elements)
        reactions = .allocate(capacity: elements)
        let solids = UnsafeMutablePointer<Solid>.allocate(capacity: max(occluders.count, 1))
        var first = 0
        for (index, occluder) in occluders.enumerated() {
            (solids + index).initialize(
                to: Solid(
                    transmitted: shares + first, reflected: shares + elements + first,
                    scattered: shares + 2 * elements + first,
                    thickness: thickness + first, reactions: reactions + first))
            for element in occluder.materials.indices {
                let material = occluder.materials[element]
                (shares + first + element).initialize(to: occluder.transmitted[element])
                (shares + elements + first + element).initialize(to: material.reflectedEnergy)
                (shares + 2 * elements + first + element).initialize(to: material.scattering)
                (thickness + first + element).initialize(to: material.thickness)
                (reactions + first + element).initialize(
                    to: material.isLocallyReacting ? LocalReaction(reflected: material.reflectedEnergy) : nil)
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
        reactions.deallocate()
    }

    var view: View { View(tree: tree.view, meshes: UnsafePointer(meshes)) }

    /// For inner loops: no reference to count. Valid as long as the placed meshes live.
    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let tree: BoxTree.View
        fileprivate let meshes: UnsafePointer<PlacedMesh>

        /// The mesh of a scene that has one. A room in one mesh is the common case, and the position is in it: no box
        /// need be tested.
        @inline(__always) var only: UnsafePointer<PlacedMesh>? { tree.nodeCount == 1 ? meshes : nil }

        /// Calls `visit` with every mesh the segment may meet and the segment in its coordinates, until it answers
        /// true.
        @inline(__always)
        func search(_ segment: Segment, _ visit: (UnsafePointer<PlacedMesh>, Segment) -> Bool) -> Bool {
            tree.search(segment) { visit(meshes + $0, meshes[$0].local(segment)) }
        }

        /// Calls `visit` with every mesh that rays of a beam may meet, and the box around it in the world.
        func searchAll(_ beam: Beam, _ visit: (UnsafePointer<PlacedMesh>, Bounds) -> Void) {
            var box = Bounds.empty
            _ = tree.search({
                box = Bounds(lower: $0, upper: $1)
                return beam.mayMeet($0, $1)
            }) { place in
                visit(meshes + place, box)
                return false
            }
        }

        /// Calls `visit` with every mesh that rays of a beam may meet, until it answers true.
        func search(_ beam: Beam, _ visit: (UnsafePointer<PlacedMesh>) -> Bool) -> Bool {
            tree.search({ beam.mayMeet($0, $1) }) { visit(meshes + $0) }
        }

        /// The same as for a segment, near meshes first, with those the segment may meet before `reach`, which `visit`
        /// may bring nearer.
        @inline(__always)
        func searchInOrder(
            _ segment: Segment, _ reach: () -> Double, _ visit: (UnsafePointer<PlacedMesh>, Segment) -> Void
        ) {
            tree.searchInOrder(segment, reach) { visit(meshes + $0, meshes[$0].local(segment)) }
        }
    }

    /// Whether a triangle of any of them may reach into a ball.
    func areIn(ballAt centre: Vector, radius: Double) -> Bool {
        let box = Bounds(lower: centre - radius, upper: centre + radius)
        return tree.view.search({ box.overlaps($0, $1) }) { place in
            let mesh = meshes[place]
            let (local, reach) = (mesh.pose.toLocal(centre), radius / mesh.pose.scale.magnitude * (1 + 1e-6))
            let box = Bounds(lower: local - reach, upper: local + reach)
            return mesh.tree.search({ box.overlaps($0, $1) }) {
                mesh.facets[$0].isIn(box, around: local, within: reach)
            }
        }
    }
}

/// One geometry at its place in a scene, for inner loops: no reference to count. Valid as long as the scene lives.
package struct PlacedMesh: BitwiseCopyable, @unchecked Sendable {
    let occluder: Int32
    let tree: BoxTree.View
    let wide: WideTree.View
    let facets: UnsafePointer<Facet>
    let pose: Pose
    private let shrink: Double
    /// Whether it stands as it was made, as walls mostly do.
    let isInPlace: Bool
    #if SystemLibraries
    /// Nil where the tree serves as well, or has to.
    var embree: UnsafePointer<EmbreeMesh.View>?
    let shell: UnsafePointer<ConvexShell.View>?
    #endif

    init(_ occluder: Occluder, at index: Int32) {
        self.occluder = index
        tree = occluder.geometry.tree.view
        wide = occluder.geometry.wideTree.view
        facets = occluder.geometry.facets
        pose = occluder.pose
        shrink = 1 / pose.scale
        isInPlace = pose == .identity
        #if SystemLibraries
        embree = occluder.geometry.embree?.view
        shell = occluder.geometry.shell?.view
        #endif
    }

    /// A segment of the world in the mesh's own coordinates.
    @inline(__always) func local(_ segment: Segment) -> Segment {
        isInPlace ? segment : segment.inside(pose, shrink: shrink)
    }

    /// A facet's unit normal in the world.
    @inline(__always)
    func normal(of facet: UnsafePointer<Facet>) -> Vector {
        let normal = facet.pointee.normal
        return isInPlace ? normal : pose.right * normal.x + pose.up * normal.y + pose.back * normal.z
    }

    /// Whether what goes against a facet's normal in the mesh does so in the world; not where the pose mirrors.
    @inline(__always) var keepsSides: Bool { pose.scale > 0 }
}

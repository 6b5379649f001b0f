import OssicleCore

/// One geometry at its place in a scene, for inner loops: no reference to count. Valid as long as the scene lives.
package struct PlacedMesh: BitwiseCopyable, @unchecked Sendable {
    let occluder: Int32
    let tree: BoxTree.View
    let facets: UnsafePointer<Facet>
    let pose: Pose
    private let shrink: Double
    /// Whether it stands as it was made, as walls mostly do.
    private let isInPlace: Bool
    #if Embree
    /// Nil where the tree serves as well, or has to.
    var embree: UnsafePointer<EmbreeMesh.View>?
    #endif

    init(_ occluder: Occluder, at index: Int32) {
        self.occluder = index
        tree = occluder.geometry.tree.view
        facets = occluder.geometry.facets
        pose = occluder.pose
        shrink = 1 / pose.scale
        isInPlace = pose == .identity
        #if Embree
        embree = occluder.geometry.embree?.view
        #endif
    }

    /// A way of the world in the mesh's own coordinates.
    @inline(__always) func local(_ way: Segment) -> Segment { isInPlace ? way : way.inside(pose, shrink: shrink) }

    /// A facet's unit normal in the world.
    @inline(__always)
    func normal(of facet: UnsafePointer<Facet>) -> Vector {
        let normal = facet.pointee.normal
        return isInPlace ? normal : pose.right * normal.x + pose.up * normal.y + pose.back * normal.z
    }

    /// Whether what goes against a facet's normal in the mesh does so in the world; not where the pose mirrors.
    @inline(__always) var keepsSides: Bool { pose.scale > 0 }
}

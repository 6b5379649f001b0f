import OssicleCore

/// One geometry at its place in a scene, for inner loops: no reference to count. Valid as long as the scene lives.
package struct PlacedMesh: BitwiseCopyable, @unchecked Sendable {
    let occluder: Int32
    let tree: BoxTree.View
    let facets: UnsafePointer<Facet>
    let pose: Pose
    private let shrink: Double
    #if Embree
    /// Nil where the tree serves as well, or has to.
    let embree: EmbreeMesh.View?
    #endif

    init(_ occluder: Occluder, at index: Int32) {
        self.occluder = index
        tree = occluder.geometry.tree.view
        facets = occluder.geometry.facets
        pose = occluder.pose
        shrink = 1 / pose.scale
        #if Embree
        embree = occluder.geometry.embree?.view
        #endif
    }

    /// A way of the world in the mesh's own coordinates.
    @inline(__always) func local(_ way: Segment) -> Segment { way.inside(pose, shrink: shrink) }
}

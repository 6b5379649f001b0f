import OssicleAcoustics
import OssicleCore

// The scene as the acoustics see it.

extension PHASESource {
    /// The source at `pose`.
    /// - Parameter cache: sampled surfaces by source, because sampling one is much more work than placing it.
    func acousticGeometry(_ pose: Pose, cache: inout [UInt64: SourceShape]) -> SourceGeometry {
        if shapes.isEmpty { return .point(pose.position) }
        let shape = cache[number] ?? SourceShape(meshes: shapes.map(\.mesh), seed: number)
        cache[number] = shape
        return .shape(shape, pose)
    }
}

extension PHASEOccluder {
    var acousticOccluders: [Occluder] {
        let pose = worldPose
        return shapes.map { shape in
            Occluder(id: number, name: name, geometry: shape.geometry, pose: pose, materials: shape.elements.map { $0.material?.material })
        }
    }
}

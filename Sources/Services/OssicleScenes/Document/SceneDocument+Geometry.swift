import OssicleAcoustics
import OssicleCore

extension SceneMesh {
    /// All triangles, with an element for each primitive.
    /// - Parameter stretch: what its node leaves for the vertices.
    package func triangles(_ stretch: ScenePoses.Stretch?) -> TriangleMesh {
        var vertices: [Vector] = []
        var triangles: [SIMD3<Int32>] = []
        var elements: [Int32] = []
        let isMirror = stretch?.isMirror ?? false
        for (element, primitive) in primitives.enumerated() {
            let first = Int32(clamping: vertices.count)
            for vertex in primitive.vertices {
                let place = Vector(vertex)
                vertices.append(stretch?.applied(to: place) ?? place)
            }
            for triangle in primitive.triangles {
                let corners = SIMD3<Int32>(truncatingIfNeeded: triangle) &+ first
                // A mirror image is seen from behind: turned round, it faces the air again.
                triangles.append(isMirror ? SIMD3(corners.x, corners.z, corners.y) : corners)
            }
            elements += Array(repeating: Int32(clamping: element), count: primitive.triangles.count)
        }
        return TriangleMesh(
            vertices: vertices, triangles: triangles, elements: elements, elementCount: max(primitives.count, 1))
    }
}

extension SceneDocument {
    /// What is in the way of sound, without the engine that would play the scene.
    /// - Parameters:
    ///   - placements: those of the scene. - book: what names of materials without values stand for.
    package func occluders(
        _ placements: [ScenePoses.Placement], materials book: MaterialBook = .library
    ) -> [Occluder] {
        let materials = materials.map { $0.material(in: book) }
        return placements.enumerated().compactMap { index, placement in
            let node = nodes[placement.node]
            guard node.isOccluder, let mesh = node.mesh else { return nil }
            return Occluder(
                id: UInt64(index + 1), name: node.name ?? "node \(placement.node)",
                geometry: MeshGeometry(meshes[mesh].triangles(placement.stretch)), pose: placement.pose,
                materials: meshes[mesh].primitives.map { $0.material.flatMap { materials[$0] } })
        }
    }
}

import Foundation
import OssicleReaders

/// A scene as its file says it: nodes, meshes, materials, and the sounds in it. Metres, right-handed, y up, −z forward.
///
/// Read from glTF 2.0 (`.gltf`, `.glb`) and written back. What has no part in sound (textures, cameras, animations) is
/// left out; the same document has the same bytes.
package struct SceneDocument: Sendable, Hashable {
    package var name: String
    package var folder: SceneFolder
    package var nodes: [SceneNode]
    /// Numbers of the nodes that the scene begins with; what hangs below none of them is not part of it.
    package var roots: [Int]
    package var meshes: [SceneMesh]
    package var materials: [SceneMaterial]
    package var audio: SceneAudio
    /// What was left out or taken for something else, in sentences.
    package var warnings: [String] = []

    package init(name: String, folder: SceneFolder = SceneFolder(path: nil)) {
        (self.name, self.folder) = (name, folder)
        (nodes, roots, meshes, materials, audio) = ([], [], [], [], SceneAudio())
    }

    /// Reads and checks a file and the buffers beside it. Any thread.
    /// - Parameters:
    ///   - draft: the state of Khronos' drafts that its extensions are read by; nil: they are left out with a warning.
    ///   - channelCount: of sound files that the drafts play straight to the outputs.
    /// - Throws: `SceneFileError`, which names the place in the document.
    package init(
        contentsOfFile path: String, draft: KhronosDraft? = nil,
        channelCount: @escaping SoundChannelCount = { _ in nil }
    ) throws {
        let url = URL(fileURLWithPath: path), name = url.lastPathComponent
        guard url.pathExtension.lowercased() != "obj" else {
            throw SceneFileError(
                name, "is a Wavefront OBJ, which has no sounds", rule: "a scene is a .gltf or a .glb",
                cure: "export it as glTF 2.0")
        }
        let bytes = try SceneReader.usable(ReaderProcess.bytes(ofFile: path), name)
        try self.init(
            bytes, name: name, folder: SceneFolder(path: url.deletingLastPathComponent().path), draft: draft,
            channelCount: channelCount)
    }

    /// Reads and checks a `.gltf` or a `.glb` in memory.
    package init(
        _ bytes: [UInt8], name: String, folder: SceneFolder = SceneFolder(path: nil), draft: KhronosDraft? = nil,
        channelCount: @escaping SoundChannelCount = { _ in nil }
    ) throws {
        let container = try GLTFContainer(bytes, file: name)
        let document = try JSONCursor(container.json, file: name).object()
        let plain = try GLTFDocument(document, binary: container.binary, folder: folder).scene()
        self = try KhronosReader.scene(plain, document, draft, channelCount)
        try SceneReferences(self).check()
    }
}

/// A node of the scene's tree.
package struct SceneNode: Sendable, Hashable {
    package var name: String?
    /// Relative to the parent.
    package var transform: SceneTransform
    package var children: [Int]
    package var mesh: Int?
    package var roles: SceneRoles

    package init(
        name: String? = nil, transform: SceneTransform = SceneTransform(), children: [Int] = [], mesh: Int? = nil,
        roles: SceneRoles = SceneRoles()
    ) {
        (self.name, self.transform, self.children) = (name, transform, children)
        (self.mesh, self.roles) = (mesh, roles)
    }
}

/// A mesh: the triangles of its primitives, each of a material.
package struct SceneMesh: Sendable, Hashable {
    package var name: String
    package var primitives: [ScenePrimitive]

    package init(name: String, primitives: [ScenePrimitive]) { (self.name, self.primitives) = (name, primitives) }

    package var triangleCount: Int { primitives.reduce(0) { $0 + $1.triangles.count } }
}

package struct ScenePrimitive: Sendable, Hashable {
    package var vertices: [SIMD3<Float>]
    /// Numbers of vertices, counter-clockwise as seen from the side of the air.
    package var triangles: [SIMD3<UInt32>]
    package var material: Int?

    package init(vertices: [SIMD3<Float>], triangles: [SIMD3<UInt32>], material: Int?) {
        (self.vertices, self.triangles, self.material) = (vertices, triangles, material)
    }
}

/// A 4 × 4 matrix of columns: the last one is a position, the others are axes.
package struct SceneTransform: Sendable, Hashable {
    package var columns: [SIMD4<Float>]

    package init() {
        columns = [SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1)]
    }

    /// - Parameter columns: four.
    package init(columns: [SIMD4<Float>]) { self.columns = columns }

    package init(translation: SIMD3<Float>) {
        self.init()
        columns[3] = SIMD4(translation, 1)
    }

    /// Scale, then rotation, then translation; computed in double precision.
    /// - Parameter rotation: x, y, z, w; of any length but 0.
    package init(translation: SIMD3<Float>, rotation: SIMD4<Double>, scale: SIMD3<Double>) {
        let q = rotation / (rotation * rotation).sum().squareRoot()
        let axes = [
            SIMD3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)),
            SIMD3(2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)),
            SIMD3(2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)),
        ]
        columns = (0..<3).map { SIMD4(SIMD3<Float>(axes[$0] * scale[$0]), 0) } + [SIMD4(translation, 1)]
    }

    package var translation: SIMD3<Float> { SIMD3(columns[3].x, columns[3].y, columns[3].z) }
}

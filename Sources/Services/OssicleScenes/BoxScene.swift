import OssicleAcoustics
import OssicleCore

/// A shoebox without a file: a room of the given size with its lowest corner at the origin.
///
/// Being a box, it has its mirrors in closed form (`BoxRoom`).
package struct BoxScene: Sendable {
    package let size: Vector
    /// Of low and high x, low and high y (floor and ceiling), low and high z.
    package let materials: [AcousticMaterial]

    /// - Parameters:
    ///   - size: metres along x, y (up) and z, each 0.1…10,000. - materials: one for all walls, or six.
    package init(size: Vector, materials: [AcousticMaterial]) throws(SceneFileError) {
        guard size.isFinite, [size.x, size.y, size.z].allSatisfy({ (0.1...10_000).contains($0) }) else {
            throw SceneFileError("box", "its size is \(size.x) × \(size.y) × \(size.z) m", rule: "each side is 0.1 to 10,000 m",
                                 cure: "give width, height and depth in metres")
        }
        guard materials.count == 1 || materials.count == 6 else {
            throw SceneFileError("box", "has \(materials.count) materials", rule: "one for all walls or six are wanted",
                                 cure: "give one, or those of low x, high x, floor, ceiling, low z, high z")
        }
        self.size = size
        self.materials = materials.count == 6 ? materials : Array(repeating: materials[0], count: 6)
    }

    /// The walls as one occluder whose normals look into the room.
    package var occluder: Occluder {
        let vertices = (0..<8).map { Vector($0 & 1 == 0 ? 0 : size.x, $0 & 2 == 0 ? 0 : size.y, $0 & 4 == 0 ? 0 : size.z) }
        // Corners of each wall, counter-clockwise as seen from inside, in the order of the materials.
        let walls: [[Int32]] = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]]
        let triangles = walls.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] }
        let mesh = TriangleMesh(vertices: vertices, triangles: triangles, elements: (0..<12).map { Int32($0 / 2) }, elementCount: 6)
        return Occluder(id: 1, name: "box", geometry: MeshGeometry(mesh), materials: materials)
    }
}

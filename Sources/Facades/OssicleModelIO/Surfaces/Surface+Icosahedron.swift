import OssicleCore
import OssicleSIMD

extension Surface {
    /// Twenty flat triangles about the origin, their corners on the ellipsoid with half axes `radii`.
    static func icosahedron(radii: SIMD3<Float>) -> Surface {
        let radii = MeshLimits.extent(radii)
        let golden = (1 + Double(5).squareRoot()) / 2
        let short = 1 / (1 + golden * golden).squareRoot()
        let long = golden * short
        // Three rectangles of golden proportions at right angles to each other.
        let corners = [SIMD3(-short, long, 0), SIMD3(short, long, 0), SIMD3(-short, -long, 0), SIMD3(short, -long, 0),
                       SIMD3(0, -short, long), SIMD3(0, short, long), SIMD3(0, -short, -long), SIMD3(0, short, -long),
                       SIMD3(long, 0, -short), SIMD3(long, 0, short), SIMD3(-long, 0, -short), SIMD3(-long, 0, short)]
        let faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
                     (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
        var surface = Surface()
        for (a, b, c) in faces {
            let face = [a, b, c].map { corners[$0] * SIMD3<Double>(radii) }
            let normal = SIMD3<Float>(direction: simd_cross(face[1] - face[0], face[2] - face[0]))
            surface.addFace(zip([a, b, c], face).map { corner, position in
                Vertex(position: SIMD3<Float>(position), normal: normal, textureCoordinate: longitudeAndLatitude(of: corners[corner]))
            })
        }
        return surface
    }

    /// Both as parts of 1; the latitude runs from top to bottom, as on the other round solids.
    private static func longitudeAndLatitude(of direction: SIMD3<Double>) -> SIMD2<Float> {
        let longitude = DeterministicMath.atan2(direction.z, direction.x) / (2 * .pi)
        return SIMD2(Float(longitude < 0 ? longitude + 1 : longitude), Float(0.5 - DeterministicMath.asin(direction.y) / .pi))
    }
}

import OssicleCore
import OssicleDSP
import Testing

@Suite("The triangulated sphere") struct SphericalTriangulationTests {
    /// Rings every 10°, like a measurement: full of rectangles.
    private let rings: [Vector] =
        [HeadDirection.vector(azimuth: 0, elevation: 90), HeadDirection.vector(azimuth: 0, elevation: -90)]
        + stride(from: -80, through: 80, by: 10).flatMap { elevation in
            stride(from: 0, to: 360, by: 10).map {
                HeadDirection.vector(azimuth: Double($0), elevation: Double(elevation))
            }
        }

    @Test("uses every direction and closes: 2n − 4 triangles")
    func closes() {
        let hull = SphericalTriangulation(rings)
        #expect(hull.triangles.count == 2 * rings.count - 4)
        #expect(Set(hull.triangles.flatMap { [$0.x, $0.y, $0.z] }).count == rings.count)
        #expect(hull.insideRadius > 0.9)
    }

    @Test("finds weights that rebuild any direction within 1e-4")
    func locates() {
        let mesh = SphereMesh(directions: rings, corners: SphericalTriangulation(rings).triangles)
        defer { mesh.deallocate() }
        for direction in sphereGrid(step: 3) {
            let p = HeadDirection.unit(direction)
            let place = mesh.locate(p)
            let sum = (0..<3).reduce(Vector.zero) { $0 + rings[Int(place.corners[$1])] * place.weights[$1] }
            #expect((sum - p).magnitude < 1e-4 && place.weights.min() >= 0, "\(direction)")
        }
    }

    @Test("of too few or flat directions has no triangles, and is found to be empty")
    func empty() {
        #expect(SphericalTriangulation([]).triangles.isEmpty)
        #expect(
            SphericalTriangulation([Vector(1, 0, 0), Vector(0, 1, 0), Vector(-1, 0, 0), Vector(0, -1, 0)]).triangles
                .isEmpty)
        let mesh = SphereMesh(directions: [], corners: [])
        defer { mesh.deallocate() }
        #expect(mesh.locate(Vector(0, 0, 1)).corners == .zero)
    }

    @Test("A search that begins with the last triangle finds what one from nowhere finds, on edges and corners too")
    func searchFromLast() {
        let mesh = SphereMesh(directions: rings, corners: SphericalTriangulation(rings).triangles)
        defer { mesh.deallocate() }
        var last: Int32 = -1
        for step in 0..<4000 {
            let (azimuth, elevation) = (Double(step) * 0.375, 80 * DeterministicMath.sin(Double(step) / 300))
            let p =
                step % 50 == 0
                ? rings[step % rings.count] : HeadDirection.vector(azimuth: azimuth, elevation: elevation)
            let (found, wanted) = (mesh.locate(p, near: last), mesh.locate(p))
            #expect(found.corners == wanted.corners && found.weights == wanted.weights, "step \(step)")
            last = found.triangle
        }
        #expect(mesh.locate(HeadDirection.front, near: 1_000_000).corners == mesh.locate(HeadDirection.front).corners)
    }
}

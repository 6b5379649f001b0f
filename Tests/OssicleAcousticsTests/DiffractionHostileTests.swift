@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct DiffractionHostileTests {
    private func expectFinite(_ solver: DiffractionSolver<PortableTracer>, _ source: Vector, _ listener: Vector) {
        for depth in 0...2 {
            let paths = solver.paths(from: source, to: listener, edges: depth)
            #expect(paths.count <= 4)
            for path in paths {
                let isFinite =
                    path.length.isFinite && path.arrival.isFinite && path.departure.isFinite
                    && path.corners.allSatisfy(\.isFinite)
                    && path.bandGains.values.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 4 }
                #expect(isFinite, "\(path)")
            }
        }
        let lit = solver.lit(from: source, to: listener)
        #expect(lit.values.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 4 })
    }

    @Test("Places on edges, on surfaces, inside walls, at one place or nowhere give finite answers")
    func places() {
        let solver = DiffractionSolver(
            Occluder(Meshes.box(Vector(2, 2, 0.2))),
            Occluder(Meshes.screen(width: 1, height: 1), id: 2, at: Vector(0, 0, 1)))
        let places = [
            Vector(0, 0, -2), Vector(1, 0.3, 0.1), Vector(1, 1, 0.1), Vector(0.2, 0.1, 0.1), Vector(0.2, 0.1, 0),
            Vector(0.5, 0.1, 1), Vector(0.2, 0.1, 1),
            Vector(0, 0.2, 3), Vector(1.0005, 0.3, 0.1), Vector(.nan, 0, 0), Vector(0, .infinity, 0), Vector(1e9, 0, 0),
            Vector(0, 1, 0.1),
        ]
        for source in places { for listener in places { expectFinite(solver, source, listener) } }
    }

    @Test("Broken meshes give finite answers")
    func meshes() {
        let line = TriangleMesh(
            vertices: [Vector(-1, 0, 0), Vector(0, 0, 0), Vector(1, 0, 0)], triangles: [SIMD3(0, 1, 2)])
        let nowhere = TriangleMesh(
            vertices: [Vector(.nan, 0, 0), Vector(0, 1, 0), Vector(1, 0, 0)], triangles: [SIMD3(0, 1, 2)])
        let needle = TriangleMesh(
            vertices: [Vector(-1, 0, 0), Vector(1, 0, 0), Vector(0, 1e-9, 0)], triangles: [SIMD3(0, 1, 2)])
        let huge = Meshes.screen(width: 1e6, height: 1e6)
        let one = TriangleMesh(
            vertices: [Vector(-1, -1, 0), Vector(1, -1, 0), Vector(0, 1, 0)], triangles: [SIMD3(0, 1, 2)])
        let doubled = TriangleMesh(vertices: one.vertices, triangles: [SIMD3(0, 1, 2), SIMD3(2, 1, 0), SIMD3(0, 1, 2)])
        let overlapping = Meshes.joined([
            Meshes.box(Vector(1, 1, 1)), Meshes.box(Vector(1, 1, 1), at: Vector(0.3, 0.2, 0.1)), one,
        ])
        for mesh in [line, nowhere, needle, huge, one, doubled, overlapping, TriangleMesh(vertices: [], triangles: [])]
        {
            let solver = DiffractionSolver(Occluder(mesh))
            expectFinite(solver, Vector(0.1, 0, -2), Vector(0.2, 0.1, 2))
            expectFinite(solver, Vector(0, 0, 0), Vector(0.2, 0.1, 2))
        }
        for scale in [0, .nan, -1, 1e-6] {
            let occluder = Occluder(
                id: 1, name: "", geometry: MeshGeometry(Meshes.box(Vector(1, 1, 1))), pose: Pose(scale: scale))
            expectFinite(DiffractionSolver(occluder), Vector(0.1, 0, -2), Vector(0.2, 0.1, 2))
        }
    }

    @Test("Of two hundred thousand triangles' edges the longest are kept")
    func large() {
        // A field of 50 000 little pyramids, each of four triangles.
        var vertices: [Vector] = []
        var triangles: [SIMD3<Int32>] = []
        for index in 0..<50_000 {
            let (x, z) = (Double(index % 250) * 0.2, Double(index / 250) * 0.2)
            let first = Int32(vertices.count)
            vertices += [
                Vector(x, 0, z), Vector(x + 0.1, 0, z), Vector(x, 0, z + 0.1),
                Vector(x + 0.03, 0.1 + 0.00001 * Double(index % 97), z + 0.03),
            ]
            triangles += [
                SIMD3(first, first + 1, first + 3), SIMD3(first + 1, first + 2, first + 3),
                SIMD3(first + 2, first, first + 3), SIMD3(first, first + 2, first + 1),
            ]
        }
        #expect(triangles.count == 200_000)
        let geometry = MeshGeometry(TriangleMesh(vertices: vertices, triangles: triangles))
        #expect(geometry.edges.wedges.count == EdgeSet.mostEdges)
        #expect(geometry.edges === geometry.edges)
        let solver = DiffractionSolver(Occluder(id: 1, name: "field", geometry: geometry))
        expectFinite(solver, Vector(0, 0.05, 0.15), Vector(30, 0.05, 20.15))
        #expect(EdgeSet(Meshes.sphere(radius: 3, rings: 250, sectors: 400)).wedges.isEmpty)
    }
}

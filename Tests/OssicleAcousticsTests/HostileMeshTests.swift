@testable import OssicleAcoustics
import OssicleCore
import Testing

/// Meshes and questions nobody should send. Whatever comes back is a number, and the same from both tracers.
@Suite struct HostileMeshTests {
    private func ask(_ mesh: TriangleMesh, rays: Int = 2000) -> TracerComparison {
        TracerComparison(AcousticScene(Occluder(mesh), Occluder(Meshes.box(Vector(1, 1, 1)), id: 2)), rays: rays)
    }

    @Test("Two hundred thousand triangles without order, some without area, some without number")
    func soup() {
        let random = CounterRandom(seed: 31, object: 1)
        let vertices = (0..<100_000 as Range<UInt64>).map { index -> Vector in
            if index % 1000 == 7 { return Vector(.nan, 0, 0) }
            if index % 1000 == 8 { return Vector(0, .infinity, 0) }
            return (Vector(random.unit(3 * index), random.unit(3 * index + 1), random.unit(3 * index + 2)) - 0.5) * 20
        }
        let triangles = (0..<200_000 as Range<Int32>).map { index -> SIMD3<Int32> in
            let first = index / 2
            return index % 100 == 0 ? SIMD3(first, first, first + 1) : SIMD3(first, first + index % 2 + 1, first + 3)
        }
        // Neighbours in the list lie anywhere, so every triangle is as large as the room.
        let mesh = TriangleMesh(vertices: vertices, triangles: triangles)
        #expect(mesh.rejectedTriangles > 0)
        let asked = ask(mesh, rays: 60)
        #expect(asked.differences == 0)
        #expect(asked.hits > 0)
    }

    @Test("One triangle, a needle of a triangle, none at all")
    func few() {
        let one = TriangleMesh(vertices: [.zero, Vector(3, 0, 0), Vector(0, 3, 0)], triangles: [SIMD3(0, 1, 2)])
        let needles = TriangleMesh(
            vertices: (0..<40).map { (k: Int) -> Vector in
                Vector(Double(k % 2) * 20, Double(k) * 0.1, Double(k % 3) * 1e-9)
            },
            triangles: (0..<38).map { (k: Int32) -> SIMD3<Int32> in SIMD3(k, k + 1, k + 2) })
        for mesh in [
            one, needles, TriangleMesh(vertices: [], triangles: []),
            TriangleMesh(vertices: [.zero], triangles: [SIMD3(0, 0, 0)]),
        ] {
            #expect(ask(mesh).differences == 0)
        }
        let empty = TracerComparison(AcousticScene(occluders: []), rays: 100)
        #expect(empty.hits == 0 && empty.differences == 0)
    }

    @Test("Specks at the ends of the world, and a body that is one speck beside them")
    func specks() {
        let body = Meshes.lumps(radius: 1, rings: 9, sectors: 11, seed: 3)
        let (far, tiny) = (
            Meshes.box(Vector(1, 1, 1), at: Vector(9e6, 9e6, -9e6)),
            Meshes.box(Vector(1e-7, 1e-7, 1e-7), at: Vector(-9e6, 0, 0))
        )
        let scattered = Meshes.joined([body, far, tiny])
        let asked = ask(scattered)
        #expect(asked.differences == 0)
        #expect(asked.hits > 0)
    }

    @Test("Rays from the ends of the world, along axes, and of no length give numbers or nothing")
    func rays() {
        let tracer = SceneTracer(AcousticScene(Occluder(Meshes.room(bodies: 4, rings: 6, sectors: 6))))
        var crossings: [Crossing] = []
        let far: [Double] = [
            0, -0.0, 1, 1e5, -1e9, 1e15, 1e155, -1e300, .greatestFiniteMagnitude, .infinity, .nan, 5e-324,
        ]
        for x in far {
            for z in far {
                let start = Vector(x, 0.5, z)
                for direction in [
                    Vector(1, 0, 0), Vector(-1, -0.0, 0), Vector(0, 0, -1), Vector(0.6, 0, 0.8), -start, start,
                ] {
                    for reach in far {
                        if let hit = tracer.nearestHit(from: start, towards: direction, within: reach) {
                            #expect(
                                hit.distance.isFinite && hit.position.isFinite && hit.normal.isFinite
                                    && hit.distance <= reach)
                        }
                        tracer.findCrossings(from: start, to: start + direction * reach, into: &crossings)
                        let areShares = crossings.allSatisfy { $0.share > 0 && $0.share < 1 }
                        #expect(areShares)
                        #expect(tracer.isBlocked(from: start, to: start + direction * reach) || crossings.isEmpty)
                    }
                }
            }
        }
    }
}

@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct SurroundingsTests {
    private func tracer(_ meshes: [TriangleMesh]) -> SceneTracer {
        SceneTracer(
            AcousticScene(
                occluders: meshes.enumerated().map { index, mesh in
                    Occluder(id: UInt64(index + 1), name: "\(index)", geometry: MeshGeometry(mesh), materials: [])
                }))
    }

    private let room = Meshes.box(Vector(6, 3, 5), inverted: true)
    private let pillar = Meshes.box(Vector(0.5, 2, 0.5), at: Vector(1, 0, 1))

    @Test(arguments: [(Vector(0, 0, 0), -1, 1), (Vector(1, 0, 1), 0, 2), (Vector(0, 5, 0), 0, 0)])
    func `depth is the winding number: air of a room −1, a solid in it 0, and 0 outside`(
        position: Vector, depth: Int, shells: Int
    ) {
        for meshes in [[room, pillar], [Meshes.joined([room, pillar])]] {
            let around = Surroundings(of: position, tracer: tracer(meshes))
            #expect(around.depth == depth...depth)
            #expect(around.shells.count == shells)
        }
    }

    @Test(arguments: [(Vector(0, 0, 0), 0), (Vector(3.1, 0, 0), 1), (Vector(9, 0, 0), 0)])
    func `a shell in a shell bounds a wall from within`(position: Vector, depth: Int) {
        let around = Surroundings(
            of: position, tracer: tracer([Meshes.joined([Meshes.box(Vector(6.4, 3.4, 5.4)), room])]))
        #expect(around.depth == depth...depth)
    }

    @Test func `a crumpled body, its normals looking in, has one depth all over its inside`() {
        let body = tracer([Meshes.lumps(radius: 1, rings: 12, sectors: 18, seed: 3)]),
            random = CounterRandom(seed: 9, object: 1)
        for point in 0..<200 {
            let direction = Vector(
                random.unit(UInt64(4 * point)) - 0.5, random.unit(UInt64(4 * point + 1)) - 0.5,
                random.unit(UInt64(4 * point + 2)) - 0.5)
            guard let unit = direction.direction else { continue }
            // The surface lies between 0.8 and 1.2 of the radius; chords of its facets come nearer by the sagitta of
            // 20°.
            let radius =
                point % 2 == 0 ? 0.7 * random.unit(UInt64(4 * point + 3)) : 1.25 + random.unit(UInt64(4 * point + 3))
            let depth = point % 2 == 0 ? -1 : 0
            #expect(Surroundings(of: unit * radius, tracer: body).depth == depth...depth)
        }
    }

    @Test(arguments: [Vector(0, -1.5, 0), Vector(-3, -1.5, -2.5), Vector(0, -1.4995, 0), Vector(0.7, -1.5005, 2.1)])
    func `on a surface, in an edge and in a corner either side counts`(position: Vector) {
        #expect(Surroundings(of: position, tracer: tracer([room])).depth == -1...0)
    }

    @Test func `open surfaces enclose nothing, and openness is the share of the sphere they leave`() {
        let screen = tracer([Meshes.screen(width: 2, height: 2)])
        let around = Surroundings(of: Vector(0, 0, 1), tracer: screen)
        #expect(around.shells.isEmpty && around.depth == 0...0)
        // A square of side 2 at distance 1 is a face of the cube around the position: a sixth of all directions.
        #expect(abs(around.openness - 5.0 / 6) < 0.005)
        #expect(abs(around.sight.upper.x - 1) < 0.1 && around.sight.lower.z.magnitude < 1e-9)
        #expect(Surroundings(of: .zero, tracer: tracer([room])).openness == 0)
    }

    @Test func `the hull is the shell with everything within it whose normals look in`() {
        #expect(tracer([pillar, room]).scene.hull == Shell(occluder: 1, piece: 0))
        #expect(tracer([Meshes.joined([pillar, room])]).scene.hull == Shell(occluder: 0, piece: 1))
        #expect(tracer([pillar]).scene.hull == nil)
        #expect(tracer([room, Meshes.box(Vector(1, 1, 1), at: Vector(9, 0, 0))]).scene.hull == nil)
        #expect(tracer([]).scene.hull == nil)
    }

    @Test(arguments: [Vector(.nan, 0, 0), Vector(.infinity, 0, 0), Vector(1e300, 0, 0)])
    func `positions that are none are outside of everything`(position: Vector) {
        let around = Surroundings(of: position, tracer: tracer([room, pillar]))
        #expect(around.depth == 0...0 && around.shells.isEmpty && around.openness == 1)
    }

    @Test(
        "What a closed surface's winding leaves open is said: a room with normals that look out, and triangles without rule"
    )
    func windingAssumptions() {
        func assumption(_ mesh: TriangleMesh, _ listener: Vector) -> String? {
            Occluder(mesh, id: 3).windingAssumption(for: [listener])
        }
        let (within, outside) = (Vector(0.3, 0.2, 0.1), Vector(4, 0, 0))
        let box = Meshes.box(Vector(4, 3, 5))
        #expect(assumption(box, within)?.contains("“occluder 3”") == true)
        #expect(assumption(box, within)?.contains("taken for a room") == true)
        #expect(assumption(box, outside) == nil)
        #expect(assumption(Meshes.box(Vector(4, 3, 5), inverted: true), within) == nil)
        #expect(assumption(Meshes.screen(width: 9, height: 9), within) == nil)
        let hollow = Meshes.joined([box, Meshes.box(Vector(3, 2, 4), inverted: true)])
        #expect(assumption(hollow, within) == nil)
        let mixed = TriangleMesh(
            vertices: box.vertices,
            triangles: box.triangles.enumerated().map { $0 % 3 == 0 ? SIMD3($1.x, $1.z, $1.y) : $1 })
        #expect(assumption(mixed, outside)?.contains("wound against each other") == true)
    }
}

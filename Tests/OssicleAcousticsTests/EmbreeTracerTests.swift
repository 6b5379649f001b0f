@testable import OssicleAcoustics
import OssicleCore
import Testing

/// What holds between the tracers. Without Embree they are one and the same, and these tests say little.
@Suite struct EmbreeTracerTests {
    @Test(
        "In rooms of 12 to 100 000 triangles both tracers give the same bits on 20 000 rays",
        arguments: [(0, 3, 3, 12), (4, 5, 6, 204), (40, 6, 6, 2412), (40, 26, 50, 100_012)])
    func rooms(bodies: Int, rings: Int, sectors: Int, triangles: Int) {
        let mesh = Meshes.room(bodies: bodies, rings: rings, sectors: sectors)
        #expect(mesh.triangles.count == triangles)
        let asked = TracerComparison(AcousticScene(Occluder(mesh)), rays: 20_000)
        #expect(asked.differences == 0)
        // The room is closed: every ray that begins in it ends on something.
        #expect(asked.hits == asked.rays)
        #expect(asked.blocked > asked.rays / 4)
        #expect(asked.crossings >= asked.blocked)
    }

    /// Turned, scaled and mirrored, one through the other, one of them twice at the same place.
    private func clutter(around centre: Vector = .zero, _ meshes: [TriangleMesh]) -> AcousticScene {
        let geometries = meshes.map { MeshGeometry($0) }
        let random = CounterRandom(seed: 8, object: 3)
        var occluders = (0..<24 as Range<UInt64>).map { index in
            let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(5 * index))
            let place = Vector(random.unit(5 * index + 1), random.unit(5 * index + 2), random.unit(5 * index + 3)) - 0.5
            let scale = (index % 3 == 0 ? -1 : 1) * (0.3 + 3 * random.unit(5 * index + 4))
            let pose = Pose(
                position: centre + place * Vector(16, 6, 12), right: Vector(c, 0, -s), back: Vector(s, 0, c),
                scale: scale)
            return Occluder(id: index, name: "", geometry: geometries[Int(index) % geometries.count], pose: pose)
        }
        occluders.append(Occluder(id: 99, name: "twin", geometry: occluders[3].geometry, pose: occluders[3].pose))
        return AcousticScene(occluders: occluders)
    }

    @Test("Turned, scaled, mirrored and overlapping occluders are the same to both", arguments: [0, 100, 1e5])
    func posed(distance: Double) {
        let centre = Vector(distance, -distance, distance / 3)
        let meshes = [
            Meshes.lumps(radius: 1, rings: 9, sectors: 11, seed: 1), Meshes.box(Vector(1, 2, 0.1)),
            Meshes.sphere(radius: 1),
        ]
        let scene = clutter(around: centre, meshes)
        let asked = TracerComparison(scene, rays: 20_000, around: centre)
        #expect(asked.differences == 0)
        #expect(asked.hits > asked.rays / 4)
        #expect(asked.blocked > asked.rays / 4)
    }

    @Test("Open, doubled, fanned and collapsed meshes are the same to both")
    func broken() {
        let body = Meshes.lumps(radius: 1, rings: 7, sectors: 9, seed: 2)
        let holed = TriangleMesh(
            vertices: body.vertices, triangles: body.triangles.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
        )
        let doubled = TriangleMesh(
            vertices: body.vertices, triangles: body.triangles + body.triangles.map { SIMD3($0.x, $0.z, $0.y) })
        let fan = TriangleMesh(vertices: body.vertices, triangles: (4..<50).map { SIMD3(0, 1, $0) })
        let collapsed = TriangleMesh(
            vertices: body.vertices, triangles: body.triangles + (0..<40).map { SIMD3($0, $0, $0 + 1) })
        let asked = TracerComparison(clutter([holed, doubled, fan, collapsed]), rays: 20_000)
        #expect(asked.differences == 0)
        #expect(asked.hits > asked.rays / 4)
    }

    @Test(
        "Nothing is too small or too large: a room of twenty centimetres, and one of two thousand kilometres",
        arguments: [1e-2, 1, 1e5])
    func sizes(scale: Double) {
        let room = Meshes.room(bodies: 10, rings: 6, sectors: 6)
        let scaled = TriangleMesh(vertices: room.vertices.map { $0 * scale }, triangles: room.triangles)
        let asked = TracerComparison(AcousticScene(Occluder(scaled)), rays: 5000, within: Vector(19, 7, 14) * scale)
        #expect(asked.differences == 0)
        #expect(asked.hits > asked.rays / 4)
    }

    @Test("From inside a closed body no ray gets out, least of all where edges and corners are", arguments: [0, 1])
    func watertight(kind: Int) {
        let lumps = Meshes.unwelded(Meshes.lumps(radius: 3, rings: 20, sectors: 30, seed: 6))
        let mesh = kind == 0 ? lumps : Meshes.sphere(radius: 3, rings: 12, sectors: 24)
        let tracer = SceneTracer(AcousticScene(Occluder(mesh)))
        let random = CounterRandom(seed: 13, object: 1)
        var escapes = 0
        for index in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(index)
            let share = random.unit(UInt64(index))
            for target in [a, b, c, (a + b) / 2, (b + c) / 2, a + (c - a) * share] {
                let start =
                    Vector(random.unit(UInt64(2 * index)) - 0.5, 0.1, random.unit(UInt64(2 * index + 1)) - 0.5) * 0.6
                guard let direction = (target - start).direction else { continue }
                if tracer.nearestHit(from: start, towards: direction, within: 100) == nil { escapes += 1 }
                if !tracer.isBlocked(from: start, to: start + direction * 100) { escapes += 1 }
            }
        }
        #expect(escapes == 0)
    }

    @Test(
        "Ways that end and begin next to edges and corners are the same to both, whether or not it is told what they leave",
        arguments: [1e-2, 1e-4, 1e-6, 0])
    func borders(inset: Double) {
        let mesh = Meshes.joined([
            Meshes.room(bodies: 6, rings: 5, sectors: 6), Meshes.box(Vector(1, 2, 1e-3)),
            Meshes.box(Vector(3, 1e-4, 1)),
        ])
        let asked = TracerComparison(mesh, inset: inset)
        #expect(asked.differences == 0)
        #expect(asked.hits > asked.rays / 2)
    }

    /// A convex room of seven planes that stand askew.
    private var attic: TriangleMesh {
        let ring = [Vector(-9, -3, 0), Vector(-7, 1, 0), Vector(0, 3.5, 0), Vector(8, 0.5, 0), Vector(9.3, -3, 0)]
        let vertices = ring.map { $0 + Vector(0.4, 0, 6) } + ring.map { $0 - Vector(0.1, 0, 6.5) }
        let sides = (0..<5 as Range<Int32>).flatMap { side in
            let next = (side + 1) % 5
            return [SIMD3(side, next, side + 5), SIMD3(next, next + 5, side + 5)]
        }
        let ends = (1..<4 as Range<Int32>).flatMap { [SIMD3(0, $0 + 1, $0), SIMD3(5, $0 + 5, $0 + 6)] }
        return TriangleMesh(vertices: vertices, triangles: sides + ends)
    }

    @Test("What stands in a convex room, on its floor, in its walls or beside it is the same to both", arguments: 0..<6)
    func furnished(kind: Int) {
        let (room, lumps) = (
            Meshes.room(bodies: 0, rings: 0, sectors: 0), Meshes.lumps(radius: 1, rings: 7, sectors: 9, seed: 4)
        )
        let table = Meshes.box(Vector(2, 1, 1.5), at: Vector(3, -3.5, 2))
        let furniture = [
            [room, lumps], [room, table], [room, lumps, Meshes.box(Vector(3, 1, 1), at: Vector(9.5, 0, 0))],
            [room, lumps, Meshes.box(Vector(1, 1, 1), at: Vector(14, 0, 0))], [attic, lumps],
            [attic, Meshes.box(Vector(1, 6, 0.1)), Meshes.unwelded(lumps)],
        ][kind]
        let asked = TracerComparison(AcousticScene(Occluder(Meshes.joined(furniture))), rays: 20_000)
        #expect(asked.differences == 0)
        #expect(asked.hits > asked.rays / 4)
        let borders = TracerComparison(Meshes.joined(furniture), inset: 1e-4)
        #expect(borders.differences == 0)
    }

    #if SystemLibraries
    @Test("What stands in a convex room is looked for without its walls")
    func shells() {
        func isSplit(_ meshes: TriangleMesh...) -> Bool {
            let geometry = MeshGeometry(Meshes.joined(meshes))
            return withExtendedLifetime(geometry) { geometry.embree?.view.pointee.inside != nil }
        }
        let room = Meshes.room(bodies: 4, rings: 5, sectors: 6)
        #expect(isSplit(room))
        #expect(!isSplit(Meshes.room(bodies: 0, rings: 0, sectors: 0)))
        #expect(!isSplit(room, Meshes.box(Vector(1, 1, 1), at: Vector(14, 0, 0))))
    }

    @Test(
        "Whatever instructions of this processor Embree uses, answers are the same to the last bit",
        arguments: ["sse2", "sse4.2", "avx", "avx2", "avx512"])
    func instructions(name: String) throws {
        let occluder = Occluder(Meshes.room(bodies: 40, rings: 6, sectors: 6))
        let scene = AcousticScene(occluder)
        var (placed, others) = (PlacedMesh(occluder, at: 0), PlacedMesh(occluder, at: 0))
        let geometry = occluder.geometry
        let facets = UnsafeBufferPointer(start: geometry.facets, count: geometry.tree.order.count)
        guard let device = EmbreeDevice(instructions: name) else { return }
        let mesh = try #require(EmbreeMesh(facets, geometry.bounds, shell: geometry.shell, device: device))
        others.embree = mesh.view
        let random = CounterRandom(seed: 3, object: 5)
        var (start, ground, hits) = (Vector.zero, Ground.unknown, 0)
        for ray in 0..<UInt64(20_000) {
            func vector(_ index: UInt64) -> Vector {
                Vector(random.unit(6 * ray + index), random.unit(6 * ray + index + 1), random.unit(6 * ray + index + 2))
                    - 0.5
            }
            if ray % 8 == 0 { (start, ground) = (vector(0) * Vector(19, 7, 14), .unknown) }
            let way = Segment(from: start, towards: try #require(vector(3).direction), within: 60, leaving: ground)
            var (mine, theirs) = (NearestCrossing(within: way.limit), NearestCrossing(within: way.limit))
            EmbreeSearch.findNearest(in: &placed, way, nearest: &mine)
            EmbreeSearch.findNearest(in: &others, way, nearest: &theirs)
            let hit = mine.hit(on: way)
            #expect(hit == theirs.hit(on: way))
            if let hit { (start, ground, hits) = (hit.position, hit.ground, hits + 1) }
        }
        #expect(hits > 10_000)
        withExtendedLifetime((scene, mesh)) {}
    }
    #endif

    @Test("A door that moves opens the way and is not built again")
    func movingDoor() {
        let leaf = MeshGeometry(
            Meshes.joined([Meshes.box(Vector(1, 2, 0.05)), Meshes.sphere(radius: 0.05, at: Vector(0.4, 0, 0.05))]))
        let wall = Occluder(Meshes.room(bodies: 3, rings: 6, sectors: 6), id: 2)
        func isBlocked(_ door: Pose) -> Bool {
            let scene = AcousticScene(occluders: [Occluder(id: 1, name: "door", geometry: leaf, pose: door), wall])
            #expect(scene.occluders[0].geometry === leaf)
            return SceneTracer(scene).isBlocked(from: Vector(0, 3, -1), to: Vector(0, 3, 1))
        }
        #expect(isBlocked(Pose(position: Vector(0, 3, 0))))
        #expect(!isBlocked(Pose(position: Vector(2, 3, 0))))
        #expect(!isBlocked(Pose(position: Vector(0.6, 3, 0), right: Vector(0, 0, -1), back: Vector(1, 0, 0))))
        #if SystemLibraries
        let (before, scene) = (
            leaf.embree?.view, AcousticScene(occluders: [Occluder(id: 1, name: "door", geometry: leaf), wall])
        )
        #expect(before != nil)
        #expect(scene.occluders[0].geometry.embree?.view == before)
        #endif
    }

    @Test("Eight threads find what one finds")
    func threads() {
        let tracer = SceneTracer(
            clutter([
                Meshes.lumps(radius: 1, rings: 9, sectors: 11, seed: 1), Meshes.room(bodies: 5, rings: 6, sectors: 6),
            ]))
        let random = CounterRandom(seed: 2, object: 2)
        @Sendable func hits(_ part: Int) -> [Hit?] {
            (0..<500).map { ray -> Hit? in
                let key = UInt64(6 * (500 * part + ray))
                @Sendable func vector(_ key: UInt64) -> Vector {
                    Vector(random.unit(key), random.unit(key + 1), random.unit(key + 2)) - 0.5
                }
                return tracer.nearestHit(
                    from: vector(key) * 10, towards: vector(key + 3).direction ?? Vector(1, 0, 0), within: 50)
            }
        }
        let (one, eight) = (WorkerPool(workers: 1).map(count: 32, hits), WorkerPool(workers: 8).map(count: 32, hits))
        let areSame = one == eight
        #expect(areSame)
        #expect(one.joined().contains { $0 != nil })
    }
}

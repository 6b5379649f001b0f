@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct ReflectionGeometryTests {
    private let mirror = ReflectionScenes.mirror

    private func plate(_ mesh: TriangleMesh, id: UInt64 = 1, at position: Vector = .zero) -> Occluder {
        Occluder(id: id, name: "plate", geometry: MeshGeometry(mesh), pose: Pose(position: position), material: mirror)
    }

    private func single(_ source: Vector, _ listener: Vector, _ occluders: Occluder...) -> [SoundPath] {
        ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: occluders))).reflections(
            of: source, at: listener, order: 1, limit: 100)
    }

    @Test("In an L-shaped room the walls seen from both legs answer, the far ends of the legs do not")
    func corner() {
        // Six corners in plan; the leg ends at x = 8 and z = 8 are each hidden from the other leg by the corner at (4,
        // 4).
        let plan: [(Double, Double)] = [(0, 0), (0, 8), (4, 8), (4, 4), (8, 4), (8, 0)]
        let floor: [SIMD3<Int32>] = [SIMD3(0, 1, 2), SIMD3(0, 2, 3), SIMD3(0, 3, 4), SIMD3(0, 4, 5)]
        let room = Occluder(ReflectionScenes.prism(plan, floor: floor, height: 3), nil)
        #expect(room.geometry.pieces == [.init(isClosed: true, outward: -1)])
        #expect(BoxRoom(inside: room) == nil)
        let (source, listener) = (Vector(1.5, 1, 6), Vector(6, 1.6, 1.5))
        let expected = [Vector(-1.5, 1, 6), Vector(1.5, 1, -6), Vector(1.5, -1, 6), Vector(1.5, 5, 6)].map {
            ($0 - listener).magnitude
        }.sorted()
        let found = single(source, listener, room).map(\.length).sorted()
        let isSame = zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 }
        #expect(found.count == 4 && isSame)
        // Over x = 0, then z = 0, sound goes round the corner.
        let second = ReflectionScenes.solver(room).reflections(of: source, at: listener, order: 2, limit: 100).map(
            \.length)
        let twice = (Vector(-1.5, 1, -6) - listener).magnitude
        #expect(second.filter { abs($0 - twice) < 1e-9 }.count == 1)
    }

    @Test("A wall answers as far as it reaches")
    func halfWall() {
        let wall = plate(Meshes.screen(width: 4, height: 4))
        #expect(single(Vector(-1, 0, 2), Vector(1, 0, 2), wall).count == 1)
        #expect(single(Vector(1.5, 0, 2), Vector(2.4, 0, 2), wall).count == 1)
        #expect(single(Vector(1.7, 0, 2), Vector(2.4, 0, 2), wall).isEmpty)
    }

    @Test("In its window a wall does not reflect, around it it does")
    func window() {
        let frame = Meshes.joined([
            Meshes.screen(width: 6, height: 2, at: Vector(0, 2, 0)),
            Meshes.screen(width: 6, height: 2, at: Vector(0, -2, 0)),
            Meshes.screen(width: 2, height: 2, at: Vector(-2, 0, 0)),
            Meshes.screen(width: 2, height: 2, at: Vector(2, 0, 0)),
        ])
        for mesh in [frame, ReflectionScenes.split(frame, 5)] {
            #expect(single(Vector(-0.5, 0, 2), Vector(0.5, 0.2, 2), plate(mesh)).isEmpty)
            #expect(single(Vector(-0.5, 1.1, 2), Vector(0.5, 1.2, 2), plate(mesh)).count == 1)
            #expect(single(Vector(1.2, 0, 2), Vector(1.4, 0, 2), plate(mesh)).count == 1)
        }
    }

    @Test("A sheet reflects on either side, once, also where each side has its own triangles")
    func sheets() {
        let sheet = Meshes.screen(width: 4, height: 4)
        let doubled = TriangleMesh(
            vertices: sheet.vertices, triangles: sheet.triangles + sheet.triangles.map { SIMD3($0.x, $0.z, $0.y) })
        for mesh in [sheet, doubled, Meshes.unwelded(doubled)] {
            let wall = plate(mesh)
            #expect(single(Vector(-1, 0, 2), Vector(1, 0, 1), wall).count == 1)
            #expect(single(Vector(-1, 0, -2), Vector(1, 0, -1), wall).count == 1)
            #expect(single(Vector(-1, 0, 2), Vector(1, 0, -1), wall).isEmpty)
            #expect(ReflectorMesh(wall.geometry).patches.map(\.area) == [16])
        }
    }

    @Test("A closed box reflects outside and within, whichever way it is wound, and nothing passes its walls")
    func solid() {
        for isInverted in [false, true] {
            let box = plate(Meshes.box(Vector(4, 4, 4), inverted: isInverted))
            #expect(single(Vector(-1, 0, 5), Vector(1, 0, 4), box).count == 1)
            #expect(single(Vector(-1, 0, 1), Vector(1, 0, 0), box).count == 6)
            #expect(single(Vector(-1, 0, 1), Vector(1, 0, 3), box).isEmpty)
            #expect(single(Vector(-1.5, 2.5, 0), Vector(1.5, 2.5, 0), box).count == 1)
        }
        // A cavity in a thick shell is a room.
        let shell = plate(Meshes.joined([Meshes.box(Vector(5, 5, 5)), Meshes.box(Vector(4, 4, 4), inverted: true)]))
        #expect(single(Vector(-1, 0, 1), Vector(1, 0, 0), shell).count == 6)
    }

    @Test("Coplanar neighbours are one mirror, whether of one occluder or two, and a point of their seam is found once")
    func neighbours() {
        let half = Meshes.screen(width: 2, height: 4)
        let halves = [-1.0, 1.0].map { Meshes.screen(width: 2, height: 4, at: Vector($0, 0, 0)) }
        let together = plate(Meshes.joined(halves))
        let scenes = [
            [together], [plate(half, at: Vector(-1, 0, 0)), plate(half, id: 2, at: Vector(1, 0, 0))],
            [
                plate(half, at: Vector(-1, 0, 0)), plate(half, id: 2, at: Vector(1, 0, 0)),
                plate(Meshes.screen(width: 1, height: 1), id: 3),
            ],
        ]
        for occluders in scenes {
            let solver = ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: occluders)))
            #expect(solver.reflectors.reflectors.count == 1)
            for x in [0, 1e-12, -1e-12, 1e-7, -1e-7, 0.3, -0.3] {
                #expect(
                    solver.reflections(of: Vector(x - 1, 0, 2), at: Vector(x + 1, 0, 2), order: 3, limit: 100).count
                        == 1)
            }
        }
    }

    @Test("Sound that grazes a surface is left to the straight way")
    func grazing() {
        let floor = plate(Meshes.screen(width: 300, height: 300))
        #expect(single(Vector(-50, 0, 0.001), Vector(50, 0, 0.001), floor).isEmpty)
        #expect(single(Vector(-50, 0, 0.1), Vector(50, 0, 0.1), floor).count == 1)
    }

    @Test("A source on a sheet sounds like one just before it, and one behind it is not mirrored")
    func onSurface() {
        let wall = plate(Meshes.screen(width: 4, height: 4))
        let listener = Vector(0.5, 0.2, 3)
        let path = single(Vector(0.1, 0.1, 0), listener, wall)
        #expect(path.count == 1)
        for path in path {
            #expect(abs(path.length - (Vector(0.1, 0.1, 0) - listener).magnitude) < 1e-4)
            #expect(path.departure.isFinite && path.arrival.isFinite)
        }
        #expect(single(Vector(0.1, 0.1, -0.01), listener, wall).isEmpty)
        #expect(single(Vector(0.1, 0.1, 0.01), listener, wall).count == 1)
    }

    @Test("Geometry a moved occluder shares is not sorted again, and its surfaces keep their names")
    func moving() {
        let room = ReflectionScenes.tableRoom(isPlain: false)
        let screen = Occluder(Meshes.screen(width: 1, height: 1), id: 9, at: Vector(3, 2.5, 1.6))
        var moved = screen
        moved.pose = Pose(position: Vector(3.1, 2.6, 1.4), right: Vector(0, 0, -1), back: Vector(1, 0, 0))
        let before = ImageSourceSolver(tracer: PortableTracer(AcousticScene(room, screen)))
        let after = ImageSourceSolver(tracer: PortableTracer(AcousticScene(room, moved)), reusing: before.reflectors)
        #expect(zip(before.reflectors.meshes, after.reflectors.meshes).allSatisfy { $0 === $1 })
        let names = [before, after].map { solver in
            Set(solver.reflections(of: Vector(1, 1, 1), at: Vector(5, 4, 2), order: 1, limit: 100).map(\.identity))
        }
        #expect(names[0].intersection(names[1]).count >= 4)
        let fresh = ImageSourceSolver(tracer: PortableTracer(AcousticScene(room, moved)))
        #expect(
            fresh.reflections(of: Vector(1, 1, 1), at: Vector(5, 4, 2), order: 2, limit: 100)
                == after.reflections(of: Vector(1, 1, 1), at: Vector(5, 4, 2), order: 2, limit: 100))
    }

    @Test("A room has the same reflections whichever way its faces are wound, empty, furnished, or wound without rule")
    func winding() {
        func scene(_ turned: (Int) -> Bool, isEmpty: Bool) -> AcousticScene {
            let room = Meshes.box(Vector(6, 3, 5), at: Vector(3, 1.5, 2.5))
            let mesh = TriangleMesh(
                vertices: room.vertices,
                triangles: room.triangles.enumerated().map { turned($0) ? SIMD3($1.x, $1.z, $1.y) : $1 })
            let table = plate(Meshes.box(Vector(1, 0.8, 0.6), at: Vector(3, 0.4, 2)), id: 2)
            return AcousticScene(occluders: isEmpty ? [plate(mesh)] : [plate(mesh), table])
        }
        for isEmpty in [true, false] {
            let found = [{ _ in true }, { _ in false }, { $0 % 3 == 0 }].map { (turned: (Int) -> Bool) in
                ImageSourceSolver(tracer: PortableTracer(scene(turned, isEmpty: isEmpty))).reflections(
                    of: Vector(1.2, 1.4, 1), at: Vector(4.5, 1.6, 3.8), order: 2, limit: 100)
            }
            #expect(found[0].count > 18)
            for other in found.dropFirst() {
                let areSame = zip(found[0], other).allSatisfy {
                    abs($0.length - $1.length) < 1e-9
                        && zip($0.bandGains.values, $1.bandGains.values).allSatisfy { abs($0 - $1) < 1e-6 }
                }
                #expect(found[0].count == other.count && areSame)
            }
        }
    }
}

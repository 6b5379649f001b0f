@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct ReflectionSearchTests {
    /// The table's room with small boxes in it: `count` of them, standing in a lattice off the axes.
    static func furnished(_ count: Int) -> AcousticScene {
        let random = CounterRandom(seed: 11, object: 2)
        let boxes = (0..<count).map { index in
            let draw = UInt64(3 * index)
            let place = Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2))
            return Meshes.box(Vector(0.2, 0.3, 0.2), at: Vector(5.4, 4.4, 2.4) * place + 0.3)
        }
        let furniture = Occluder(
            id: 8, name: "boxes", geometry: MeshGeometry(Meshes.joined(boxes)), material: ReflectionScenes.mirror)
        return AcousticScene(ReflectionScenes.tableRoom(), furniture)
    }

    private let source = Vector(1.1, 0.9, 1.2)
    private let listener = Vector(4.9, 4.2, 1.6)

    @Test("What rays find beyond the largest mirrors are the reflections a search through all rows finds")
    func guided() {
        let scene = Self.furnished(12)
        let solver = ImageSourceSolver(tracer: PortableTracer(scene))
        #expect(solver.reflectors.reflectors.count > 64)
        // Every row of two, by hand.
        let all = ReflectionSearch(set: solver.reflectors, source: source, listener: listener)
        let expected = (1...2).flatMap { all.paths(order: $0) }.filter { $0.isClear(solver.tracer) }.withoutDoubles()
        let candidates = solver.candidates(of: source, at: listener, order: 2)
        let found = solver.reflections(of: source, at: listener, order: 2, limit: 10_000, trying: candidates)
        #expect(found.count == expected.count && expected.count > 15)
        // Third order: each validated way is a true one, and none is there twice.
        let third = solver.reflections(of: source, at: listener, order: 3, limit: 10_000)
        #expect(third.count > found.count)
        for path in third {
            let points = [source] + path.corners + [listener]
            let length = zip(points, points.dropFirst()).reduce(0.0) { $0 + ($1.1 - $1.0).magnitude }
            let isClear = zip(points, points.dropFirst()).allSatisfy { !solver.tracer.isBlocked(from: $0, to: $1) }
            #expect(abs(length - path.length) < 1e-8 && isClear)
        }
    }

    @Test("Candidates that were kept give what new ones give, at the same place and after a step")
    func kept() {
        let solver = ImageSourceSolver(tracer: PortableTracer(Self.furnished(12)))
        let first = solver.candidates(of: source, at: listener, order: 2)
        let again = solver.candidates(of: source, at: listener, order: 2, keeping: first)
        #expect(first == again)
        let searched = solver.reflections(of: source, at: listener, order: 2, limit: 1000)
        #expect(solver.reflections(of: source, at: listener, order: 2, limit: 1000, trying: first) == searched)
        // Rays from the new place only, with the old rows kept, and the old rows alone.
        let step = listener + Vector(0.1, -0.05, 0.02)
        let fresh = solver.reflections(of: source, at: step, order: 2, limit: 1000)
        let both = solver.candidates(of: source, at: step, order: 2, keeping: first)
        #expect(solver.reflections(of: source, at: step, order: 2, limit: 1000, trying: both) == fresh)
        let old = solver.reflections(of: source, at: step, order: 2, limit: 1000, trying: first)
        #expect(old.count >= fresh.count - 3 && Set(old.map(\.identity)).isSubset(of: Set(fresh.map(\.identity))))
    }

    @Test("In a plain room rows kept from one corner serve in the other")
    func keptInRoom() {
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false))
        let candidates = solver.candidates(of: Vector(1, 1, 1), at: Vector(5, 4, 2), order: 3)
        let far = solver.reflections(
            of: Vector(4.4, 0.7, 2.6), at: Vector(0.5, 4.1, 0.4), order: 3, limit: 1000, trying: candidates)
        #expect(far.count == 62)
    }

    @Test("An image serves as a source for whoever asks for the way to any point")
    func images() {
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false))
        let candidates = solver.candidates(of: source, at: listener, order: 2)
        let ways = solver.images(of: source, order: 2, in: candidates).compactMap {
            solver.path(from: $0, to: listener)
        }
        #expect(ways.count == 24)
        #expect(
            ways.allSatisfy { way in solver.reflections(of: source, at: listener, order: 2, limit: 100).contains(way) })
    }

    @Test("The same bytes each time, and whatever the order of the scene's occluders the same ways")
    func sameBytes() {
        let scene = Self.furnished(30)
        let results = (0..<2).map { _ in
            ImageSourceSolver(tracer: PortableTracer(scene)).reflections(of: source, at: listener, order: 3, limit: 20)
        }
        #expect(results[0] == results[1] && results[0].count == 20)
        let turned = ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: scene.occluders.reversed())))
        #expect(
            turned.reflections(of: source, at: listener, order: 1, limit: 1000).map(\.length)
                == ImageSourceSolver(tracer: PortableTracer(scene)).reflections(
                    of: source, at: listener, order: 1, limit: 1000
                ).map(\.length))
    }

    @Test("Whatever a mesh is like, what comes back is finite")
    func hostile() {
        let random = CounterRandom(seed: 2, object: 77)
        let soup: [Vector] = (0..<900 as Range<UInt64>).map { index in
            let place = Vector(random.unit(3 * index), random.unit(3 * index + 1), random.unit(3 * index + 2))
            return (place - 0.5) * 6
        }
        let bad: [Vector] = [
            Vector(.nan, 0, 0), Vector(.infinity, 1, 1), Vector(1e300, 0, 0), Vector(1e6, 1e6, -1e6), .zero, .zero,
            Vector(1e-300, 0, 0),
        ]
        let vertices = soup + bad
        var triangles: [SIMD3<Int32>] = (0..<300).map { SIMD3<Int32>(3 * $0, 3 * $0 + 1, 3 * $0 + 2) }
        triangles += (0..<300).map { SIMD3<Int32>($0, $0 + 300, 900 + $0 % 7) }
        triangles += [SIMD3(0, 0, 0), SIMD3(1, 2, 1), SIMD3(-4, 2, 9999)]
        // Two hundred triangles around one edge.
        triangles += (0..<200).map { SIMD3<Int32>(10, 11, 20 + $0) }
        let geometry = MeshGeometry(TriangleMesh(vertices: vertices, triangles: triangles))
        let poses = [
            Pose.identity, ReflectionScenes.turned(scale: -0.5), Pose(position: Vector(.nan, 0, 0)), Pose(scale: 0),
            Pose(scale: 1e8),
        ]
        let occluders = poses.enumerated().map {
            Occluder(id: UInt64($0), name: "soup", geometry: geometry, pose: $1, material: nil)
        }
        let solver = ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: occluders)))
        for place: Vector in [
            .zero, soup[0], soup[5], Vector(100, 100, 100), Vector(.nan, 0, 0), Vector(0, .infinity, 0),
            Vector(1e200, 0, 0),
        ] {
            let paths =
                solver.reflections(of: place, at: Vector(0.2, 0.1, 0), order: 2, limit: 50)
                + solver.reflections(of: Vector(0.2, 0.1, 0), at: place, order: 1, limit: 50)
            let isFinite = paths.allSatisfy { path in
                path.length.isFinite && path.arrival.isFinite && path.departure.isFinite
                    && path.corners.allSatisfy(\.isFinite)
                    && path.bandGains.values.allSatisfy { $0 >= 0 && $0 <= 1 }
            }
            #expect(isFinite)
        }
        #expect(solver.reflections(of: .zero, at: .zero, order: 0, limit: 9).isEmpty)
        #expect(solver.reflections(of: .zero, at: .zero, order: 3, limit: 0).isEmpty)
    }

    @Test("Of two hundred thousand triangles the large surfaces answer, wherever they are in the list")
    func large() {
        let ball = Meshes.sphere(radius: 3, at: Vector(0, 20, 0), rings: 250, sectors: 400)
        let floor = Meshes.screen(width: 40, height: 40)
        let scene = AcousticScene(Occluder(Meshes.joined([ball, floor])))
        let solver = ImageSourceSolver(tracer: PortableTracer(scene))
        #expect(solver.reflectors.faces.count <= ReflectorSet.mostFaces)
        let found = solver.reflections(of: Vector(-1, 0, 2), at: Vector(1, 0, 2), order: 1, limit: 8)
        #expect(found.contains { abs($0.length - Vector(2, 0, 4).magnitude) < 1e-9 })
        #expect(ReflectorSet(AcousticScene(Occluder(ReflectionScenes.split(floor, 300)))).reflectors.count == 1)
    }
}

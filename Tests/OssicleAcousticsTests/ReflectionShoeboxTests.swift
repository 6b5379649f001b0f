@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct ReflectionShoeboxTests {
    private static let (source, listener) = (Vector(2, 3.5, 1.5), Vector(4.2, 1.3, 1.7))

    @Test(
        "The table's images come back from the room as a mesh, none missing and none twice, also turned and in a thousand pieces",
        arguments: [(1, false), (1, true), (9, false), (9, true)])
    func table(splits: Int, isTurned: Bool) throws {
        let pose = isTurned ? ReflectionScenes.turned() : .identity
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false, splits: splits, pose: pose))
        #expect(solver.rooms.isEmpty)
        let rows = try Table.load("image-source-check.csv").rows.filter { $0.number("order") > 0 }
        for order in 1...3 {
            var left = solver.reflections(
                of: pose.toWorld(Self.source), at: pose.toWorld(Self.listener), order: order, limit: 1000)
            for row in rows where row.number("order") <= Double(order) {
                let found = left.firstIndex { path in
                    let image = pose.toWorld(Self.listener) + path.arrival * path.length
                    let expected = pose.toWorld(Vector(row.number("px"), row.number("py"), row.number("pz")))
                    return abs(path.delay() * 1e6 - row.number("delay_ms") * 1e3) < 1
                        && abs(path.level - row.number("gain_db")) < 0.01
                        && (image - expected).magnitude < 1e-4
                        && path.kind == .reflection(order: Int(row.number("order")))
                }
                if let found {
                    left.remove(at: found)
                } else {
                    Issue.record("no path for \(row["ix"]) \(row["iy"]) \(row["iz"])")
                }
            }
            #expect(left.isEmpty)
        }
    }

    @Test(
        "Wherever source and listener are, close to walls and corners too, mirrors in the mesh and the closed form say the same"
    )
    func anywhere() throws {
        let room = ReflectionScenes.solver(ReflectionScenes.tableRoom())
        let mesh = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false, splits: 3))
        #expect(room.rooms.count == 1)
        let random = CounterRandom(seed: 5, object: 5)
        var draw: UInt64 = 0
        func place() -> Vector {
            let p = Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2))
            let close = Vector(random.unit(draw + 3), random.unit(draw + 4), random.unit(draw + 5))
            draw += 6
            // One coordinate in four lies a few millimetres off a wall.
            func pushed(_ x: Double, _ c: Double) -> Double {
                c < 0.125 ? (1 + x) * 1e-3 : (c > 0.875 ? 1 - (1 + x) * 1e-3 : x)
            }
            return Vector(pushed(p.x, close.x), pushed(p.y, close.y), pushed(p.z, close.z)) * Vector(6, 5, 3)
        }
        func sorted(_ solver: ImageSourceSolver<PortableTracer>, _ source: Vector, _ listener: Vector) -> [SoundPath] {
            let paths = solver.reflections(of: source, at: listener, order: 3, limit: 1000)
            return paths.sorted { ($0.length, $0.identity) < ($1.length, $1.identity) }
        }
        var worst = (delay: 0.0, gain: 0.0)
        for _ in 0..<300 {
            let (source, listener) = (place(), place())
            let (expected, found) = (sorted(room, source, listener), sorted(mesh, source, listener))
            #expect(expected.count == 62)
            guard found.count == expected.count else {
                Issue.record("\(found.count) paths from \(source) to \(listener)")
                continue
            }
            for (a, b) in zip(found, expected) {
                worst.delay = max(worst.delay, abs(a.delay() - b.delay()) * 1e6)
                worst.gain = max(worst.gain, abs(a.level - b.level))
            }
        }
        #expect(worst.delay < 1 && worst.gain < 0.01)
    }

    @Test("Both forms name the same walls in the same order, and their ways run over the same corners")
    func sameNames() {
        for pose in [Pose.identity, ReflectionScenes.turned()] {
            let (source, listener) = (pose.toWorld(Self.source), pose.toWorld(Self.listener))
            let closed = ReflectionScenes.solver(ReflectionScenes.tableRoom(pose: pose)).reflections(
                of: source, at: listener, order: 3, limit: 1000)
            let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false, pose: pose))
            let mesh = solver.reflections(of: source, at: listener, order: 3, limit: 1000)
            let named = Dictionary(mesh.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
            #expect(named.count == 62 && closed.count == 62)
            for path in closed {
                guard let other = named[path.identity] else {
                    Issue.record("\(path.corners) has no name in the mesh"); continue
                }
                #expect(abs(other.length - path.length) < 1e-9 && (other.arrival - path.arrival).magnitude < 1e-9)
                #expect((other.departure - path.departure).magnitude < 1e-9)
                let isSame = zip(other.corners, path.corners).allSatisfy { ($0 - $1).magnitude < 1e-8 }
                #expect(isSame && other.corners.count == path.corners.count)
            }
        }
    }

    @Test("A way is as long as its legs, leaves the source towards its first corner and comes from its last")
    func legs() {
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false))
        for path in solver.reflections(of: Self.source, at: Self.listener, order: 3, limit: 1000) {
            let points = [Self.source] + path.corners + [Self.listener]
            let legs = zip(points, points.dropFirst()).map { (from: Vector, to: Vector) -> Double in
                (to - from).magnitude
            }
            #expect(abs(legs.reduce(0, +) - path.length) < 1e-9)
            #expect(((points[1] - points[0]).direction ?? .zero).dot(path.departure) > 1 - 1e-12)
            #expect(
                ((points[points.count - 2] - points[points.count - 1]).direction ?? .zero).dot(path.arrival) > 1 - 1e-12
            )
        }
    }

    @Test("Through the very edge and corner of two walls sound comes once")
    func edges() {
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false))
        // Seen in plan, the way over walls x = 0 and y = 0 meets both in their edge; with z alike, all three in the
        // corner.
        let middle = Vector(3, 2.5, 1.5)
        for (source, listener) in [
            (Vector(1, 1, 1), Vector(2, 2, 1.5)), (Vector(1, 1, 1), Vector(2, 2, 2)), (middle, middle),
        ] {
            let expected = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: []).paths(
                of: source, at: listener, order: 3
            ).map(\.length).sorted()
            let found = solver.reflections(of: source, at: listener, order: 3, limit: 1000).map(\.length).sorted()
            let isSame = zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 }
            #expect(found.count == expected.count && isSame)
        }
    }

    @Test("A source or listener on a wall, in an edge or in a corner sounds like one beside it")
    func onWalls() {
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: [])
        let solver = ReflectionScenes.solver(ReflectionScenes.tableRoom(isPlain: false))
        for source in [Vector(0, 2, 1), Vector(0, 5, 1), Vector(0, 0, 3), Vector(3, 2, 0)] {
            for listener in [Vector(4, 1, 2), Vector(6, 3, 1.2)] {
                let expected = room.paths(of: source, at: listener, order: 2).map(\.length).sorted()
                let found = solver.reflections(of: source, at: listener, order: 2, limit: 1000).map(\.length).sorted()
                let worst = zip(found, expected).reduce(0.0) { max($0, abs($1.0 - $1.1)) }
                #expect(found.count == expected.count && worst / 343.2 < 1e-6)
            }
        }
    }

    @Test("Beyond its walls an empty room says nothing, and with something in it the mirrors are searched")
    func notAlone() {
        let outside = ReflectionScenes.solver(ReflectionScenes.tableRoom()).reflections(
            of: Self.source, at: Vector(4, 1, 9), order: 2, limit: 100)
        #expect(outside.isEmpty)
        let screen = Occluder(Meshes.screen(width: 1, height: 1), id: 9, at: Vector(3, 2.5, 1.6))
        let furnished = ReflectionScenes.solver(ReflectionScenes.tableRoom(), screen)
        #expect(furnished.rooms.isEmpty)
        #expect(furnished.reflections(of: Self.source, at: Self.listener, order: 1, limit: 100).count > 0)
    }
}

@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct BoxRoomTests {
    private static let alpha: [Double] = [0.1, 0.2, 0.15, 0.3, 0.05, 0.4]

    @Test("Images, delays and levels of a box with six walls are the table's")
    func table() throws {
        let walls = Self.alpha.map { OctaveBands(repeating: Float((1 - $0).squareRoot())) }
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: walls)
        let (source, listener) = (Vector(2, 3.5, 1.5), Vector(4.2, 1.3, 1.7))
        let rows = try Table.load("image-source-check.csv").rows
        #expect(rows.count == 63)
        for row in rows {
            let index = SIMD3(Int(row.number("ix")), Int(row.number("iy")), Int(row.number("iz")))
            let image = room.image(of: source, index)
            let distance = (image.position - listener).magnitude
            let (expectedDistance, delay, gain) = (
                row.number("distance_m"), row.number("delay_ms"), row.number("gain_db")
            )
            #expect(abs(distance - expectedDistance) < 1e-5)
            #expect(abs(distance / 343.2 * 1000 - delay) < 1e-3)
            #expect(abs(Decibels.of(amplitude: Double(room.gains(of: index)[5]) / distance) - gain) < 0.01)
            #expect(image.order == Int(row.number("order")))
        }
    }

    @Test("All images at once are the table's, lowest order first", arguments: [false, true])
    func arrivals(isTurned: Bool) throws {
        let pose = isTurned ? ReflectionScenes.turned() : .identity
        let walls = Self.alpha.map { OctaveBands(repeating: Float((1 - $0).squareRoot())) }
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: walls, frame: pose)
        var arrivals: [BoxRoom.Arrival] = []
        let (source, listener) = (pose.toWorld(Vector(2, 3.5, 1.5)), pose.toWorld(Vector(4.2, 1.3, 1.7)))
        room.findArrivals(of: source, at: listener, order: 3, speedOfSound: 343.2, into: &arrivals)
        let rows = try Table.load("image-source-check.csv").rows
        #expect(arrivals.count == rows.count && arrivals.map(\.order) == arrivals.map(\.order).sorted())
        for row in rows {
            let index = SIMD3(Int16(row.number("ix")), Int16(row.number("iy")), Int16(row.number("iz")))
            let arrival = try #require(arrivals.first { $0.index == index })
            #expect(
                (arrival.position - pose.toWorld(Vector(row.number("px"), row.number("py"), row.number("pz"))))
                    .magnitude < 1e-9)
            #expect(abs(arrival.delay * 1e6 - row.number("delay_ms") * 1e3) < 1)
            for band in 0..<OctaveBands.count {
                #expect(
                    abs(Decibels.of(amplitude: Double(arrival.gains[band]) / arrival.distance) - row.number("gain_db"))
                        < 0.01)
            }
        }
    }

    @Test("Up to order 10 there are 1561, the same as one by one")
    func tenth() {
        let walls = (0..<6).map { wall in
            OctaveBands((0..<10).map { Float(0.5 + 0.04 * Double(wall) + 0.02 * Double($0)) })
        }
        let room = BoxRoom(corner: Vector(-1, 2, 3), size: Vector(6, 5, 3), walls: walls)
        let (source, listener) = (Vector(1, 5.5, 4.5), Vector(3.2, 3.3, 4.7))
        var arrivals: [BoxRoom.Arrival] = []
        room.findArrivals(of: source, at: listener, order: 10, speedOfSound: 343.2, into: &arrivals)
        #expect(arrivals.count == 1561 && BoxRoom.count(upTo: 10) == 1561)
        let indices = [SIMD3<Int>.zero] + BoxRoom.indices(upTo: 10)
        for (arrival, index) in zip(arrivals, indices) {
            #expect(SIMD3<Int>(truncatingIfNeeded: arrival.index) == index)
            let difference = (arrival.position - room.image(of: source, index).position).magnitude
            let ratios = zip(arrival.gains.values, room.gains(of: index).values).map { $0 / $1 }
            let isSame = difference < 1e-9 && ratios.allSatisfy { abs($0 - 1) < 1e-5 }
            #expect(isSame)
        }
    }

    @Test("A box is a room whichever way it is wound, turned, scaled and in pieces; other shapes are not")
    func recognised() throws {
        let middle = Vector(3, 2.5, 1.5)
        for (pose, splits) in [
            (Pose.identity, 1), (ReflectionScenes.turned(), 4), (ReflectionScenes.turned(scale: 2), 1),
            (ReflectionScenes.turned(scale: -0.5), 1),
        ] {
            let room = try #require(BoxRoom(inside: ReflectionScenes.tableRoom(splits: splits, pose: pose)))
            #expect((room.size - Vector(6, 5, 3) * abs(pose.scale)).magnitude < 1e-9)
            for corner in [Vector.zero, Vector(6, 5, 3), Vector(6, 0, 0)] {
                #expect(room.contains(pose.toWorld(middle + (corner - middle) * 0.999)))
            }
            #expect(!room.contains(pose.toWorld(Vector(3, 2.5, 3.01))))
            for (wall, alpha) in zip(room.walls, ReflectionScenes.alpha) {
                #expect(abs(wall[4] - (1 - alpha).squareRoot()) < 1e-6)
            }
        }
        for pose in [Pose.identity, ReflectionScenes.turned(scale: -0.5)] {
            let outward = Occluder(
                id: 1, name: "room", geometry: MeshGeometry(Meshes.box(Vector(6, 5, 3))), pose: pose, materials: [])
            let inward = Occluder(
                id: 1, name: "room", geometry: MeshGeometry(Meshes.box(Vector(6, 5, 3), inverted: true)), pose: pose,
                materials: [])
            let (one, other) = (try #require(BoxRoom(inside: outward)), try #require(BoxRoom(inside: inward)))
            for index in [SIMD3(1, 0, 0), SIMD3(0, -2, 1), SIMD3(-1, 1, 1)] {
                let source = pose.toWorld(Vector(1, 0.5, -0.4))
                #expect(
                    (one.image(of: source, index).position - other.image(of: source, index).position).magnitude < 1e-9)
            }
        }
        let slanted = Meshes.box(Vector(6, 5, 3), inverted: true)
        let leaning = TriangleMesh(
            vertices: slanted.vertices.map { $0 + Vector($0.y * 0.2, 0, 0) }, triangles: slanted.triangles)
        let open = TriangleMesh(vertices: slanted.vertices, triangles: Array(slanted.triangles.dropLast()))
        let patched = TriangleMesh(
            vertices: slanted.vertices, triangles: slanted.triangles, elements: [1] + Array(repeating: 0, count: 11),
            elementCount: 2)
        for occluder in [
            Occluder(leaning), Occluder(open), Occluder(patched),
            Occluder(TriangleMesh(vertices: [], triangles: [])),
        ] {
            #expect(BoxRoom(inside: occluder) == nil)
        }
    }

    @Test("What a wall scatters is no mirror's")
    func scattering() throws {
        let mesh = Meshes.box(Vector(6, 5, 3), inverted: true)
        let material = ReflectionScenes.surface(0.36, scattering: 0.75)
        let room = try #require(
            BoxRoom(inside: Occluder(id: 1, name: "room", geometry: MeshGeometry(mesh), material: material)))
        for wall in room.walls { #expect(abs(wall[2] - 0.4) < 1e-6) }
    }

    @Test("Of order n there are 4n² + 2 images, all different, lowest order first")
    func counts() {
        let indices = BoxRoom.indices(upTo: 3)
        #expect(indices.count == 6 + 18 + 38 && Set(indices).count == indices.count)
        let orders = indices.map { abs($0.x) + abs($0.y) + abs($0.z) }
        #expect(orders == orders.sorted())
    }

    @Test(
        "A direction mirrored in a wall leaves the source towards that wall",
        arguments: [SIMD3(1, 0, 0), SIMD3(0, -1, 0), SIMD3(2, 1, 0)])
    func departure(index: SIMD3<Int>) {
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: [])
        let (source, listener) = (Vector(2, 3.5, 1.5), Vector(4.2, 1.3, 1.7))
        let image = room.image(of: source, index)
        // Followed for its length through the unfolded rooms, the way that leaves the source ends at the listener's
        // mirror image.
        let end = source + image.mirrored(listener - image.position)
        func folded(_ x: Double, _ size: Double) -> Double {
            let turns = (x / (2 * size)).rounded(.down)
            let rest = x - turns * 2 * size
            return rest > size ? 2 * size - rest : rest
        }
        #expect(
            abs(folded(end.x, 6) - listener.x) < 1e-9 && abs(folded(end.y, 5) - listener.y) < 1e-9
                && abs(folded(end.z, 3) - listener.z) < 1e-9)
    }

    @Test("The box around a listener holds both, also a source beyond its walls, and no echo comes before the sound")
    func around() {
        let size = Vector(5.5, 3.1, 6.5)
        for source in [Vector(1, 1, 1), Vector(30, 0, 2), Vector(0, -9, 0), Vector(0, 0, 0), Vector(-4, 7, -20)] {
            let room = BoxRoom(around: .zero, source: source, size: size, wall: .ones)
            let high = room.corner + room.size
            #expect(
                all(room.corner .< source) && all(source .< high) && all(room.corner .< Vector.zero)
                    && all(Vector.zero .< high))
            for index in BoxRoom.indices(upTo: 2) {
                #expect(room.image(of: source, index).position.magnitude > source.magnitude)
            }
        }
        let inside = BoxRoom(around: Vector(3, 1, 2), source: Vector(3, 1, 1), size: size, wall: .ones)
        #expect((inside.size - size).magnitude < 1e-12)
    }

    @Test("A sound that meets a wall every mean free time has fallen by 60 dB after the decay time")
    func walls() {
        let wall = BoxRoom.wall(t60: OctaveBands(repeating: 0.5), meanFreeTime: 0.01)
        #expect(abs(Decibels.of(amplitude: Double(wall[3])) * 50 + 60) < 1e-3)
    }
}

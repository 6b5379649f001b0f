@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct RayTracerTests {
    /// What the portable tracer finds; any other finds the same.
    private func crossings(_ scene: AcousticScene, _ start: Vector, _ end: Vector) -> [Crossing] {
        var result: [Crossing] = []
        var other: [Crossing] = []
        PortableTracer(scene).findCrossings(from: start, to: end, into: &result)
        SceneTracer(scene).findCrossings(from: start, to: end, into: &other)
        #expect(result == other)
        let isBlocked = PortableTracer(scene).isBlocked(from: start, to: end)
        #expect(isBlocked || result.isEmpty)
        #expect(SceneTracer(scene).isBlocked(from: start, to: end) == isBlocked)
        return result
    }

    @Test("All surfaces on the way come in order, with in and out told apart")
    func ordered() {
        let scene = AcousticScene(
            Occluder(Meshes.box(Vector(2, 2, 1), at: Vector(0, 0, 5))),
            Occluder(Meshes.screen(width: 2, height: 2), id: 2, at: Vector(0.1, 0, 2)))
        let found = crossings(scene, Vector(0.2, 0.3, 0), Vector(0.2, 0.3, 10))
        #expect(found.map(\.occluder) == [1, 0, 0])
        #expect(found.map(\.turn) == [0, 1, -1])
        for (crossing, z) in zip(found, [0.2, 0.45, 0.55]) { #expect(abs(crossing.share - z) < 1e-12) }
    }

    @Test("Where triangles share an edge or a corner they are crossed once")
    func sharedEdges() {
        let scene = AcousticScene(Occluder(Meshes.unwelded(Meshes.box(Vector(2, 2, 2)))))
        // The middle of a face lies on its diagonal; the other way goes through two corners.
        #expect(crossings(scene, Vector(0, 0, -5), Vector(0, 0, 5)).map(\.turn) == [1, -1])
        #expect(crossings(scene, Vector(-5, -5, -5), Vector(5, 5, 5)).map(\.turn) == [1, -1])
        let sphere = AcousticScene(Occluder(Meshes.sphere(radius: 1)))
        #expect(crossings(sphere, Vector(0, -3, 0), Vector(0, 3, 0)).count == 2)
        // Two sheets side by side that only touch are one wall.
        let wall = AcousticScene(
            Occluder(
                Meshes.joined([
                    Meshes.screen(width: 1, height: 1, at: Vector(-0.5, 0, 0)),
                    Meshes.screen(width: 1, height: 1, at: Vector(0.5, 0, 0)),
                ])))
        #expect(crossings(wall, Vector(0, 0.1, -3), Vector(0, 0.1, 3)).count == 1)
    }

    @Test("No ray slips through a closed surface: all of 20 000 from inside a sphere meet it once")
    func watertight() {
        let scene = AcousticScene(Occluder(Meshes.sphere(radius: 1, rings: 12, sectors: 24)))
        let random = CounterRandom(seed: 3, object: 9)
        for i in 0..<20_000 as Range<UInt64> {
            let direction = Vector(random.unit(3 * i) - 0.5, random.unit(3 * i + 1) - 0.5, random.unit(3 * i + 2) - 0.5)
            guard let unit = direction.direction else { continue }
            let found = crossings(scene, unit * 0.1, unit * 4)
            guard found.map(\.turn) != [-1] else { continue }
            Issue.record("ray \(i) met \(found)")
            return
        }
    }

    @Test("A ray that begins or ends on a surface does not meet it")
    func endsOnSurface() {
        let scene = AcousticScene(Occluder(Meshes.box(Vector(2, 2, 2))))
        #expect(crossings(scene, Vector(0.3, 0.4, 1), Vector(0.3, 0.4, 6)).isEmpty)
        #expect(crossings(scene, Vector(0.3, 0.4, 6), Vector(0.3, 0.4, 1)).isEmpty)
        #expect(crossings(scene, Vector(0.3, 0.4, 1), Vector(0.3, 0.4, -6)).map(\.turn) == [-1])
    }

    @Test("A pose turns, moves and scales the occluder, and does not touch its geometry")
    func posed() {
        let geometry = MeshGeometry(Meshes.screen(width: 1, height: 1))
        // Turned by 90° about y: the screen now faces +x; twice its size.
        let pose = Pose(
            position: Vector(3, 0, 0), right: Vector(0, 0, -1), up: Vector(0, 1, 0), back: Vector(1, 0, 0), scale: 2)
        let scene = AcousticScene(Occluder(id: 1, name: "door", geometry: geometry, pose: pose))
        #expect(crossings(scene, Vector(0, 0.9, 0.9), Vector(6, 0.9, 0.9)).count == 1)
        #expect(crossings(scene, Vector(0, 1.1, 0), Vector(6, 1.1, 0)).isEmpty)
        var moved = scene.occluders[0]
        moved.pose.position = Vector(9, 0, 0)
        #expect(crossings(AcousticScene(moved), Vector(0, 0, 0), Vector(6, 0, 0)).isEmpty)
        #expect(moved.geometry === geometry)
    }

    @Test("Occluders whose pose is no place, and ways that are none, meet nothing")
    func nowhere() {
        let box = Meshes.box(Vector(2, 2, 2))
        for pose in [
            Pose(position: Vector(.nan, 0, 0)), Pose(scale: 0), Pose(scale: .infinity),
            Pose(position: Vector(.infinity, 0, 0)),
        ] {
            let scene = AcousticScene(Occluder(id: 1, name: "lost", geometry: MeshGeometry(box), pose: pose))
            #expect(crossings(scene, Vector(0, 0, -5), Vector(0, 0, 5)).isEmpty)
        }
        let scene = AcousticScene(Occluder(box))
        #expect(crossings(scene, Vector(.nan, 0, 0), Vector(0, 0, 5)).isEmpty)
        #expect(crossings(scene, Vector(0, 0, -5), Vector(0, .infinity, 5)).isEmpty)
        #expect(crossings(scene, Vector(0, 0, 0.5), Vector(0, 0, 0.5)).isEmpty)
        #expect(crossings(AcousticScene(occluders: []), Vector(0, 0, -5), Vector(0, 0, 5)).isEmpty)
    }

    @Test("Two hundred thousand triangles, doubled ones and fans over one edge among them, are traced like any other")
    func largeAndBroken() {
        let fine = Meshes.sphere(radius: 3, rings: 250, sectors: 400)
        #expect(fine.triangles.count == 200_000)
        let scene = AcousticScene(Occluder(fine))
        #expect(scene.occluders[0].geometry.pieces == [.init(isClosed: true, outward: 1)])
        #expect(crossings(scene, Vector(0.1, 0.2, -9), Vector(0.3, 0.1, 9)).map(\.turn) == [1, -1])
        let box = Meshes.box(Vector(2, 2, 2))
        let doubled = TriangleMesh(vertices: box.vertices, triangles: box.triangles + box.triangles)
        #expect(
            crossings(AcousticScene(Occluder(doubled)), Vector(0.1, 0.2, -9), Vector(0.3, 0.1, 9)).map(\.turn) == [
                1, -1,
            ])
        let fan = TriangleMesh(
            vertices: [.zero, Vector(0, 1, 0), Vector(1, 0, 0), Vector(0, 0, 1), Vector(-1, 0, 0)],
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 1, 3), SIMD3(0, 1, 4)])
        #expect(crossings(AcousticScene(Occluder(fan)), Vector(0.3, 0.3, -1), Vector(0.3, 0.3, 1)).count == 1)
    }

    @Test(
        "The nearest surface is found where it is, with its normal towards the one who asks", arguments: [false, true])
    func nearest(isMirrored: Bool) {
        let pose = Pose(position: Vector(0, 0, 5), scale: isMirrored ? -2 : 2)
        let scene = AcousticScene(occluders: [
            Occluder(id: 1, name: "near", geometry: MeshGeometry(Meshes.box(Vector(1, 1, 0.5))), pose: pose),
            Occluder(Meshes.screen(width: 9, height: 9), id: 2, at: Vector(0, 0, 9)),
        ])
        func hit(_ z: Double, _ direction: Double, within reach: Double = 100) -> Hit? {
            let found = PortableTracer(scene).nearestHit(
                from: Vector(0.3, 0.2, z), towards: Vector(0, 0, direction), within: reach)
            #expect(
                SceneTracer(scene).nearestHit(
                    from: Vector(0.3, 0.2, z), towards: Vector(0, 0, direction), within: reach) == found)
            return found
        }
        for (start, direction, occluder, distance) in [
            (0.0, 1.0, Int32(0), 4.5), (5, 1, 0, 0.5), (7, 1, 1, 2), (20, -1, 1, 11), (8, -1, 0, 2.5),
        ] {
            let found = hit(start, direction)
            #expect(found?.occluder == occluder)
            #expect(abs((found?.distance ?? 0) - distance) < 1e-12)
            #expect(found?.normal == Vector(0, 0, -direction))
            #expect(abs((found?.position.z ?? 0) - (start + direction * distance)) < 1e-12)
        }
        // Asked from the surface itself the ray goes on; and it ends where it is told to.
        #expect(hit(4.5, 1)?.distance == 1)
        #expect(hit(4.5, -1) == nil)
        #expect(hit(0, 1, within: 4.4) == nil)
        #expect(hit(0, 1, within: .nan) == nil)
        #expect(hit(.infinity, 1) == nil)
        #expect(hit(0, .nan) == nil)
        #expect(hit(0, 0) == nil)
    }
}

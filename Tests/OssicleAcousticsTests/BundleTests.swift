@testable import OssicleAcoustics
import OssicleCore
import Testing

/// What lies on many segments from one place, searched together, against a search for each and against all triangles.
@Suite struct BundleTests {
    private static let random = CounterRandom(seed: 21, object: 6)

    /// −0.5 … 0.5 along each axis.
    private static func vector(_ key: Int) -> Vector {
        let draw = UInt64(3 * key)
        return Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2)) - 0.5
    }

    private struct Count {
        var segments = 0, crossings = 0, blocked = 0, wrong = 0

        /// - Parameter all: of a scene of one mesh that stands as it was made: whether to test each triangle, too.
        mutating func compare(_ scene: AcousticScene, from start: Vector, to ends: [Vector], all: Bool = false) {
            let tracer = SceneTracer(scene), portable = PortableTracer(scene)
            var box = Bounds.empty
            for end in ends where end.isFinite { box.include(end) }
            let beam = Beam(from: start, toBallAt: box.centre, radius: box.extent.magnitude / 2)
            var bundle = BundleCrossings()
            tracer.findCrossings(from: start, to: ends, within: beam, into: &bundle)
            let areBlocked = tracer.areBlocked(from: start, to: ends, within: beam)
            wrong += areBlocked.count == ends.count ? 0 : 1
            var (expected, found): ([Crossing], [Crossing]) = ([], [])
            for (index, end) in ends.enumerated() {
                found = Array(bundle.take(index))
                portable.findCrossings(from: start, to: end, into: &expected)
                (segments, crossings) = (segments + 1, crossings + found.count)
                wrong += expected == found ? 0 : 1
                blocked += areBlocked[index] ? 1 : 0
                wrong += areBlocked[index] == portable.isBlocked(from: start, to: end) ? 0 : 1
                wrong += areBlocked[index] == tracer.isBlocked(from: start, to: end) ? 0 : 1
                if all { wrong += Count.everything(scene, Segment(from: start, to: end)) == found ? 0 : 1 }
            }
        }

        private static func everything(_ scene: AcousticScene, _ segment: Segment) -> [Crossing] {
            guard segment.isTraceable else { return [] }
            let geometry = scene.occluders[0].geometry
            var crossings: [Crossing] = []
            for place in geometry.tree.order.indices {
                if let passage = geometry.facets[place].crossing(segment) {
                    crossings.append(Crossing(passage, 0, facet: geometry.facets + place))
                }
            }
            crossings.settle(within: segment.slack)
            return crossings
        }
    }

    /// Ends in balls of 1 mm to 5 m, of which some hold the start.
    private func balls(_ scene: AcousticScene, bundles: Int, extent: Vector, all: Bool = false) -> Count {
        var count = Count()
        for bundle in 0..<bundles {
            let key = 200 * bundle
            let (start, centre) = (Self.vector(key) * extent, Self.vector(key + 1) * extent)
            let radius = [0.001, 0.1, 0.5, 2, 5][bundle % 5] * extent.magnitude / 25
            let ends = (0..<[64, 96, 1, 130][bundle % 4]).map { centre + Self.vector(key + 2 + $0) * (2 * radius) }
            count.compare(scene, from: start, to: ends, all: all)
        }
        return count
    }

    @Test(
        "In rooms of 12 to 100 012 triangles each segment crosses what a search of its own finds, to the last bit",
        arguments: [(0, 3, 3, 200), (4, 5, 6, 200), (40, 6, 6, 200), (40, 26, 50, 100)])
    func rooms(bodies: Int, rings: Int, sectors: Int, bundles: Int) {
        let scene = AcousticScene(Occluder(Meshes.room(bodies: bodies, rings: rings, sectors: sectors)))
        let found = balls(scene, bundles: bundles, extent: Vector(21, 9, 16))
        #expect(found.wrong == 0)
        #expect(found.segments > 70 * bundles && found.crossings > found.segments / 20)
        #expect(found.blocked > found.segments / 50 && found.blocked < found.segments)
    }

    @Test("And what a test of every triangle finds", arguments: [1e-2, 1, 1e5])
    func sizes(scale: Double) {
        let room = Meshes.room(bodies: 10, rings: 6, sectors: 6)
        let scaled = TriangleMesh(vertices: room.vertices.map { $0 * scale }, triangles: room.triangles)
        let found = balls(
            AcousticScene(Occluder(scaled)), bundles: 40, extent: Vector(30, 15, 25) * scale, all: true)
        #expect(found.wrong == 0)
        #expect(found.crossings > found.segments / 10)
    }

    @Test("Turned, scaled, mirrored and doubled occluders, near the origin and far from it", arguments: [0, 100, 1e5])
    func posed(distance: Double) {
        let centre = Vector(distance, -distance, distance / 3)
        let body = Meshes.lumps(radius: 1, rings: 7, sectors: 9, seed: 2)
        let doubled = TriangleMesh(
            vertices: body.vertices, triangles: body.triangles + body.triangles.map { SIMD3($0.x, $0.z, $0.y) })
        let fan = TriangleMesh(vertices: body.vertices, triangles: (4..<50).map { SIMD3(0, 1, $0) })
        let geometries = [body, Meshes.box(Vector(1, 2, 0.1)), doubled, fan, Meshes.screen(width: 3, height: 2)].map {
            MeshGeometry($0)
        }
        let occluders = (0..<30).map { index in
            let angle = 2 * DeterministicMath.pi * (Self.vector(9000 + index).x + 0.5)
            let (s, c) = DeterministicMath.sincos(angle)
            let pose = Pose(
                position: centre + Self.vector(9100 + index) * Vector(16, 6, 12), right: Vector(c, 0, -s),
                back: Vector(s, 0, c), scale: (index % 3 == 0 ? -1 : 1) * (1.8 + 3 * Self.vector(9200 + index).x))
            return Occluder(
                id: UInt64(index), name: "", geometry: geometries[index % geometries.count], pose: pose)
        }
        let scene = AcousticScene(occluders: occluders)
        var count = Count()
        for bundle in 0..<150 {
            let start = centre + Self.vector(400 * bundle) * Vector(18, 7, 13)
            let middle = centre + Self.vector(400 * bundle + 1) * Vector(18, 7, 13)
            let ends = (0..<96).map { middle + Self.vector(400 * bundle + 2 + $0) * [0.2, 1, 8][bundle % 3] }
            count.compare(scene, from: start, to: ends)
        }
        #expect(count.wrong == 0)
        #expect(count.crossings > count.segments / 10)
    }

    @Test("Segments in the plane of a face, along edges, through corners, and that begin or end on a wall")
    func borders() {
        let mesh = Meshes.joined([
            Meshes.room(bodies: 3, rings: 5, sectors: 6), Meshes.box(Vector(1, 2, 1e-3)),
            Meshes.box(Vector(3, 1e-4, 1)),
            Meshes.box(Vector(2, 2, 2)),
        ])
        let scene = AcousticScene(Occluder(mesh))
        var count = Count()
        for (index, triangle) in mesh.triangles.indices.enumerated() {
            let (a, b, c) = mesh.corners(triangle)
            let inside: Vector = (a + b) * 0.3 + c * 0.4
            // Beside the triangle in its plane and all but in it, on it, and anywhere.
            let (along, across): (Vector, Vector) = ((b - a) * 2.5, (c - a) * 1.5)
            let plane: Vector = a + along + across
            let off: Vector = Self.vector(index)
            let starts: [Vector] = [plane, plane + off * 1e-9, plane + off * 1e-5, a, inside, off * 7]
            for start in starts {
                let middles: [Vector] = [(a + b) / 2, (b + c) / 2, (c + a) / 2]
                let hair: Vector = Self.vector(index + 50) * 1e-7
                var ends: [Vector] = []
                for target in [a, b, c, inside] + middles {
                    let way: Vector = target - start
                    ends += [target, start + way * 2, start + way * 1.5 + hair]
                }
                count.compare(scene, from: start, to: ends)
            }
        }
        #expect(count.wrong == 0)
        #expect(count.crossings > count.segments)
    }

    @Test("Meshes of millimetres and of thousands of kilometres, and triangles a millionth as wide as long")
    func extremes() {
        let loose = TriangleMesh(
            vertices: (0..<300).map { Self.vector(3000 + $0) },
            triangles: (0..<100).map { SIMD3(Int32($0), Int32($0 + 100), Int32($0 + 200)) })
        let thin = TriangleMesh(
            vertices: (0..<100).flatMap { index -> [Vector] in
                let (a, b) = (Self.vector(4000 + index), Self.vector(4200 + index))
                return [a, b, b + Self.vector(4400 + index) * 1e-6]
            }, triangles: (0..<100).map { SIMD3(3 * $0, 3 * $0 + 1, 3 * $0 + 2) })
        for scale in [1e-3, 1, 1e7] {
            for mesh in [loose, thin] {
                let scaled = TriangleMesh(vertices: mesh.vertices.map { $0 * scale }, triangles: mesh.triangles)
                let found = balls(
                    AcousticScene(Occluder(scaled)), bundles: 40, extent: Vector(2, 2, 2) * scale, all: true)
                #expect(found.wrong == 0)
            }
        }
    }

    @Test("What is no place or no way crosses nothing and disturbs no other")
    func hostile() {
        let scene = AcousticScene(Occluder(Meshes.room(bodies: 6, rings: 6, sectors: 6)))
        var count = Count()
        let wild: [Vector] = [
            Vector(.nan, 0, 0), Vector(.infinity, 0, 0), Vector(1e300, -1e300, 1), Vector(1e-310, 0, 0), .zero,
            Vector(0.1, 0.2, 0.3), Vector(0, 1e9, 0), Vector(1e-5, 0, 0),
        ]
        for start in wild + [Vector(2, 1, -3), Vector(1e6, 0, 0), Vector(0, -1e9, 0)] {
            let ends = wild + (0..<60).map { Self.vector($0) * 30 }
            count.compare(scene, from: start, to: ends)
            count.compare(scene, from: start, to: wild)
        }
        #expect(count.wrong == 0)
        #expect(count.crossings > 0)
        var bundle = BundleCrossings()
        let beam = Beam(from: .zero, toBallAt: .zero, radius: 1)
        SceneTracer(scene).findCrossings(from: .zero, to: [], within: beam, into: &bundle)
        #expect(SceneTracer(scene).areBlocked(from: .zero, to: [], within: beam).isEmpty)
    }
}

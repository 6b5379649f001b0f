@testable import OssicleAcoustics
import OssicleCore
import Testing

/// What the rays of one ear may meet, gathered once, against a search for each ray.
@Suite struct BeamTests {
    private static let lumps = Meshes.lumps(radius: 1, rings: 7, sectors: 9, seed: 3)

    /// Turned, scaled and mirrored bodies and screens in a room.
    private func scene() -> AcousticScene {
        let geometries = [Self.lumps, Meshes.box(Vector(1, 2, 0.1)), Meshes.screen(width: 3, height: 2)].map {
            MeshGeometry($0)
        }
        let random = CounterRandom(seed: 11, object: 5)
        var occluders = (0..<18 as Range<UInt64>).map { index in
            let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(5 * index))
            let place = Vector(random.unit(5 * index + 1), random.unit(5 * index + 2), random.unit(5 * index + 3)) - 0.5
            let pose = Pose(
                position: place * Vector(16, 6, 12), right: Vector(c, 0, -s), back: Vector(s, 0, c),
                scale: (index % 3 == 0 ? -1 : 1) * (0.3 + 2 * random.unit(5 * index + 4)))
            return Occluder(id: index, name: "", geometry: geometries[Int(index) % geometries.count], pose: pose)
        }
        occluders.append(Occluder(Meshes.box(Vector(20, 8, 15), inverted: true)))
        return AcousticScene(occluders: occluders)
    }

    /// Beams to balls of 1 mm to 3 m, of which some hold the listener; 16 rays each.
    private func differences(
        _ scene: AcousticScene, beams: Int = 400
    ) -> (rays: Int, crossings: Int, empty: Int, wrong: Int) {
        let tracer = SceneTracer(scene), random = CounterRandom(seed: 2, object: 9)
        var (rays, crossings, empty, wrong) = (0, 0, 0, 0)
        var (expected, found): ([Crossing], [Crossing]) = ([], [])
        let portable = PortableTracer(scene)
        for beam in 0..<UInt64(beams) {
            func vector(_ index: UInt64) -> Vector {
                let key = 256 * beam + 3 * index
                return Vector(random.unit(key), random.unit(key + 1), random.unit(key + 2)) - 0.5
            }
            let (start, centre) = (vector(0) * Vector(18, 7, 13), vector(1) * Vector(18, 7, 13))
            let radius = [0.001, 0.1, 0.5, 3][Int(beam % 4)]
            guard
                let obstacles = tracer.obstacles(
                    of: Beam(from: start, toBallAt: centre, radius: radius), atMost: .max)
            else {
                wrong += 1
                continue
            }
            empty += obstacles.isEmpty ? 1 : 0
            let ends = (0..<16 as Range<UInt64>).map { ray in
                centre + (vector(2 + ray).direction ?? .zero) * (radius * random.unit(256 * beam + 200 + ray))
            }
            for end in ends {
                portable.findCrossings(from: start, to: end, into: &expected)
                obstacles.findCrossings(from: start, to: end, into: &found)
                (rays, crossings) = (rays + 1, crossings + found.count)
                wrong += expected == found ? 0 : 1
            }
        }
        return (rays, crossings, empty, wrong)
    }

    @Test func `each ray crosses what a search of its own finds, to the last bit`() {
        let found = differences(scene())
        #expect(found.wrong == 0)
        #expect(found.rays == 6400 && found.crossings > 640)
        // Most thin beams in a room with few bodies meet nothing, or all this would gain nothing.
        #expect(found.empty > 40)
    }

    @Test func `in a room of 2,412 triangles as well`() {
        let found = differences(AcousticScene(Occluder(Meshes.room(bodies: 40, rings: 6, sectors: 6))), beams: 200)
        #expect(found.wrong == 0)
        #expect(found.crossings > 1000)
    }

    @Test func `more obstacles than asked for are none of its business`() {
        let tracer = SceneTracer(AcousticScene(Occluder(Self.lumps)))
        let beam = Beam(from: Vector(0, 0, 5), toBallAt: .zero, radius: 0.5)
        let all = tracer.obstacles(of: beam, atMost: .max)
        #expect(all?.isEmpty == false)
        #expect(tracer.obstacles(of: beam, atMost: 0) == nil)
        let aside = Beam(from: Vector(0, 0, 5), toBallAt: Vector(5, 0, 5), radius: 0.5)
        #expect(tracer.obstacles(of: aside, atMost: 0)?.isEmpty == true)
    }

    @Test func `a source in full view beside a wall needs no ray and loses nothing`() throws {
        let solver = DirectPathSolver(scene: scene())
        let open = DirectPathSolver(scene: AcousticScene(Occluder(Meshes.screen(width: 4, height: 4))))
        // The box around the two holds the screen's middle; the beam passes 0.3 m beside its edge.
        let path = try #require(open.openPath(from: Vector(2.5, 0, 2), to: Vector(2.1, 0, -3)))
        #expect(path.bandGains == .ones && path.visibleShare == 1 && path.obstacles.isEmpty)
        #expect(open.openPath(from: Vector(1.9, 0, 2), to: Vector(1.9, 0, -3)) == nil)
        #expect(solver.openPath(from: Vector(.nan, 0, 0), to: .zero) == nil)
    }
}

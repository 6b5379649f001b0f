@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct DirectPathTests {
    private func solve(_ occluders: Occluder..., source: SourceGeometry, listener: Vector) -> DirectPath {
        DirectPathSolver(scene: AcousticScene(occluders: occluders)).solve(source: source, listener: listener)
    }

    @Test("In the open everything arrives, from where the source is")
    func open() {
        let path = solve(source: .point(Vector(3, 0, -4)), listener: .zero)
        #expect(path.bandGains == .ones)
        #expect(path.visibleShare == 1)
        #expect(path.centreDistance == 5 && path.effectiveDistance == 5)
        #expect((path.direction - Vector(0.6, 0, -0.8)).magnitude < 1e-12)
        #expect(path.obstacles.isEmpty && path.isAudible)
    }

    @Test(
        "A ball cut by an edge is seen in the share of its closed form within 0.03, for edges at every angle and height"
    )
    func ballVisibility() {
        let radius = 0.25
        var worst = 0.0
        for turn in 0..<24 {
            let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(turn) / 24)
            for step in -9...9 {
                // The plane through the listener and the edge, half way to the ball, passes the ball's centre at h
                // radii.
                let h = Double(step) / 10
                let side = Vector(c, s, 0)
                let screen = Pose(
                    position: side * (-100 - h * radius / 2) + Vector(0, 0, -5), right: side, up: Vector(-s, c, 0),
                    back: Vector(0, 0, 1))
                let occluder = Occluder(
                    id: 1, name: "edge", geometry: MeshGeometry(Meshes.screen(width: 200, height: 200)), pose: screen,
                    material: MaterialLibrary["rigid"])
                let path = solve(occluder, source: .point(Vector(0, 0, -10), radius: radius), listener: .zero)
                let exact = (1 + h) * (1 + h) * (2 - h) / 4
                worst = max(worst, abs(path.visibleShare - exact))
            }
        }
        #expect(worst < 0.03)
    }

    @Test("Past an edge the level falls without a jump of more than 1 dB until a quarter of the ball is left")
    func smoothEdge() {
        var last = 0.0
        for step in 0...100 {
            let edge = -0.1 + 0.14 * Double(step) / 100
            let path = solve(
                Occluder(Meshes.screen(width: 20, height: 20, at: Vector(edge / 2 - 10, 0, -2)), "brick"),
                source: .point(Vector(0, 0, -4)), listener: .zero)
            let loss = path.losses[5]
            #expect(loss >= last - 1e-6 && loss - last < 1)
            last = loss
        }
        #expect(last > 5)
    }

    @Test("Volumetric means agree with their closed forms: within 0.1 dB")
    func volumetricMeans() throws {
        for row in try Table.load("volumetric-source-check.csv").rows {
            let shape = SourceShape(meshes: [mesh(row["shape"], row["parameters"])], seed: 1)
            let distance = row.number("distance_from_centre_m")
            let path = DirectPathSolver(scene: AcousticScene(occluders: [])).solve(
                source: .shape(shape, .identity), listener: Vector(0, distance, 0))
            let mean = 1 / (path.effectiveDistance * path.effectiveDistance)
            let error = Decibels.of(energy: mean / row.number("mean_of_1_over_r2"))
            #expect(abs(error) < 0.1, "\(row["shape"]) at \(distance): \(error) dB")
        }
    }

    private func mesh(_ shape: String, _ parameters: String) -> TriangleMesh {
        let number =
            parameters.split(whereSeparator: { $0 == "=" || $0 == " " }).compactMap { Double($0) }.first ?? .nan
        return switch shape {
        case "line": Meshes.box(Vector(number, 0.002, 0.002))
        case "disc": Meshes.disc(radius: number)
        case "sphere_surface": Meshes.sphere(radius: number, rings: 32, sectors: 64)
        // A full ball as shells: their areas grow as its layers do.
        default: Meshes.joined((0..<8).map { Meshes.sphere(radius: number * (Double($0) + 0.5) / 8) })
        }
    }

    @Test("A body half behind a wall is heard with half its energy, from its visible half")
    func halfHiddenBody() {
        let line = SourceShape(meshes: [Meshes.box(Vector(8, 0.01, 0.01))], seed: 5)
        let wall = Occluder(Meshes.screen(width: 40, height: 40, at: Vector(-20, 0, -10)), "rigid", id: 77)
        let path = solve(wall, source: .shape(line, Pose(position: Vector(0, 0, -20))), listener: .zero)
        #expect(abs(path.visibleShare - 0.5) < 0.02)
        #expect(abs(path.losses[5] - 3.01) < 0.2)
        #expect(path.direction.x > 0.09 && path.direction.x < 0.11)
        #expect(path.obstacles.map(\.id) == [77])
        #expect(abs((path.obstacles.first?.share ?? 0) - 0.5) < 0.02)
    }

    @Test("Points buried in other geometry do not count, unless all are")
    func buried() {
        let body = SourceShape(meshes: [Meshes.sphere(radius: 1)], seed: 5)
        let floor = Occluder(Meshes.box(Vector(50, 10, 50), at: Vector(0, -5, 0)), "concrete")
        let half = solve(floor, source: .shape(body, Pose(position: Vector(0, 0, -10))), listener: Vector(0, 1.7, 0))
        #expect(half.visibleShare == 1 && half.bandGains.values.allSatisfy { abs($0 - 1) < 1e-6 })
        let sunk = solve(floor, source: .shape(body, Pose(position: Vector(0, -4, -10))), listener: Vector(0, 1.7, 0))
        #expect(sunk.visibleShare == 0 && abs(sunk.losses[5] - 52) < 0.001)
    }

    @Test("A point on a floor, or close to a wall, is heard in full from its own side", arguments: [true, false])
    func pointOnFloor(closed: Bool) {
        let mesh =
            closed ? Meshes.box(Vector(50, 50, 0.05), at: Vector(0, 0, -0.025)) : Meshes.screen(width: 50, height: 50)
        // The screen faces +z; the listener is on that side, nearly level with it.
        let path = solve(Occluder(mesh, "rigid"), source: .point(.zero), listener: Vector(15, 0.2, 1.2))
        #expect(path.visibleShare == 1 && path.bandGains == .ones)
        #expect(
            solve(Occluder(mesh, "rigid"), source: .point(Vector(0, 0, 0.03)), listener: Vector(15, 0.2, 1.2)).bandGains
                == .ones)
        #expect(
            solve(Occluder(mesh, "rigid"), source: .point(Vector(0, 0, 0.03)), listener: Vector(15, 0.2, -1.2))
                .visibleShare == 0)
    }

    @Test("Explanations name what is in the way, in the scene's order, with its loss and its share of the rays")
    func obstacles() {
        let near = Occluder(Meshes.screen(width: 50, height: 50, at: Vector(0, 0, -1)), "glass", id: 40)
        let far = Occluder(Meshes.box(Vector(50, 50, 0.1), at: Vector(0, 0, -3)), "wood", id: 7)
        let aside = Occluder(Meshes.box(Vector(1, 1, 1), at: Vector(30, 0, -3)), "wood", id: 8)
        let path = solve(far, aside, near, source: .point(Vector(0.1, 0.2, -5)), listener: .zero)
        #expect(path.obstacles.map(\.id) == [7, 40])
        #expect(path.obstacles.map(\.name) == ["occluder 7", "occluder 40"])
        #expect(path.obstacles.map(\.share) == [1, 1])
        #expect(
            zip(path.obstacles[1].loss.values, MaterialLibrary["glass"]?.transmissionLoss.values ?? []).allSatisfy {
                abs($0 - $1) < 0.001
            })
        #expect(path.isAudible)
        #expect(
            !solve(
                Occluder(Meshes.screen(width: 50, height: 50), "rigid"), source: .point(Vector(0, 0, -5)),
                listener: Vector(0, 0, 3)
            ).isAudible)
    }

    @Test("A scene and its mirror image give the same, mirrored")
    func mirrored() {
        for step in 0..<20 {
            let x = Double(step) * 0.05 - 0.3
            let paths = [1.0, -1.0].map { side in
                solve(
                    Occluder(Meshes.box(Vector(1, 3, 0.2), at: Vector(side * x, 0.1, -2)), "wood"),
                    source: .point(Vector(side * 0.4, 0.3, -4)), listener: .zero)
            }
            #expect(zip(paths[0].losses, paths[1].losses).allSatisfy { abs($0 - $1) < 1e-4 })
            #expect((paths[0].direction - paths[1].direction * Vector(-1, 1, 1)).magnitude < 1e-9)
        }
    }

    @Test("Places that are none give silence, a source without a surface sounds from its place, and nothing traps")
    func oddInput() {
        let box = Occluder(Meshes.box(Vector(1, 1, 1)))
        #expect(solve(box, source: .point(Vector(.nan, 0, 0)), listener: .zero) == .silent)
        #expect(solve(box, source: .point(.zero), listener: Vector(0, .infinity, 0)) == .silent)
        let empty = SourceShape(meshes: [TriangleMesh(vertices: [.zero], triangles: [SIMD3(0, 0, 0)])], seed: 0)
        #expect(empty.points.isEmpty)
        let path = solve(box, source: .shape(empty, Pose(position: Vector(0, 0, 3))), listener: Vector(0, 0, -3))
        #expect(abs(path.losses[5] - 47) < 0.001)
        for radius in [0, -1, .nan, .infinity] {
            #expect(solve(source: .point(Vector(1, 0, 0), radius: radius), listener: .zero).bandGains == .ones)
        }
        let here = solve(box, source: .point(Vector(2, 0, 0)), listener: Vector(2, 0, 0))
        #expect(here.bandGains == .ones && here.centreDistance == 0 && here.direction.isFinite)
    }

    @Test("A shape's points are the seed's, equal for equal seeds, on the surface")
    func seededPoints() {
        let mesh = Meshes.sphere(radius: 2, rings: 32, sectors: 64)
        #expect(SourceShape(meshes: [mesh], seed: 3).points == SourceShape(meshes: [mesh], seed: 3).points)
        #expect(SourceShape(meshes: [mesh], seed: 3).points != SourceShape(meshes: [mesh], seed: 4).points)
        #expect(SourceShape(meshes: [mesh], seed: 3).points.count == 64)
        #expect(SourceShape(meshes: [mesh], seed: 3).points.allSatisfy { abs($0.magnitude - 2) < 0.02 })
        #expect(SourceShape(meshes: [mesh], seed: 3).centroid.magnitude < 0.01)
    }

    @Test("Many paths on 1, 2 and 7 workers are the same to the last bit")
    func workers() {
        let random = CounterRandom(seed: 11, object: 0)
        func place(_ i: Int) -> Vector {
            Vector(random.unit(UInt64(3 * i)), random.unit(UInt64(3 * i + 1)), random.unit(UInt64(3 * i + 2))) * 12
        }
        let scene = AcousticScene(
            occluders: (0..<20).map {
                Occluder(Meshes.box(Vector(2, 1, 0.3)), "wood", id: UInt64($0), at: place(500 + $0))
            })
        let queries = (0..<150).map { DirectPathQuery(source: .point(place($0)), listener: place(1000 + $0 / 10)) }
        let solver = DirectPathSolver(scene: scene)
        let alone = solver.solveAll(queries, workers: WorkerPool(workers: 1))
        #expect(alone.contains { !$0.obstacles.isEmpty } && alone.contains { $0.obstacles.isEmpty })
        for workers in [2, 7] { #expect(solver.solveAll(queries, workers: WorkerPool(workers: workers)) == alone) }
    }
}

@Suite struct WorkerPoolTests {
    @Test(
        "Results stand in the order of their index, for any number of workers and of pieces", arguments: [1, 2, 7, 64])
    func order(workers: Int) {
        for count in [0, 1, 2, 1000] {
            #expect(WorkerPool(workers: workers).map(count: count) { "\($0 * 3)" } == (0..<count).map { "\($0 * 3)" })
        }
        #expect(WorkerPool(workers: workers).map(count: -4) { $0 }.isEmpty)
    }

    @Test("There is always at least one worker")
    func atLeastOne() {
        #expect(WorkerPool(workers: 0).workers == 1)
        #expect(WorkerPool(workers: -5).workers == 1)
        #expect(WorkerPool().workers >= 1)
    }
}

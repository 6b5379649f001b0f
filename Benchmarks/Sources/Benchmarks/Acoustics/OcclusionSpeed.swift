@testable import OssicleAcoustics
@testable import OssicleCore

/// What it costs to tell how much of a source arrives through and past what is in the way: 64 points of a body, and the
/// 96 of a point's ball; and which of the 64 points are in sight, whatever else is on the way. Beside it Embree alone,
/// which only tells of each ray whether anything is on the way.
enum OcclusionSpeed {
    private static let pairs = AcousticStage.pairs(64)

    static func print() {
        var cube = StoneMesh()
        cube.addRoom(Vector(0.5, 0.5, 0.5))
        let shape = SourceShape(meshes: [cube.mesh])
        for stage in AcousticStage.all {
            let solver = DirectPathSolver(scene: stage.scene)
            let bodies = pairs.map {
                DirectPathQuery(source: .shape(shape, Pose(position: $0.source.centre)), listener: $0.listener)
            }
            let points = shape.points.count
            let rays = bodies.flatMap { query in
                shape.points.map { ray(from: query.listener, to: $0 + query.source.centre) }
            }
            let bare = BareEmbree(stage.mesh, isPinned: false)
            defer { bare?.release() }
            let prepared = rays.map(BareEmbree.Ray.init)
            let (time, rival) = Stopwatch.least(
                { solve(bodies, solver) }, beside: { if let bare { keep(bare.trace(prepared)) } })
            Report.line(
                "occlusion, \(stage.triangles) triangles",
                "\(micro(time)) µs a source of \(points) points, "
                    + "\(micro(Stopwatch.least { solve(pairs, solver) })) µs one of 96 points, one core")
            let probes = bodies.map {
                (listener: $0.listener, probe: SourceProbe($0.source, seenFrom: $0.listener, in: stage.scene))
            }
            let sight = Stopwatch.least { look(probes, solver.tracer) }
            Report.line("  sight alone", "\(micro(sight)) µs for \(points) points of a source")
            guard bare != nil else { continue }
            Report.line(
                "  Embree alone",
                "\(micro(rival)) µs for \(points) looks: ours is \(Report.number(rival / time)) × as fast, "
                    + "sight alone \(Report.number(rival / sight)) ×")
        }
    }

    private static func solve(_ queries: [DirectPathQuery], _ solver: DirectPathSolver<SceneTracer>) {
        for query in queries { keep(solver.solve(source: query.source, listener: query.listener)) }
    }

    private static func look(_ probes: [(listener: Vector, probe: SourceProbe)], _ tracer: SceneTracer) {
        for (listener, probe) in probes {
            keep(tracer.areBlocked(from: listener, to: probe.points, within: probe.beam(from: listener)))
        }
    }

    private static func micro(_ time: Double) -> String { Report.number(time / Double(pairs.count) * 1e6) }

    private static func ray(from start: Vector, to end: Vector) -> RecordingTracer.Ray {
        let way = end - start
        return RecordingTracer.Ray(
            start: start, direction: way.direction ?? Vector(1, 0, 0), length: way.magnitude, wantsNearest: false)
    }
}

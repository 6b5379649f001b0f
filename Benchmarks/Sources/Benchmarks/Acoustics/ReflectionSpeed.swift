@testable import OssicleAcoustics
@testable import OssicleCore

/// Reflection paths per second: to the nearest surface, from there a look at the source, and on by the surface's material; all that the late
/// field's tracer does. Beside it Embree alone with the very same rays, in the same order.
enum ReflectionSpeed {
    private static let source = Vector(6.1, -1.3, 4.2), listener = Vector(-5.2, 0.4, -3.7)
    private static let settings = RaySettings(rays: 4096, bounces: 16, specularFrom: 1, duration: 1, hearsRoom: false)
    private static let alone = WorkerPool(workers: 1)

    static func print() {
        for stage in AcousticStage.all { print(stage) }
    }

    private static func print(_ stage: AcousticStage) {
        let tracer = LateTracer(tracer: SceneTracer(stage.scene), settings: settings, seed: 1)
        let rays = recorded(stage)
        let paths = Double(rays.count { $0.wantsNearest }), looks = Double(rays.count) - paths
        func ours() { keep(tracer.trace(sources: [source], listener: listener, workers: alone)) }
        let prepared = rays.map(BareEmbree.Ray.init)
        var rivals: [(name: String, time: Double)] = []
        var time = Double.infinity
        for (name, isPinned) in [("as it comes", false), ("with pinned results", true)] {
            guard let bare = BareEmbree(stage.mesh, isPinned: isPinned) else { continue }
            defer { bare.release() }
            let (mine, theirs) = Stopwatch.least(ours, beside: { keep(bare.trace(prepared)) })
            time = min(time, mine)
            rivals.append((name, theirs))
        }
        if rivals.isEmpty { time = Stopwatch.least(ours) }
        Report.line("paths, \(stage.triangles) triangles", "\(Report.number(paths / time * 1e-6)) million a second, 4096 rays × 16 in "
            + "\(Report.number(1000 * time)) ms, one core")
        if rivals.isEmpty { Report.line("  Embree alone", "not measured (Debian: libembree-dev)") }
        for rival in rivals {
            Report.line("  Embree \(rival.name)", "\(Report.number(1000 * rival.time)) ms for \(Int(paths)) nearest hits and \(Int(looks)) looks: ours is "
                + "\(Report.number(rival.time / time)) × as fast")
        }
    }

    private static func recorded(_ stage: AcousticStage) -> [RecordingTracer.Ray] {
        let tracer = RecordingTracer(tracer: SceneTracer(stage.scene))
        keep(LateTracer(tracer: tracer, settings: settings, seed: 1).trace(sources: [source], listener: listener, workers: alone))
        return tracer.record.rays
    }
}

@testable import OssicleAcoustics
@testable import OssicleCore

/// Reflection paths per second: to the nearest surface, from there a look at the source, and on by the surface's
/// material; all that the late field's tracer does, ten bands included. Beside it what Embree's single-ray calls allow:
/// paths of its own with nothing else to do, and our very rays one after the other, of which none has to wait for the
/// one before.
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
        let paths = Double(rays.count { $0.wantsNearest })
        let rate = paths / Stopwatch.least { keep(tracer.trace(sources: [source], listener: listener, workers: alone)) }
        Report.line(
            "paths, \(stage.triangles) triangles",
            "\(million(rate)) million a second, 4096 rays × 16 in "
                + "\(Report.number(1000 * paths / rate)) ms, one core")
        for (name, isPinned) in [("pinned", true), ("unpinned", false)] {
            guard let rival = BareEmbree(stage.mesh, isPinned: isPinned) else {
                return Report.line("  Embree alone", "not measured (Debian: libembree-dev)")
            }
            defer { rival.release() }
            printRival(rival, "  Embree alone, \(name)", tracer, rays.map(BareEmbree.Ray.init), paths)
        }
    }

    private static func printRival(
        _ rival: BareEmbree, _ name: String, _ tracer: LateTracer<SceneTracer>, _ rays: [BareEmbree.Ray],
        _ paths: Double
    ) {
        func ours() { keep(tracer.trace(sources: [source], listener: listener, workers: alone)) }
        var hits = 0
        let (mine, theirs) = Stopwatch.least(ours, beside: { hits = walk(rival).hits })
        let (again, replayed) = Stopwatch.least(ours, beside: { keep(rival.trace(rays)) })
        let (walking, replaying) = (Double(hits) / theirs, paths / replayed)
        Report.line(
            name,
            "\(million(walking)) million paths a second: ours is \(Report.number(paths / mine / walking)) × as fast; "
                + "our rays at \(million(replaying)) million: \(Report.number(paths / again / replaying)) × as fast")
    }

    private static func walk(_ rival: BareEmbree) -> (hits: Int, sum: Float) {
        let scattering = MaterialLibrary.material(.brick).scattering[BandImportance.middle]
        return rival.walk(
            from: SIMD3<Float>(listener), source: SIMD3<Float>(source), rays: settings.rays, bounces: settings.bounces,
            scattering: scattering)
    }

    private static func million(_ rate: Double) -> String { Report.number(rate * 1e-6) }

    private static func recorded(_ stage: AcousticStage) -> [RecordingTracer.Ray] {
        let tracer = RecordingTracer(tracer: SceneTracer(stage.scene))
        keep(
            LateTracer(tracer: tracer, settings: settings, seed: 1).trace(
                sources: [source], listener: listener, workers: alone))
        return tracer.record.rays
    }
}

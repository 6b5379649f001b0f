@testable import OssicleAcoustics
@testable import OssicleCore

/// What early reflections and edges cost for each source, in sight and hidden, and what a simulation costs at each
/// level of quality.
enum PathSpeed {
    private static let alone = WorkerPool(workers: 1)
    private static let levels: [(name: String, quality: AcousticQuality)] = [
        ("low", .low), ("medium", .medium), ("high", .high),
    ]

    /// - Parameter only: the name of a level, whose updates alone are repeated for a second or two: for profilers. Nil
    ///   for all.
    static func print(only level: String? = nil) {
        if let level = levels.first(where: { $0.name == level }) {
            return AcousticStage.all.forEach { printUpdates($0, level.name, level.quality) }
        }
        for stage in AcousticStage.all {
            let pairs = AcousticStage.pairs(stage.triangles > 10_000 ? 4 : 16)
            let mirrors = ImageSourceSolver(tracer: SceneTracer(stage.scene)),
                edges = DiffractionSolver(tracer: SceneTracer(stage.scene))
            let orders = [2, 3].map { order in
                each(pairs) {
                    keep(mirrors.reflections(of: $0.source.centre, at: $0.listener, order: order, limit: 16))
                }
            }
            let lit = each(pairs) { keep(edges.lit(from: $0.source.centre, to: $0.listener)) }
            let hidden = AcousticStage.pairs(400).filter {
                edges.tracer.isBlocked(from: $0.source.centre, to: $0.listener)
            }.prefix(8)
            let around = each(Array(hidden)) { keep(edges.paths(from: $0.source.centre, to: $0.listener)) }
            Report.line(
                "a source, \(stage.triangles) triangles",
                "\(milli(orders[0])) ms reflections to order 2, \(milli(orders[1])) to order 3, "
                    + "\(milli(lit)) edges beside the way, "
                    + (hidden.isEmpty
                        ? "no source is hidden" : "\(milli(around)) ways around edges to one that is hidden"))
        }
        for stage in AcousticStage.all { printLevels(stage) }
    }

    private static func printLevels(_ stage: AcousticStage) {
        let pairs = AcousticStage.pairs(stage.triangles > 10_000 ? 4 : 16)
        for (name, quality) in levels {
            let solver = SceneSolver(scene: stage.scene, quality: quality)
            let paths = each(pairs) { keep(solver.paths($0)) }
            let late = Stopwatch.least(of: 3) {
                keep(solver.lateResponses(of: [pairs[0].source.centre], at: pairs[0].listener, workers: alone))
            }
            Report.line(
                "\(name), \(stage.triangles) triangles",
                "\(milli(paths)) ms a source in every update, \(milli(late)) ms a simulation "
                    + "of the late field")
        }
    }

    private static func printUpdates(_ stage: AcousticStage, _ name: String, _ quality: AcousticQuality) {
        let pairs = AcousticStage.pairs(16)
        let solver = SceneSolver(scene: stage.scene, quality: quality)
        let paths = Stopwatch.least(of: 50) { for pair in pairs { keep(solver.paths(pair)) } } / Double(pairs.count)
        Report.line("\(name), \(stage.triangles) triangles", "\(milli(paths)) ms a source in every update")
    }

    /// Seconds for one of them, of a few runs the fastest.
    private static func each(_ pairs: [DirectPathQuery], _ work: (DirectPathQuery) -> Void) -> Double {
        Stopwatch.least(of: 3) { for pair in pairs { work(pair) } } / Double(max(pairs.count, 1))
    }

    private static func milli(_ time: Double) -> String { Report.number(1000 * time) }
}

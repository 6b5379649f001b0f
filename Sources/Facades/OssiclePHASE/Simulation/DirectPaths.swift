import OssicleAcoustics
import OssicleCore

/// The direct path of every source and listener that belong together, traced anew when something moved.
final class DirectPaths {
    struct Key: Hashable {
        let source: UInt64
        let listener: UInt64
    }

    struct Pair {
        let source: PHASESource
        let listener: PHASEListener
        var key: Key { Key(source: source.number, listener: listener.number) }
    }

    private var traced: [Key: (pair: Pair, path: DirectPath)] = [:]
    private var scene = AcousticScene()
    /// Sampled surfaces by source: they depend on the shapes, not on where the source is.
    private var geometries: [UInt64: SourceShape] = [:]

    func path(_ source: PHASESource, _ listener: PHASEListener) -> DirectPath? {
        traced[Key(source: source.number, listener: listener.number)]?.path
    }

    /// Traces what has to be traced: pairs that are new or have moved, or all of them.
    /// - Parameter occluders: asked only where one of them may have changed.
    func trace(_ pairs: [Pair], after moves: EngineCore.Moves, occluders: () -> [PHASEOccluder]) {
        if moves.everything {
            scene = AcousticScene(occluders: occluders().flatMap(\.acousticOccluders))
            geometries = geometries.filter { number, _ in pairs.contains { $0.source.number == number } }
        }
        let wanted = pairs.filter { pair in
            moves.everything || traced[pair.key] == nil || moves.objects.contains(pair.key.source) || moves.objects.contains(pair.key.listener)
        }
        let requests = wanted.map { pair in
            DirectPathQuery(source: pair.source.acousticGeometry(cache: &geometries), listener: pair.listener.worldPose.position)
        }
        let solved = wanted.isEmpty ? [] : DirectPathSolver(scene: scene).solveAll(requests)
        var next: [Key: (pair: Pair, path: DirectPath)] = [:]
        for pair in pairs { next[pair.key] = traced[pair.key].map { (pair, $0.path) } }
        for (pair, path) in zip(wanted, solved) { next[pair.key] = (pair, path) }
        traced = next
    }

    /// Lets go of the scene and everything in it.
    func forget() {
        traced = [:]
        geometries = [:]
        scene = AcousticScene()
    }

    /// In order of source and listener.
    var reports: [PHASEDirectPathReport] {
        traced.values.sorted { ($0.pair.key.source, $0.pair.key.listener) < ($1.pair.key.source, $1.pair.key.listener) }.map { entry in
            PHASEDirectPathReport(
                source: entry.pair.source.name, listener: entry.pair.listener.name, distance: entry.path.centreDistance,
                visibleShare: entry.path.visibleShare, bandGains: entry.path.bandGains.values.map(Double.init),
                occluders: entry.path.obstacles.map { met in
                    PHASEDirectPathReport.Occluder(name: met.name, loss: met.loss.values.map(Double.init), share: met.share)
                })
        }
    }
}

import OssicleCore

/// Early reflections that edges change: specular paths with diffraction at the last edge.
///
/// An image is a source. Where its sound reaches the listener, edges beside the last part of the way take what `DiffractionSolver.lit` says,
/// half the amplitude at the boundary; where something past the last mirror hides it, it goes around one edge, and begins with that half. So nothing
/// jumps as a listener walks out of a reflection behind a screen. What ends a reflection otherwise, the rim of its mirror or an edge before a mirror,
/// does so as without bending.
struct BentReflections<Tracer: RayTracer> {
    let mirrors: ImageSourceSolver<Tracer>
    let edges: DiffractionSolver<Tracer>

    /// The loudest reflections that edges beside them are asked about.
    private static var litCount: Int { 8 }
    /// Hidden reflections that may bend, those with the nearest images.
    private static var bentCount: Int { 8 }

    /// What the edges make of all reflections that nothing stands in the way of, and those that bend.
    func paths(of source: Vector, at listener: Vector, order: Int, _ ways: [ReflectedWay], _ plain: [SoundPath]) -> [SoundPath] {
        lit(ways, plain) + bent(source, listener, order: order)
    }

    private func lit(_ ways: [ReflectedWay], _ plain: [SoundPath]) -> [SoundPath] {
        var paths = plain
        let ranked = plain.indices.map { (index: $0, loudness: plain[$0].loudness) }.sorted { ($1.loudness, $0.index) < ($0.loudness, $1.index) }
        for (index, _) in ranked.prefix(Self.litCount) {
            let way = ways[index]
            let factor = edges.lit(from: way.image.position, to: way.end) { mirrors.way(from: way.image, to: $0) != nil }
            paths[index].bandGains = paths[index].bandGains * factor
        }
        return paths
    }

    private func bent(_ source: Vector, _ listener: Vector, order: Int) -> [SoundPath] {
        let (from, to) = (mirrors.reflectors.lifted(source, towards: listener), mirrors.reflectors.lifted(listener, towards: source))
        let hidden = mirrors.reflectors.ways(of: from, to: to, order: order).results(atMost: Self.bentCount) { $0.isClear(mirrors.tracer) ? nil : $0 }
        return hidden.flatMap { way in
            let around = edges.paths(fromImage: way.image.position, to: to) { mirrors.way(from: way.image, to: $0) != nil }
            return around.compactMap { joined(way.image, $0, to) }
        }
    }

    /// The way over the mirrors to the edge, and the way on from there.
    private func joined(_ image: MirroredSource, _ around: SoundPath, _ listener: Vector) -> SoundPath? {
        guard let corner = around.corners.first,
              var path = mirrors.path(from: image, to: corner, carriedAfter: (listener - corner).magnitude) else { return nil }
        path.kind = .diffractedReflection(order: image.order)
        path.identity = SoundPath.identity(path.identity, then: around.identity)
        (path.length, path.arrival) = (around.length, around.arrival)
        path.bandGains = path.bandGains * around.bandGains
        path.corners += around.corners
        return path
    }
}

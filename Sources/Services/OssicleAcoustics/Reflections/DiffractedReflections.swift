import OssicleCore

/// Early reflections that edges change: specular paths with diffraction at the last edge.
///
/// An image is a source. Where its sound reaches the listener, edges beside the last part of the path take what
/// `DiffractionSolver.lit` says, half the amplitude at the boundary; where something past the last reflector hides it,
/// it goes around one edge, and begins with that half. So nothing jumps as a listener walks out of a reflection behind
/// a screen. What ends a reflection otherwise, the rim of its reflector or an edge before a reflector, does so as
/// without diffraction.
struct DiffractedReflections<Tracer: RayTracer> {
    let imageSources: ImageSourceSolver<Tracer>
    let edges: DiffractionSolver<Tracer>

    /// The loudest reflections that edges beside them are asked about.
    private static var litCount: Int { 8 }
    /// Hidden reflections that may be diffracted, those with the nearest images.
    private static var hiddenCount: Int { 8 }

    /// What the edges make of all reflections that nothing obstructs, and those that are diffracted.
    func paths(
        of source: Vector, at listener: Vector, order: Int, reflections: [ReflectionPath], plain: [SoundPath]
    ) -> [SoundPath] {
        lit(reflections, plain) + diffracted(source, listener, order: order)
    }

    private func lit(_ reflections: [ReflectionPath], _ plain: [SoundPath]) -> [SoundPath] {
        var paths = plain
        let ranked = plain.indices.map { (index: $0, loudness: plain[$0].loudness) }.sorted {
            ($1.loudness, $0.index) < ($0.loudness, $1.index)
        }
        for (index, _) in ranked.prefix(Self.litCount) {
            let reflection = reflections[index]
            let factor = edges.lit(from: reflection.image.position, to: reflection.end) {
                imageSources.reflectionPath(from: reflection.image, to: $0) != nil
            }
            paths[index].bandGains = paths[index].bandGains * factor
        }
        return paths
    }

    private func diffracted(_ source: Vector, _ listener: Vector, order: Int) -> [SoundPath] {
        let (from, to) = (
            imageSources.reflectors.lifted(source, towards: listener),
            imageSources.reflectors.lifted(listener, towards: source)
        )
        let hidden = imageSources.reflectors.paths(of: from, to: to, order: order).results(atMost: Self.hiddenCount) {
            $0.isClear(imageSources.tracer) ? nil : $0
        }
        return hidden.flatMap { reflection in
            let around = edges.paths(fromImage: reflection.image.position, to: to) {
                imageSources.reflectionPath(from: reflection.image, to: $0) != nil
            }
            return around.compactMap { joined(reflection.image, $0, listener: to) }
        }
    }

    /// The path over the reflectors to the edge, and the path on from there.
    private func joined(_ image: ImageSource, _ around: SoundPath, listener: Vector) -> SoundPath? {
        guard let corner = around.corners.first,
            var path = imageSources.path(from: image, to: corner, carriedAfter: (listener - corner).magnitude)
        else { return nil }
        path.kind = .diffractedReflection(order: image.order)
        path.identity = SoundPath.identity(path.identity, then: around.identity)
        (path.length, path.arrival) = (around.length, around.arrival)
        path.bandGains = path.bandGains * around.bandGains
        path.corners += around.corners
        return path
    }
}

import OssicleCore

/// Early reflections that edges change: specular paths with diffraction before, between or after the reflectors.
///
/// An image is a source. Where a reflection reaches the listener, edges beside its first and its last part take what
/// `DiffractionSolver.lit` says, half the amplitude at the boundary; where something hides it, it goes around one edge
/// or two, and begins with that half. So nothing jumps as a listener walks out of a reflection behind a screen. The
/// edge stands in any place of the row: after the reflectors (image of the source, listener), before them (source,
/// image of the listener) or between. Over a barrier on the ground sound is reflected on both sides as well. Exchanging
/// source and listener so gives the same paths. What ends a reflection otherwise, the rim of its reflector, does so as
/// without diffraction, at once but for slim sides (`SlimReflectors`).
///
/// A class, so that each closure that asks whether an image reaches an edge retains this one object and not all of the
/// scene's tables.
final class DiffractedReflections<Tracer: RayTracer> {
    private let imageSources: ImageSourceSolver<Tracer>
    private let edges: DiffractionSolver<Tracer>
    private let slim: SlimReflectors<Tracer>
    private let depth: Int

    /// The loudest reflections that edges beside them are asked about.
    private static var litCount: Int { 8 }
    /// Hidden reflections that may be diffracted, those with the nearest images.
    private static var hiddenCount: Int { 8 }
    /// The largest reflectors whose hidden reflections are looked at, and the number up to which they are combined in
    /// pairs.
    private static var mostReflectors: Int32 { 256 }
    private static var mostPaired: Int { 12 }

    /// - Parameter depth: edges in a row, 1 or 2.
    init(_ imageSources: ImageSourceSolver<Tracer>, _ edges: DiffractionSolver<Tracer>, depth: Int) {
        (self.imageSources, self.edges, self.depth) = (imageSources, edges, depth)
        slim = SlimReflectors(imageSources, edges)
    }

    /// What the edges make of all reflections that nothing obstructs, and those that are diffracted.
    func paths(_ found: FoundReflections, order: Int) -> [SoundPath] { lit(found) + diffracted(found, order: order) }

    private func lit(_ found: FoundReflections) -> [SoundPath] {
        var paths = slim.paths(found)
        let ranked = paths.indices.map { (index: $0, loudness: paths[$0].loudness) }.sorted {
            ($1.loudness, $0.index) < ($0.loudness, $1.index)
        }
        for (index, _) in ranked.prefix(Self.litCount) {
            let reflection = found.paths[index]
            let last = lit(reflection.image, reflection.end)
            let first = image(of: reflection.end, reflection.image.row.reversed()).map {
                lit($0, reflection.image.source)
            }
            paths[index].bandGains = paths[index].bandGains * last * (first ?? .ones)
        }
        return paths
    }

    private func lit(_ image: ImageSource, _ place: Vector) -> OctaveBands {
        edges.lit(fromImage: image.position, to: place, EdgeAccess(arrives: { self.reaches(image, $0) }))
    }

    private func reaches(_ image: ImageSource, _ place: Vector) -> Bool {
        imageSources.reflectionPath(from: image, to: place) != nil
    }

    /// A place reflected in a row of reflectors, those next to it first.
    private func image(of place: Vector, _ row: some Sequence<Int32>) -> ImageSource? {
        imageSources.reflectors.reflectors.withUnsafeBufferPointer { planes in
            row.reduce(ImageSource(place)) { image, reflector in image?.reflected(in: reflector, of: planes) }
        }
    }

    private func diffracted(_ found: FoundReflections, order: Int) -> [SoundPath] {
        let hidden = geometric(found, order: order).results(atMost: Self.hiddenCount) { path in
            let isClear = path.order == 1 ? found.isClear(path) : path.isClear(imageSources.tracer)
            return isClear ? nil : path.image.row
        }
        return hidden.flatMap { row -> [SoundPath] in
            // The edge after the first `count` reflectors.
            var paths = (0...row.count).flatMap { count in
                around(found.source, row.prefix(count), found.listener, row.dropFirst(count).reversed())
            }
            // Over a barrier that stands on the reflector, with a reflection on either side.
            if row.count == 1, order > 1 { paths += around(found.source, row[...], found.listener, row.reversed()) }
            return paths
        }
    }

    /// The paths over single reflectors, and over pairs where the reflectors are few, whatever stands in between;
    /// shortest first.
    private func geometric(_ found: FoundReflections, order: Int) -> [ReflectionPath] {
        var paths = found.singles.filter { $0.image.reflector(0) < Self.mostReflectors }
        let set = imageSources.reflectors
        if order > 1, set.reflectors.count <= Self.mostPaired {
            paths += ReflectionSearch(set: set, source: found.source, listener: found.listener).paths(order: 2)
        }
        return paths.withoutDoubles()
    }

    /// The paths by reflectors, edges and again reflectors. Both rows begin at their own end.
    private func around(
        _ source: Vector, _ before: ArraySlice<Int32>, _ listener: Vector, _ after: [Int32]
    ) -> [SoundPath] {
        guard let start = image(of: source, before), let end = image(of: listener, after) else { return [] }
        let access = EdgeAccess(
            arrives: start.order > 0 ? { self.reaches(start, $0) } : nil,
            leaves: end.order > 0 ? { self.reaches(end, $0) } : nil)
        return edges.paths(fromImage: start.position, toImage: end.position, access, edges: depth)
            .compactMap { joined(start, $0, end) }
    }

    /// The path over the reflectors to the edges, and on from there.
    private func joined(_ start: ImageSource, _ around: SoundPath, _ end: ImageSource) -> SoundPath? {
        guard let first = around.corners.first, let last = around.corners.last else { return nil }
        let straight = (start.source, end.source)
        var path = around
        path.kind = .diffractedReflection(order: start.order + end.order)
        if start.order > 0 {
            let carried = around.length - (first - start.position).magnitude
            guard let before = part(from: start, to: first, of: straight, carriedAfter: carried) else { return nil }
            path.identity = SoundPath.identity(before.identity, then: path.identity)
            path.departure = before.departure
            path.bandGains = path.bandGains * before.bandGains
            path.corners = before.corners + path.corners
        }
        if end.order > 0 {
            let carried = around.length - (last - end.position).magnitude
            guard let after = part(from: end, to: last, of: straight, carriedAfter: carried) else { return nil }
            path.identity = SoundPath.identity(path.identity, then: after.identity)
            path.arrival = after.departure
            path.bandGains = path.bandGains * after.bandGains
            path.corners += after.corners.reversed()
        }
        return path
    }

    private func part(
        from image: ImageSource, to place: Vector, of straight: (Vector, Vector), carriedAfter: Double
    ) -> SoundPath? {
        guard let reflection = imageSources.reflectionPath(from: image, to: place) else { return nil }
        var path = imageSources.path(reflection, carriedAfter: carriedAfter)
        path.bandGains = path.bandGains * slim.share(reflection, of: straight, carriedAfter: carriedAfter)
        return path
    }
}

import OssicleCore

/// Early reflections by image sources (Allen and Berkley 1979; for any geometry, Borish 1984).
///
/// Reflectors are combined exhaustively as far as their number allows, and along rays from both ends beyond that. Every
/// image is then validated backwards from the listener: each corner must lie on a surface, and nothing between the
/// corners. Inside an empty box the closed form answers. Pure: the same scene, source and listener give the same bytes.
package struct ImageSourceSolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    package let reflectors: ReflectorSet
    /// Boxes of the scene with nothing in them.
    let rooms: [BoxRoom]

    /// Metres beyond which no surface answers: a second and a half.
    package static var reach: Double { 500 }

    /// - Parameter earlier: of the scene before a change; what it knows about geometries that are still there is used
    ///   again.
    package init(tracer: Tracer, reusing earlier: ReflectorSet? = nil) {
        self.tracer = tracer
        reflectors = ReflectorSet(tracer.scene, reusing: earlier)
        rooms = BoxRoom.emptyRooms(reflectors)
    }

    /// The reflections of a source, loudest first.
    /// - Parameters:
    ///   - order: reflections, from 1; above 3 where few planes reflect, see `ReflectionBeams`. - limit: where more are
    ///     found, see `ReflectionBudget`.
    ///   - candidates: rows of surfaces to try instead of a search, beside all single reflectors.
    @_specialize(where Tracer == SceneTracer)
    package func reflections(
        of source: Vector, at listener: Vector, order: Int, limit: Int,
        trying candidates: ReflectionCandidates? = nil
    ) -> [SoundPath] {
        reflections(of: source, at: listener, order: order, limit: limit, trying: candidates) { $0.plain }
    }

    /// - Parameter diffracting: what edges make of the reflections, before the choice; not asked inside an
    ///   empty box, which has none.
    func reflections(
        of source: Vector, at listener: Vector, order: Int, limit: Int, trying candidates: ReflectionCandidates?,
        diffracting: (FoundReflections) -> [SoundPath]
    ) -> [SoundPath] {
        guard source.isFinite, listener.isFinite, order > 0, limit > 0 else { return [] }
        let paths: [SoundPath]
        if let room = room(with: source, listener) {
            paths = room.paths(of: source, at: listener, order: order)
        } else {
            let (from, to) = lifted(source, listener)
            let found = found(from, listener: to, order: order, candidates: candidates)
            paths = diffracting(found) + longPaths(from, listener: to, order: order)
        }
        let budget = ReflectionBudget(limit: limit, speedOfSound: tracer.scene.medium.speedOfSound)
        return budget.chosen(paths) {
            tracer.isBlocked(from: source, to: listener) ? nil : SoundPath.straight(from: source, to: listener)
        }
    }

    /// Rows of surfaces worth trying from now on: those that carry a reflection, and those that rays from either end
    /// meet.
    /// - Parameter earlier: an update's before, kept as far as there is room.
    @_specialize(where Tracer == SceneTracer)
    package func candidates(
        of source: Vector, at listener: Vector, order: Int,
        keeping earlier: ReflectionCandidates? = nil
    ) -> ReflectionCandidates {
        var candidates = ReflectionCandidates()
        guard source.isFinite, listener.isFinite, order > 0 else { return candidates }
        if room(with: source, listener) == nil {
            let (from, to) = lifted(source, listener)
            let search = ReflectionSearch(set: reflectors, source: from, listener: to)
            for path in searched(search, orders: 1..<min(order, ImageSource.highestOrder) + 1) {
                candidates.insert(path.identities(in: reflectors))
            }
            castRays(from, to, order: order, into: &candidates)
        }
        if let earlier { candidates.keep(earlier) }
        return candidates
    }

    /// The images of a source in all rows of surfaces that are candidates: sources in their own right for a caller that
    /// diffracts sound at edges.
    package func images(of source: Vector, order: Int, in candidates: ReflectionCandidates) -> [ImageSource] {
        candidates.images(of: source, order: order, in: reflectors)
    }

    /// The path over an image's reflectors to any point, such as one on an edge; nil where a reflector is missed or
    /// something is in the way.
    package func path(from image: ImageSource, to point: Vector) -> SoundPath? {
        reflectionPath(from: image, to: point).map { path($0) }
    }

    /// - Parameter carriedAfter: metres the sound travels on from the end.
    func path(_ reflection: ReflectionPath, carriedAfter: Double = 0) -> SoundPath {
        reflection.path(
            tracer.scene, reflectors, speedOfSound: tracer.scene.medium.speedOfSound, carriedAfter: carriedAfter)
    }

    func reflectionPath(from image: ImageSource, to point: Vector) -> ReflectionPath? {
        guard point.isFinite, let path = ReflectionPath(image, to: point, in: reflectors), path.isClear(tracer) else {
            return nil
        }
        return path
    }

    /// Images that a box is enumerated to at most: a gigabyte.
    package static var mostImages: Int { 2_000_000 }

    /// Planes up to which rows of more than three reflectors are followed, and such rows at most.
    package static var mostPlanes: Int { ReflectionBeams.mostReflectors }
    package static var mostBeams: Int { ReflectionBeams.mostBeams }

    /// The highest order, up to `order`, to which all reflections can be found: 3 in any scene, in an empty box as far
    /// as it has no more than `mostImages`, and where few planes reflect as `ReflectionBeams` says.
    package func reachableOrder(_ order: Int, from source: Vector, to listener: Vector) -> Int {
        guard order > ImageSource.highestOrder else { return order }
        guard let room = room(with: source, listener) else {
            let (from, to) = lifted(source, listener)
            return max(rows(from, listener: to, order: order)?.complete ?? 0, ImageSource.highestOrder)
        }
        var (good, bad) = (ImageSource.highestOrder, min(order, BoxRoom.highestOrder) + 1)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            if room.audibleCount(upTo: middle) <= Self.mostImages { good = middle } else { bad = middle }
        }
        return good
    }

    private func room(with source: Vector, _ listener: Vector) -> BoxRoom? {
        rooms.first { $0.contains(source) && $0.contains(listener) }
    }

    /// Both ends off the surfaces they stand on.
    private func lifted(_ source: Vector, _ listener: Vector) -> (source: Vector, listener: Vector) {
        (reflectors.lifted(source, towards: listener), reflectors.lifted(listener, towards: source))
    }

    private func found(
        _ source: Vector, listener: Vector, order: Int, candidates: ReflectionCandidates?
    ) -> FoundReflections {
        let search = ReflectionSearch(set: reflectors, source: source, listener: listener)
        let singles = search.paths(order: 1)
        let clear = singles.filter { $0.isClear(tracer) }
        var paths = clear.filter { $0.length <= Self.reach }
        if let candidates {
            paths += tried(candidates, source, listener: listener, order: order)
        } else {
            let highest = min(order, ImageSource.highestOrder)
            paths += searched(search, orders: 2..<highest + 1)
            if !ReflectionSearch.isComplete(order: highest, reflectors) {
                var cast = ReflectionCandidates()
                castRays(source, listener, order: order, into: &cast)
                paths += tried(cast, source, listener: listener, order: order)
            }
        }
        paths = paths.withoutDoubles()
        let speed = tracer.scene.medium.speedOfSound
        let plain = paths.map { $0.path(tracer.scene, reflectors, speedOfSound: speed) }
        return FoundReflections(
            source: source, listener: listener, singles: singles, clear: clear, paths: paths, plain: plain)
    }

    /// The reflections of more than three reflectors.
    private func longPaths(_ source: Vector, listener: Vector, order: Int) -> [SoundPath] {
        guard let found = rows(source, listener: listener, order: order) else { return [] }
        let speed = tracer.scene.medium.speedOfSound
        return found.paths.filter { $0.length <= Self.reach && $0.isClear(tracer) }.withoutDoubles().map {
            $0.path(tracer.scene, reflectors, speedOfSound: speed)
        }
    }

    private func rows(
        _ source: Vector, listener: Vector, order: Int
    ) -> (paths: [ReflectedPath<ImageChain>], complete: Int)? {
        guard order > ImageSource.highestOrder, let beams = ReflectionBeams(reflectors) else { return nil }
        return beams.paths(of: source, to: listener, orders: ImageSource.highestOrder + 1...order, within: Self.reach)
    }

    private func searched(_ search: ReflectionSearch, orders: Range<Int>) -> [ReflectionPath] {
        orders.flatMap { search.paths(order: $0).filter { isValid($0) } }
    }

    private func tried(
        _ candidates: ReflectionCandidates, _ source: Vector, listener: Vector, order: Int
    ) -> [ReflectionPath] {
        let images = candidates.images(of: source, order: order, in: reflectors)
        return images.compactMap { ReflectionPath($0, to: listener, in: reflectors) }.filter { isValid($0) }
    }

    private func castRays(
        _ source: Vector, _ listener: Vector, order: Int, into candidates: inout ReflectionCandidates
    ) {
        ReflectionRays.find(
            from: listener, isSource: false, order: order, tracer: tracer, set: reflectors, into: &candidates)
        ReflectionRays.find(
            from: source, isSource: true, order: order, tracer: tracer, set: reflectors, into: &candidates)
    }

    private func isValid(_ path: ReflectionPath) -> Bool { path.length <= Self.reach && path.isClear(tracer) }
}

/// What a search for reflections finds between two places.
struct FoundReflections {
    /// Off the surfaces they stand on.
    let source: Vector
    let listener: Vector
    /// By single reflectors, whatever stands in between, and those of them that nothing obstructs; the largest
    /// reflectors first.
    let singles: [ReflectionPath]
    let clear: [ReflectionPath]
    /// All that nothing obstructs, and how they sound.
    let paths: [ReflectionPath]
    let plain: [SoundPath]

    /// Whether nothing obstructs one of `singles`.
    func isClear(_ single: ReflectionPath) -> Bool {
        clear.contains { $0.image.reflector(0) == single.image.reflector(0) }
    }
}

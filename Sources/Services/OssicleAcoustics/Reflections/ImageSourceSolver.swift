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
        reflections(of: source, at: listener, order: order, limit: limit, trying: candidates) { $1 }
    }

    /// - Parameter diffracting: what edges make of the reflections, before the choice; not asked inside an
    ///   empty box, which has none.
    func reflections(
        of source: Vector, at listener: Vector, order: Int, limit: Int, trying candidates: ReflectionCandidates?,
        diffracting: ([ReflectionPath], [SoundPath]) -> [SoundPath]
    ) -> [SoundPath] {
        guard source.isFinite, listener.isFinite, order > 0, limit > 0 else { return [] }
        let paths: [SoundPath]
        if let room = room(with: source, listener) {
            paths = room.paths(of: source, at: listener, order: order)
        } else {
            let speed = tracer.scene.medium.speedOfSound
            let found = reflectionPaths(of: source, at: listener, order: order, candidates: candidates)
            let plain = found.map { $0.path(tracer.scene, reflectors, speedOfSound: speed) }
            paths = diffracting(found, plain) + longPaths(of: source, at: listener, order: order)
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
            let (from, to) = (
                reflectors.lifted(source, towards: listener), reflectors.lifted(listener, towards: source)
            )
            for path in searched(from, to, order: order) { candidates.insert(path.identities(in: reflectors)) }
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
    /// - Parameter carriedAfter: metres the sound travels on from there.
    package func path(from image: ImageSource, to point: Vector, carriedAfter: Double = 0) -> SoundPath? {
        guard let path = reflectionPath(from: image, to: point) else { return nil }
        return path.path(
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
            return max(rows(of: source, at: listener, order: order)?.complete ?? 0, ImageSource.highestOrder)
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

    private func reflectionPaths(
        of source: Vector, at listener: Vector, order: Int, candidates: ReflectionCandidates?
    ) -> [ReflectionPath] {
        let (from, to) = (reflectors.lifted(source, towards: listener), reflectors.lifted(listener, towards: source))
        var paths: [ReflectionPath]
        if let candidates {
            paths = searched(from, to, order: 1) + tried(candidates, from, listener: to, order: order)
        } else {
            paths = searched(from, to, order: order)
            if !ReflectionSearch.isComplete(order: min(order, ImageSource.highestOrder), reflectors) {
                var found = ReflectionCandidates()
                castRays(from, to, order: order, into: &found)
                paths += tried(found, from, listener: to, order: order)
            }
        }
        return paths.withoutDoubles()
    }

    /// The reflections of more than three reflectors.
    private func longPaths(of source: Vector, at listener: Vector, order: Int) -> [SoundPath] {
        guard let found = rows(of: source, at: listener, order: order) else { return [] }
        let speed = tracer.scene.medium.speedOfSound
        return found.paths.filter { $0.length <= Self.reach && $0.isClear(tracer) }.withoutDoubles().map {
            $0.path(tracer.scene, reflectors, speedOfSound: speed)
        }
    }

    private func rows(
        of source: Vector, at listener: Vector, order: Int
    ) -> (paths: [ReflectedPath<ImageChain>], complete: Int)? {
        guard order > ImageSource.highestOrder, let beams = ReflectionBeams(reflectors) else { return nil }
        let (from, to) = (reflectors.lifted(source, towards: listener), reflectors.lifted(listener, towards: source))
        return beams.paths(of: from, to: to, orders: ImageSource.highestOrder + 1...order, within: Self.reach)
    }

    private func searched(_ source: Vector, _ listener: Vector, order: Int) -> [ReflectionPath] {
        let search = ReflectionSearch(set: reflectors, source: source, listener: listener)
        return (1...min(order, ImageSource.highestOrder)).flatMap { search.paths(order: $0).filter { isValid($0) } }
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

import OssicleCore

/// A long rectangular side of a convex body, as of a column, or where a wall ends.
struct SlimSide: Sendable {
    let side: ConvexBody.Side
    /// How much it is one, 0…1: not at all where it is as wide as high, or wide.
    let weight: Double
    /// Number of the scene's body that it is a side of; nil for what is left to its edges.
    let body: Int?

    /// By occluder.
    static func all(of placed: [SceneEdges.Placed], _ bodies: [SceneBody]) -> [Int32: [SlimSide]] {
        let numbers = Dictionary(uniqueKeysWithValues: zip(bodies.map(\.occluder), bodies.indices))
        var found: [Int32: [SlimSide]] = [:]
        for occluder in placed {
            let (sides, body) = (occluder.edges.body?.sides ?? [], numbers[occluder.occluder])
            let slim = sides.compactMap { SlimSide($0.placed(occluder.pose), body) }
            if !slim.isEmpty { found[occluder.occluder] = slim }
        }
        return found
    }

    private init?(_ side: ConvexBody.Side, _ body: Int?) {
        weight =
            Silhouette.fade(side.halfLength / side.halfWidth - 1) * SceneBody.weight(ofWidth: 2 * side.halfWidth)
        (self.side, self.body) = (side, body)
        guard weight > 0 else { return nil }
    }

    /// What the rims make of a reflected path.
    struct Rims {
        /// Metres that it would be longer by the nearer rim, and by that if it met the middle between both.
        let detour: Double
        let most: Double
    }

    func rims(from start: Vector, to end: Vector) -> Rims {
        let (source, receiver) = (place(start), place(end))
        let rise = (end - start).dot(side.along)
        func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }
        let (above, aside) = (source.above + receiver.above, receiver.along - source.along)
        let reflected = length((above * above + aside * aside).squareRoot())
        func nearer(_ middle: Double) -> Double {
            let lengths = [middle - side.halfWidth, middle + side.halfWidth].map {
                length(source.distance(to: $0) + receiver.distance(to: $0))
            }
            return max(min(lengths[0], lengths[1]) - reflected, 0)
        }
        let met = source.along + aside * source.above / max(above, 1e-9)
        return Rims(detour: nearer(0), most: nearer(met))
    }

    private func place(_ point: Vector) -> ReflectedStrip.Place {
        let offset = point - side.centre
        return ReflectedStrip.Place(above: offset.dot(side.normal), along: offset.dot(side.across))
    }
}

/// Early reflections by slim sides, without what diffraction makes of them.
///
/// What such a side of a body reflects near its rims is in the field around the body, and goes on beyond the rims: M of
/// `PrismDiffraction` has the share w(1 − f), f = fade(4d/λ) by the detour d of the nearer rim. A reflection has the
/// rest
///
///     w f + (1 − w) max(f, fade(4d/d₀))
///
/// with d₀ that of a reflection at the middle of the side: both together are whole, nothing counts twice, and a
/// reflection is 0 where it meets a rim and ends. M is of the straight path, so w is 0 where anything but bodies
/// reflects as well. A rim that something closes, as the wall that a pilaster stands at, or continues, as the next part
/// of a wall, is none, and a side with one rim is left as it is.
struct SlimReflectors<Tracer: RayTracer> {
    private let imageSources: ImageSourceSolver<Tracer>
    private let diffraction: DiffractionSolver<Tracer>

    init(_ imageSources: ImageSourceSolver<Tracer>, _ diffraction: DiffractionSolver<Tracer>) {
        (self.imageSources, self.diffraction) = (imageSources, diffraction)
    }

    /// All reflections that nothing obstructs.
    func paths(_ found: FoundReflections) -> [SoundPath] {
        guard !diffraction.edges.slimSides.isEmpty else { return found.plain }
        return zip(found.paths, found.plain).map { reflection, plain in
            var path = plain
            path.bandGains = path.bandGains * share(reflection, of: (found.source, found.listener))
            return path
        }
    }

    /// What is left of a reflection between a source and a listener.
    /// - Parameter carriedAfter: metres the sound travels on from the reflection's end.
    func share(
        _ reflection: ReflectionPath, of straight: (source: Vector, listener: Vector), carriedAfter: Double = 0
    ) -> OctaveBands {
        let sides = reflection.corners.indices.map { side(reflection, $0) }
        guard sides.contains(where: { $0 != nil }) else { return .ones }
        let isOfBodies = sides.allSatisfy { $0?.body != nil }
        return sides.enumerated().reduce(.ones) { share, corner in
            guard let slim = corner.element, isOpen(slim.side, at: reflection.corners[corner.offset].place)
            else { return share }
            let rims = rims(reflection, corner.offset, of: slim, carriedAfter: carriedAfter)
            return share * left(by: slim, rims, isOfBodies ? column(slim, straight) : nil)
        }
    }

    /// What a body scatters as a column where nothing closes it, and how much that counts.
    private typealias Column = (weight: Double, field: PrismDiffraction)

    /// Nil where a side is of no column.
    private func column(_ slim: SlimSide, _ straight: (source: Vector, listener: Vector)) -> Column? {
        let (from, to) = straight
        guard let body = slim.body.map({ diffraction.edges.bodies[$0] }), let prism = body.prism,
            let silhouette = Silhouette(body, from: from, to: to, isClosed: { _, _ in false }),
            let field = PrismDiffraction(prism, from: from, to: to, isClosed: (false, false), diffraction.waves)
        else { return nil }
        return (silhouette.weight, field)
    }

    private func left(by slim: SlimSide, _ rims: SlimSide.Rims, _ column: Column?) -> OctaveBands {
        let whole = Silhouette.fade(4 * rims.detour / max(rims.most, 1e-12))
        var left = OctaveBands.ones
        for band in 0..<OctaveBands.count {
            let taken = column.map { $0.weight * $0.field.share(band) } ?? 0
            let far = Silhouette.fade(4 * rims.detour / diffraction.waves.wavelengths[band])
            let rest = taken * far + (1 - taken) * max(far, whole)
            left[band] = Float(1 - slim.weight * (1 - rest))
        }
        return left
    }

    /// Nil where a corner lies on no slim side.
    private func side(_ reflection: ReflectionPath, _ number: Int) -> SlimSide? {
        let (set, face) = (imageSources.reflectors, reflection.corners[number].surface.face)
        guard let sides = diffraction.edges.slimSides[set.faces[Int(face)].occluder] else { return nil }
        let normal = set.reflectors[Int(reflection.image.reflector(number))].normal
        let outward = reflection.image.isInFront(number) ? normal : normal * -1
        return sides.first { $0.side.normal.dot(outward) > 1 - 1e-6 }
    }

    private func rims(
        _ reflection: ReflectionPath, _ number: Int, of slim: SlimSide, carriedAfter: Double
    ) -> SlimSide.Rims {
        let (image, corner) = (reflection.image, reflection.corners[number].place)
        let after = reflection.length - reflection.distance(toCorner: number) + carriedAfter
        let onward = (corner - image.image(number + 1)).direction ?? slim.side.normal
        return slim.rims(from: image.image(number), to: corner + onward * after)
    }

    /// Whether rays along a side pass both its rims, and on into the plane of the side.
    private func isOpen(_ side: ConvexBody.Side, at place: Vector) -> Bool {
        let (tracer, margin) = (imageSources.tracer, EdgeProbe<Tracer>.margin(place))
        let start = place + side.normal * margin
        let offset = (place - side.centre).dot(side.across)
        return [-1.0, 1].allSatisfy { rim in
            let beyond = start + side.across * (rim * (side.halfWidth + margin) - offset)
            return !tracer.isBlocked(from: start, to: beyond)
                && !tracer.isBlocked(from: beyond, to: beyond - side.normal * (2 * margin))
        }
    }
}

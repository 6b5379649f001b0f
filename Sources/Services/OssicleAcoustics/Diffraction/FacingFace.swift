import OssicleCore

/// A long flat side of a body that looks at a body beside it: what it reflects aside passes between the two.
struct FacingFace: Sendable {
    let side: ConvexBody.Side
    /// The bodies it looks at, indices in the scene's, the nearest first.
    let others: [Int]
    /// How much of what it reflects counts.
    let weight: Double

    /// Metres between face and body up to which it counts whole, and from which on not at all.
    private static let apart = (whole: 1.0, none: 2.0)
    private static let mostOthers = 3
    private static let leastWeight = 1e-3

    /// The faces of each body, by its index.
    /// - Parameter tree: over the boxes of the bodies.
    static func all(of bodies: [SceneBody], _ tree: BoxTree) -> [Int: [FacingFace]] {
        var found: [Int: [FacingFace]] = [:]
        guard bodies.count > 1 else { return found }
        for (number, body) in bodies.enumerated() where !body.sides.isEmpty {
            let box = body.bounds.widened(by: apart.none)
            var near: [Int] = []
            _ = tree.view.search({ box.meets($0, $1) }) { leaf in
                let other = Int(tree.order[leaf])
                if other != number { near.append(other) }
                return false
            }
            let faces = body.sides.compactMap { FacingFace($0, near.sorted(), bodies) }
            if !faces.isEmpty { found[number] = faces }
        }
        return found
    }

    private init?(_ side: ConvexBody.Side, _ near: [Int], _ bodies: [SceneBody]) {
        let seen = near.map { (weight: FacingFace.weight(side, bodies[$0]), body: $0) }
            .filter { $0.weight > Self.leastWeight }.sorted { ($1.weight, $0.body) < ($0.weight, $1.body) }
        // A face as wide as it is high has no two rims that matter alone.
        let slimness = Silhouette.fade(side.halfLength / side.halfWidth - 1)
        guard let first = seen.first, first.weight * slimness > Self.leastWeight else { return nil }
        (self.side, others, weight) = (side, seen.prefix(Self.mostOthers).map(\.body), first.weight * slimness)
    }

    /// How much a face looks at a body.
    private static func weight(_ side: ConvexBody.Side, _ body: SceneBody) -> Double {
        func span(_ axis: Vector) -> (from: Double, to: Double) {
            body.vertices.reduce((.infinity, -.infinity)) { span, vertex in
                let place = (vertex - side.centre).dot(axis)
                return (min(span.0, place), max(span.1, place))
            }
        }
        let above = span(side.normal)
        guard above.to > 0 else { return 0 }
        let (beside, level) = (span(side.across), span(side.along))
        let aside = max(beside.from - side.halfWidth, -side.halfWidth - beside.to, 0)
        let distance = (max(above.from, 0) * max(above.from, 0) + aside * aside).squareRoot()
        let shared = min(level.to, side.halfLength) - max(level.from, -side.halfLength)
        return Silhouette.fade((apart.none - distance) / (apart.none - apart.whole))
            * (above.to / (above.to - min(above.from, 0)))
            * Silhouette.fade(2 * shared / min(2 * side.halfLength, max(level.to - level.from, 1e-9)))
    }

    private func place(_ point: Vector) -> ReflectedStrip.Place {
        let offset = point - side.centre
        return ReflectedStrip.Place(above: offset.dot(side.normal), along: offset.dot(side.across))
    }

    /// What of it both ends see past the bodies beside it reflects as these strips.
    /// - Parameter isClosed: whether something other than bodies hides a place from an end, a distance in a direction
    ///   from a point of the face.
    func strips(
        from start: Vector, to end: Vector, _ bodies: [SceneBody],
        isClosed: (_ point: Vector, _ outward: Vector) -> Bool
    ) -> [ReflectedStrip] {
        let (source, receiver) = (place(start), place(end))
        guard source.above > 0, receiver.above > 0 else { return [] }
        let (face, straight) = ((from: -side.halfWidth, to: side.halfWidth), (end - start).magnitude)
        let (foot, rise) = ((start - side.centre).dot(side.along), (end - start).dot(side.along))
        var lit = [face]
        for seer in [source, receiver] {
            for other in others {
                guard let shadow = shadow(of: bodies[other], from: seer) else { continue }
                lit = lit.flatMap { [($0.from, min($0.to, shadow.from)), (max($0.from, shadow.to), $0.to)] }
                    .filter { $0.1 - $0.0 > 1e-6 }.map { (from: $0.0, to: $0.1) }
            }
        }
        var strips = lit.compactMap { rims in
            ReflectedStrip(from: source, to: receiver, rims: rims, face: face, straight: straight) { planar in
                (planar * planar + rise * rise).squareRoot()
            }
        }
        guard !strips.isEmpty else { return [] }
        let met = foot + rise * source.above / (source.above + receiver.above)
        let point = side.centre + side.along * min(max(met, -side.halfLength), side.halfLength)
        guard !isClosed(point, side.normal) else { return [] }
        let ends = [-1.0, 1].map { way in
            isClosed(side.centre + side.along * (way * side.halfLength), side.along * way)
                ? way * 1e6 : way * side.halfLength - foot
        }
        for index in strips.indices { strips[index].cut(from: ends[0], to: ends[1], rise: rise) }
        return strips
    }

    /// From where to where a body hides the plane of the face, as if it were as long as that; nil where nothing.
    private func shadow(of body: SceneBody, from seer: ReflectedStrip.Place) -> (from: Double, to: Double)? {
        var (from, to) = (Double.infinity, -Double.infinity)
        var (low, high): (ReflectedStrip.Place?, ReflectedStrip.Place?)
        for vertex in body.vertices {
            let corner = place(vertex)
            // What is behind the plane hides what is in it.
            let above = max(corner.above, 0)
            guard above < seer.above else {
                high = corner
                continue
            }
            let met = seer.along + (corner.along - seer.along) * seer.above / (seer.above - above)
            (from, to) = (min(from, met), max(to, met))
            low = ReflectedStrip.Place(above: above, along: corner.along)
        }
        guard let low else { return nil }
        // What reaches higher than the seer hides all on one side of it.
        if let high {
            let share = (seer.above - low.above) / (high.above - low.above)
            let beside = low.along + (high.along - low.along) * share
            if beside > seer.along { to = .infinity } else { from = -.infinity }
        }
        return (from, to)
    }
}

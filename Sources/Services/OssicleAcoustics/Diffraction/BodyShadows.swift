import OssicleCore

/// What the convex bodies around a path leave of it together, tones of a band by themselves: 1 − Σ of their shares
/// (`Silhouette`) + Σ of what those beside each other reflect aside with the faces between them (`FacingFace`). Where a
/// body is a column, and not small against the wave, s of `PrismDiffraction` stands for both. What columns near each
/// other, or one behind the other, do to sound together is s₁₂ of `PrismPair`, and s₁s₂ of small ones in a row.
///
/// Of three in a row the last acts on what the first two left,
///
///     s₁₂₃ = s₁₂ s₂₃ / s₂
///
/// and so on.
struct BodyShadows {
    private struct Found {
        let body: SceneBody
        let silhouette: Silhouette
        var prism: PrismDiffraction?
    }

    /// Columns near each other, indices in `found`.
    private struct Pair {
        let near: Int
        let far: Int
        /// How much one is behind the other, and how much what they do together counts.
        let inRow: Double
        let weight: Double
        /// Nil where they are not parallel.
        let prisms: PrismPair?
        /// s₁₂ of all bands.
        var fields: [Tones]?
    }

    private var found: [Found] = []
    private var strips: [(strip: ReflectedStrip, weight: Double, body: Int)] = []
    /// In the order in which sound gets to the far columns.
    private var pairs: [Pair] = []

    /// Bodies looked at, the nearest.
    private static let most = 6

    init() {}

    init<Tracer: RayTracer>(_ solver: DiffractionSolver<Tracer>, from start: Vector, to end: Vector) {
        let (edges, tracer) = (solver.edges, solver.tracer)
        var crossings: [Crossing] = []
        // From the same end both ways, so that exchanging them changes no bit.
        let (first, last) = (end.x, end.y, end.z) < (start.x, start.y, start.z) ? (end, start) : (start, end)
        // Sound that passes a side comes from one end and gets to the other. Other bodies are no obstacle: they take
        // their own share.
        func isClosed(_ middle: Vector, _ outward: Vector) -> Bool {
            let place = middle + outward * EdgeProbe<Tracer>.margin(middle)
            return isHidden(place, from: first) || isHidden(place, from: last)
        }
        func isHidden(_ place: Vector, from end: Vector) -> Bool {
            guard edges.mayHide(place, from: end), tracer.isBlocked(from: end, to: place, leavingOut: edges.isBody)
            else { return false }
            tracer.findCrossings(from: end, to: place, into: &crossings)
            return crossings.contains { !edges.isBody[Int($0.occluder)] }
        }
        for number in edges.bodies(from: first, to: last, within: Silhouette.widest, count: Self.most) {
            let body = edges.bodies[number]
            guard let silhouette = Silhouette(body, from: first, to: last, isClosed: isClosed) else { continue }
            let prism = body.prism.flatMap {
                Self.column($0, silhouette, from: first, to: last, solver.waves)
            }
            found.append(Found(body: body, silhouette: silhouette, prism: prism))
            for face in edges.facing[number] ?? [] {
                let weight = silhouette.weight * face.weight
                for strip in face.strips(from: first, to: last, edges.bodies, isClosed: isClosed) {
                    strips.append((strip, weight, found.count - 1))
                }
            }
        }
        scatter(solver.waves)
    }

    /// Computes what columns scatter, each and together.
    private mutating func scatter(_ waves: WaveNumbers) {
        pairs = findPairs()
        // Of each column, what goes by edges that the other one of a pair hides, in the order of the pairs.
        var parts = [[PrismSum.Part]](repeating: [], count: found.count)
        var places: [(near: Range<Int>, far: Range<Int>)] = []
        for pair in pairs {
            let (near, far) = pair.prisms?.parts ?? ([], [])
            let (begin, middle) = (parts[pair.near].count, parts[pair.far].count)
            parts[pair.near] += near
            parts[pair.far] += far
            places.append((begin..<parts[pair.near].count, middle..<parts[pair.far].count))
        }
        let hidden = found.indices.map { found[$0].prism?.scatter(waves, parts[$0]) ?? [] }
        for (index, place) in places.enumerated() {
            let pair = pairs[index]
            guard let prisms = pair.prisms, let near = found[pair.near].prism, let far = found[pair.far].prism
            else { continue }
            pairs[index].fields = near.together(
                prisms, with: far, hidden: (hidden[pair.near][place.near], hidden[pair.far][place.far]), waves)
        }
        for index in found.indices {
            let most = pairs.reduce(0) { $1.near == index || $1.far == index ? max($0, $1.inRow) : $0 }
            if most > 0 { found[index].prism?.stand(inRow: most) }
        }
    }

    /// Of a pair, far below what is heard: roundings of a gap that is just too wide.
    private static let leastWeight = 1e-6

    private func findPairs() -> [Pair] {
        let columns = found.indices.compactMap { index in found[index].prism.map { (index: index, prism: $0) } }
        guard columns.count > 1 else { return [] }
        let ordered = columns.sorted { ($0.prism.place, $0.index) < ($1.prism.place, $1.index) }
        return ordered.indices.flatMap { place in
            ordered[..<place].compactMap { near in
                let far = ordered[place]
                let inRow = near.prism.overlap(far.prism)
                let weight = inRow < 1 ? inRow + (1 - inRow) * near.prism.nearness(far.prism) : 1
                guard weight > Self.leastWeight else { return nil }
                return Pair(
                    near: near.index, far: far.index, inRow: inRow, weight: weight,
                    prisms: PrismPair(near.prism.plan, far.prism.plan, inRow: inRow))
            }
        }
    }

    /// Nil where anything closes a side of it: then its edges are not what sound goes around.
    private static func column(
        _ prism: Prism, _ silhouette: Silhouette, from start: Vector, to end: Vector, _ waves: WaveNumbers
    ) -> PrismDiffraction? {
        var isClosed = (from: false, to: false)
        for outward in silhouette.closed {
            let along = outward.dot(prism.axis)
            guard along.magnitude > 0.5 else { return nil }
            if along > 0 { isClosed.to = true } else { isClosed.from = true }
        }
        return PrismDiffraction(prism, from: start, to: end, isClosed: isClosed, waves)
    }

    var isEmpty: Bool { found.isEmpty }

    /// How much the edges of a set count by themselves.
    func rest(ofSet set: Int) -> Double {
        found.first { $0.body.set == set }.map { 1 - $0.silhouette.weight } ?? 1
    }

    /// Amplitude factors of the straight path, whether the bodies hide it or not.
    func gains(_ waves: WaveNumbers) -> OctaveBands {
        let bands = 0..<OctaveBands.count
        var sum = [Tones](repeating: .one, count: bands.count)
        var parts: [[Tones]] = []
        for body in found {
            var part = [Tones](repeating: .zero, count: bands.count)
            let whole = body.prism.flatMap { prism in bands.first { prism.share($0) >= 1 } } ?? bands.count
            body.silhouette.forBands(upTo: whole, waves) { band, blocked in
                part[band] = blocked * ((body.prism?.share(band) ?? 0) - 1)
            }
            if let prism = body.prism {
                for band in bands { part[band] += prism.field(band) * (prism.share(band) * body.silhouette.weight) }
            }
            for band in bands { sum[band] += part[band] }
            if !pairs.isEmpty { parts.append(part) }
        }
        if !pairs.isEmpty { addPairs(parts, to: &sum) }
        for (strip, weight, body) in strips {
            let prism = found[body].prism
            let whole = prism.flatMap { prism in bands.first { prism.share($0) >= 1 } } ?? bands.count
            strip.forBands(upTo: whole, waves) { band, field in
                sum[band] += field * (weight * (1 - (prism?.share(band) ?? 0)))
            }
        }
        return OctaveBands(sum.map { Float($0.energy.squareRoot()) })
    }

    /// |s₂|² up to which a column leaves next to nothing for one further on.
    private static let least = 0.03

    /// - Parameter parts: of each body, by band.
    private func addPairs(_ parts: [[Tones]], to sum: inout [Tones]) {
        // What ends at each column, by any columns before it.
        var chains = parts
        for pair in pairs {
            guard let near = found[pair.near].prism, let far = found[pair.far].prism else { continue }
            let weight = pair.weight * found[pair.near].silhouette.weight * found[pair.far].silhouette.weight
            for band in sum.indices {
                let one = parts[pair.near][band]
                var both = one * parts[pair.far][band] * pair.inRow
                if let field = pair.fields?[band] {
                    let share = min(near.share(band), far.share(band))
                    both = both * (1 - share) + field * (share * weight)
                }
                let before = chains[pair.near][band] - one
                let added = both + before * both * one.inverse(least: Self.least) * pair.inRow
                chains[pair.far][band] += added
                sum[band] += added
            }
        }
    }

    /// ka between which what hides a path passes from one wave around it all to paths around its edges; from a detour
    /// of λ/128 on, because where it comes into sight there is one wave.
    private static let passing = (from: 6.0, to: 20.0)
    private static let sighted = 128.0

    /// The bodies that alone hide a path. Nil where anything else hides it.
    private func hiding(_ occluders: Set<Int32>) -> [Found]? {
        let hiding = found.filter { occluders.contains($0.body.occluder) }
        return occluders.isEmpty || hiding.count < occluders.count ? nil : hiding
    }

    /// Where columns alone hide a path: how much the paths around their edges have the energy of the whole field.
    func levelling(_ occluders: Set<Int32>) -> [Double] {
        let hiding = hiding(occluders)
        return (0..<OctaveBands.count).map { band in
            hiding?.reduce(1) { min($0, ($1.prism?.share(band) ?? 0) * $1.silhouette.weight) } ?? 0
        }
    }

    /// Where bodies alone hide a path: how much of its sound is one wave around them, by band. Nil where anything else
    /// hides it.
    /// - Parameter occluders: all that hides it.
    func wholeness(_ occluders: Set<Int32>, _ waves: WaveNumbers) -> OctaveBands? {
        guard let hiding = hiding(occluders) else { return nil }
        let weight = hiding.reduce(1) { $0 * $1.silhouette.weight }
        // Around what is round no edge stands for the sound.
        guard hiding.contains(where: { !$0.body.isRound }) else { return OctaveBands(repeating: Float(weight)) }
        let halfWidth = hiding.reduce(0) { max($0, $1.silhouette.halfWidth) }
        let (from, to) = (DeterministicMath.log(Self.passing.from), DeterministicMath.log(Self.passing.to))
        let detour = hiding.reduce(.infinity) { min($0, $1.silhouette.detour) }
        return waves.bands { wavelength, number in
            let small = Silhouette.fade((to - DeterministicMath.log(number * halfWidth)) / (to - from))
            return weight * (small + (1 - small) * Silhouette.fade(1 - Self.sighted * detour / wavelength))
        }
    }
}

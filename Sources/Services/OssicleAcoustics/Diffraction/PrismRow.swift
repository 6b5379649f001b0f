import OssicleCore

/// What sound does that meets one prism and then another one, re the open field: s₁₂ of this order of the two.
///
///     s₁₂ = q (Σ D₁D₂X e^(−jkδ) − Σ D₁ − Σ D₂ + 1 + M) + (1 − q) E
///
/// with the true distances and angles: by each edge of the first to each edge of the second that sees it, sound that
/// comes and leaves through the open or along a side, coupled as `CoupledEdges` has it. What the second prism hides of
/// an edge of the first is taken away, and what lies in the first one's shadow; 1 is where both hide the path, in the
/// order in which it meets them. M is what sides reflect, `RowReflections`.
///
/// q is how open this order is: the share of the first prism that the second does not hide from the source, times that
/// of the second which the first does not hide from the receiver. Where they are hidden, the sum takes prisms to be in
/// full sound that are in shadow, and what cancels that has met three of them. Of a hidden order the paths by sides are
/// left, E of `PrismEcho`.
struct PrismRow {
    let near: PrismPlan
    let far: PrismPlan
    /// Both from the receiver to the source.
    private let reversed: (near: PrismPlan, far: PrismPlan)
    private let corners: PrismCorners
    /// q.
    private let openness: Double
    /// Whether the path meets one and then the other.
    private let isHidden: Bool
    /// The near one's corners that the far one hides from the receiver, and the far one's that the near one hides from
    /// the source; none where nothing is open.
    let hiddenBefore: CornerSet
    let hiddenAfter: CornerSet

    /// - Parameters: near: the prism that is met first. - hidden: how much of the near one is from the source, and of
    ///   the far one from the receiver, 0…1.
    init(
        _ near: PrismPlan, _ far: PrismPlan, reversed: (near: PrismPlan, far: PrismPlan), _ corners: PrismCorners,
        hidden: (near: Double, far: Double), isHidden: Bool
    ) {
        (self.near, self.far, self.reversed, self.corners, self.isHidden) = (near, far, reversed, corners, isHidden)
        let openness = (1 - hidden.near) * (1 - hidden.far)
        self.openness = openness
        hiddenBefore = CornerSet(corners.near.indices) {
            openness > 0 && far.prism.hides(corners.near[$0], far.receiver.place)
        }
        hiddenAfter = CornerSet(corners.far.indices) {
            openness > 0 && near.prism.hides(near.source.place, corners.far[$0])
        }
    }

    /// Whether anything but E is left of it.
    var isOpen: Bool { openness > 0 }

    /// Adds all but what goes by an edge of each, of the bands from the first on.
    /// - Parameter hidden: what goes by the hidden edges of the near prism, and by those of the far one; not looked
    ///   at where nothing is open.
    func add(
        _ first: Int, _ waves: WaveNumbers, hidden: (ArraySlice<Tones>, ArraySlice<Tones>), to fields: inout [Tones]
    ) {
        if isOpen {
            let whole = Tones(real: SIMD4(repeating: isHidden ? 1 : 0), imaginary: .zero)
            var reflected = RowReflections(first, waves, zip(hidden.0, hidden.1).map { whole - ($0 + $1) })
            reflected.add(near, far, corners.far)
            reflected.add(reversed.far, reversed.near, corners.near)
            reflected.addTwice(near, far, corners.far)
            for band in fields.indices { fields[band] += reflected.fields[band] * openness }
        }
        guard openness < 1 else { return }
        var echo = PrismEcho(first, waves, fields, weight: 1 - openness)
        echo.add(far, corners.near, isTurned: near.prism.axis.dot(far.prism.axis) < 0)
        fields = echo.fields
    }

    /// Adds what goes by an edge of each.
    func add(to edges: inout RowEdges) {
        guard isOpen else { return }
        var (arrivals, departures): ([EdgeArrival], [EdgeArrival]) = ([], [])
        // Through the open and along both sides.
        arrivals.reserveCapacity(3)
        departures.reserveCapacity(3)
        for sight in corners.sights {
            near.findArrivals(
                from: near.source, at: sight.near, isHidden: hiddenAfter.contains(sight.far.corner), into: &arrivals)
            far.findArrivals(
                from: far.receiver, at: sight.far, isHidden: hiddenBefore.contains(sight.near.corner),
                into: &departures)
            edges.add(arrivals, departures, between: sight.between, weight: openness)
        }
    }
}

/// M of `PrismRow`: what a side of one prism reflects to edges of the other, less what of it the other hides, and what
/// a side of each reflects. Counted is what the reflection paths of the scene leave of it, which have f, `fade` of four
/// times the depth re the wavelength, of each side (`SlimReflectors`).
private struct RowReflections {
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers

    init(_ first: Int, _ waves: WaveNumbers, _ fields: [Tones]) {
        (self.first, self.waves, self.fields) = (first, waves, fields)
    }

    private func share(_ depth: Double, _ band: Int) -> Double {
        Silhouette.fade(4 * depth / waves.wavelengths[first + band])
    }

    /// Adds what sides reflect to the other prism's edges, from the end that they face.
    /// - Parameter corners: of the other prism, as seen by the first.
    mutating func add(_ plan: PrismPlan, _ other: PrismPlan, _ corners: [Prism.Planar]) {
        let prism = plan.prism
        for side in prism.corners.indices {
            guard let reflection = PrismReflection(prism, side, from: plan.source.place, rise: plan.rise)
            else { continue }
            if let met = reflection.meets(plan.receiver.place),
                other.prism.hides(other.prism.planar(prism.point(met)), other.receiver.place)
            {
                var sum = PrismSum(first, waves, isHidden: false, width: 2 * prism.halfWidth)
                reflection.add(plan, to: &sum)
                for band in fields.indices { fields[band] += sum.fields[band] * -1 }
            }
            let lit = CornerSet(corners.indices) { reflection.meets(corners[$0]) != nil }
            guard !lit.isEmpty else { continue }
            let path = PrismPlan(other, fromImage: prism.image(of: plan.start, in: side))
            var sum = PrismSum(first, waves, isHidden: false, width: 2 * other.prism.halfWidth)
            // The path of the scene by this side alone goes around the other prism by itself.
            let alone = reflection.depth(to: plan.receiver.place)
            for corner in corners.indices where lit.contains(corner) {
                sum.clear()
                path.addChains(to: &sum, beginning: CornerSet(corner))
                let depth = reflection.path(to: corners[corner]).depth
                for band in fields.indices {
                    let lost = share(alone, band) * share(depth, band)
                    guard lost < 1 else { break }
                    fields[band] += sum.fields[band] * (1 - lost)
                }
            }
        }
    }

    /// Adds what a side of the first prism and then one of the other reflect. Of that the scene has
    ///
    ///     f₁f₂ + a₁f₁(1 − f₂) + a₂f₂(1 − f₁)
    ///
    /// by both sides, and by either alone, a, with what the other prism scatters of it.
    /// - Parameter corners: of the other prism, as seen by the first.
    mutating func addTwice(_ plan: PrismPlan, _ other: PrismPlan, _ corners: [Prism.Planar]) {
        for side in plan.prism.corners.indices {
            guard let one = PrismReflection(plan.prism, side, from: plan.source.place, rise: plan.rise),
                corners.contains(where: one.isBefore)
            else { continue }
            let image = other.prism.planar(plan.prism.image(of: plan.start, in: side))
            let alone = one.depth(to: plan.receiver.place)
            for side in other.prism.corners.indices {
                guard let two = PrismReflection(other.prism, side, from: image, rise: plan.rise),
                    let after = two.meets(other.receiver.place),
                    one.isBefore(plan.prism.planar(other.prism.point(after)))
                else { continue }
                let end = plan.prism.planar(other.prism.image(of: plan.end, in: side))
                guard let before = one.meets(end), two.isBefore(other.prism.planar(plan.prism.point(before)))
                else { continue }
                let second = PrismReflection(other.prism, side, from: other.source.place, rise: plan.rise)
                addPath(
                    length: two.path(to: other.receiver.place).length, straight: plan.straight,
                    one: (one.depth(to: end), alone),
                    two: (two.depth(to: other.receiver.place), second?.depth(to: other.receiver.place) ?? 0))
            }
        }
    }

    /// - Parameters: length, straight: metres of the path and of the straight one. - one, two: depths of either
    ///   reflection, of the path and by itself.
    private mutating func addPath(
        length: Double, straight: Double, one: (both: Double, alone: Double), two: (both: Double, alone: Double)
    ) {
        var turn = ToneTurn(waves.numbers[first] * max(length - straight, 0))
        for band in fields.indices {
            let (f1, f2) = (share(one.both, band), share(two.both, band))
            let left = 1 - f1 * f2 - share(one.alone, band) * f1 * (1 - f2) - share(two.alone, band) * f2 * (1 - f1)
            fields[band] += turn.turned(SIMD4(repeating: left * straight / length), .zero)
            turn.rise()
        }
    }
}

import OssicleCore

/// M of `PrismRow`: what a side of one prism reflects to edges of the other, less what of it the other hides, and what
/// a side of each reflects. Counted is what the reflection paths of the scene leave of it, which have f, `fade` of four
/// times the depth re the wavelength, of each side (`SlimReflectors`).
struct RowReflections {
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers

    init(_ first: Int, _ waves: WaveNumbers, _ fields: [Tones]) {
        (self.first, self.waves, self.fields) = (first, waves, fields)
    }

    private func share(_ depth: Double, _ band: Int) -> Double {
        Silhouette.fade(4 * depth / waves.wavelengths[first + band])
    }

    /// Adds what sides reflect to the other prism's edges, from the end that the sides look at.
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

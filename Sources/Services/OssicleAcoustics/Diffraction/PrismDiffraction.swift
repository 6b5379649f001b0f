import OssicleCore

/// What a rigid prism as a column scatters, re the open field: the theory of diffraction in full, in place of the
/// integral over its silhouette.
///
///     s = (Σ D₁ + ½ Σ D₁D₂ + ¼ Σ D₁D₂D₃) e^(−jkδ) + M e^(−jkδ) − G
///
/// with δ the detour, D of `UTD` at each edge, the distances to it those along the whole path, and over all paths that
/// run from edge to edge along sides, where sound and reflection are one and count half. M is what a side reflects, and
/// G 1 where the prism hides one end from the other, else 0. Against boundary elements in two dimensions s is within
/// 0.06 rms from k × width = 1.5 on, also far aside, where the silhouette's share is 0.15 to 0.2 off. For columns
/// beside each other s of each by itself is enough where there is twice their width between them; nearer ones also
/// change each other's sound, which is `PrismPair`.
///
/// Where a side is wide enough to be a reflection path of the scene, M is left out: it fades out as rims leave the
/// Fresnel zone. Ends of the prism leave of s what they do of a strip's shadow,
///
///     V = 1 − F(ν₁) − F(ν₂)
///
/// with the F and ν of `Silhouette` at the middle of the prism. Nothing jumps, and all is the same from either end.
struct PrismDiffraction {
    /// How much of it counts, 0…1.
    let weight: Double
    let plan: PrismPlan
    /// The first band of which it stands for anything.
    let first: Int
    /// How much of each band it stands for.
    private var shares: [Double]
    /// s and V, of the bands from `first` on; nil where V is 1.
    private var fields: [Tones] = []
    private var left: [Tones]?
    private let isClosed: (from: Bool, to: Bool)
    /// Logarithm of k × half the narrowest side in the lowest band.
    private let lowest: Double

    /// k × half the narrowest side from which on it begins to stand for the silhouette, and stands for all of it:
    /// alone, and in a row, where a product of silhouettes is further off.
    private static let passing = (from: 0.5, to: 3.0, inRow: 1.5)
    /// Metres from a side, as seen along the axis, and sine of the path's angle to the axis.
    private static let near = (none: 0.05, whole: 0.25)
    private static let steep = (none: 0.1, whole: 0.3)
    /// Metres between two prisms from which on sound between them counts whole.
    private static let slit = 0.01

    /// - Parameter isClosed: whether something closes either end.
    /// - Returns: nil where it does not count.
    init?(_ prism: Prism, from start: Vector, to end: Vector, isClosed: (from: Bool, to: Bool), _ waves: WaveNumbers) {
        guard prism.weight > 0 else { return nil }
        let plan = PrismPlan(prism, from: start, to: end)
        let across = plan.across
        let gap = min(plan.source.clearance, plan.receiver.clearance)
        let weight =
            prism.weight * Silhouette.fade((gap - Self.near.none) / (Self.near.whole - Self.near.none))
            * Silhouette.fade((across / plan.straight - Self.steep.none) / (Self.steep.whole - Self.steep.none))
        guard weight > 0 else { return nil }
        (self.weight, self.plan) = (weight, plan)
        self.isClosed = isClosed
        lowest = DeterministicMath.log(waves.numbers[0] * prism.halfWidth)
        let shares = Self.shares(lowest, row: 0)
        guard let first = shares.firstIndex(where: { $0 > 0 }) else { return nil }
        (self.first, self.shares) = (first, shares.map { $0 * weight })
    }

    /// Computes s.
    /// - Parameter parts: some of its paths by edges, to be given beside it.
    /// - Returns: those parts, of the bands from `first` on, without V.
    @discardableResult mutating func scatter(_ waves: WaveNumbers, _ parts: [PrismSum.Part] = []) -> [[Tones]] {
        let prism = plan.prism
        var sum = PrismSum(first, waves, isHidden: plan.isHidden, width: 2 * prism.halfWidth, parts: parts)
        plan.addChains(to: &sum)
        plan.addReflections(to: &sum)
        let (before, after) = (plan.source.distance, plan.receiver.distance)
        let length = plan.length(before + after)
        let scale = (2 / (before * after * length)).squareRoot() * (before + after) * ((before + after) / length)
        let height = plan.foot + plan.rise * before / (before + after)
        left = sum.left(
            from: isClosed.from ? nil : (-prism.halfLength - height) * scale,
            to: isClosed.to ? nil : (prism.halfLength - height) * scale)
        fields = left.map { zip(sum.fields, $0).map { $0 * $1 } } ?? sum.fields
        return sum.parts.map(\.fields)
    }

    private static func shares(_ lowest: Double, row: Double) -> [Double] {
        let to = logs.to + (logs.inRow - logs.to) * row
        return (0..<OctaveBands.count).map { band in
            Silhouette.fade((lowest + Double(band) * logs.octave - logs.from) / (to - logs.from))
        }
    }

    private static let logs = (
        from: DeterministicMath.log(passing.from), to: DeterministicMath.log(passing.to),
        inRow: DeterministicMath.log(passing.inRow), octave: DeterministicMath.log(2)
    )

    /// How much of a band it stands for.
    func share(_ band: Int) -> Double { shares[band] }

    /// s at four tones of a band; 0 where it stands for nothing of it.
    func field(_ band: Int) -> Tones { band < first ? .zero : fields[band - first] }

    /// Takes more of the low bands.
    /// - Parameter row: how much it is in a row, 0…1.
    mutating func stand(inRow row: Double) {
        shares = Self.shares(lowest, row: row).map { $0 * weight }
    }

    /// Metres along the path.
    var place: Double { (plan.prism.origin - plan.start).dot(plan.end - plan.start) / plan.straight }

    /// How much two prisms are one behind the other along the path, 0…1: whole where neither begins along it before
    /// the other ends, and none of them is seen beside the other; nothing where half of the shorter is beside the
    /// other, or half the narrower one's width is seen between them.
    func overlap(_ other: PrismDiffraction) -> Double {
        func shared(_ a: (from: Double, to: Double), _ b: (from: Double, to: Double)) -> Double {
            (min(a.to, b.to) - max(a.from, b.from)) / max(min(a.to - a.from, b.to - b.from), 1e-9)
        }
        let isTurned = plan.prism.axis.dot(other.plan.prism.axis) < 0
        let span = isTurned ? (-other.plan.span.to, -other.plan.span.from) : other.plan.span
        return weight * other.weight * Silhouette.fade(1 - 2 * shared(plan.stretch, other.plan.stretch))
            * Silhouette.fade(1 + 2 * shared(plan.span, span))
    }

    /// How much two parallel prisms are near each other, 0…1: whole with up to 1.5 times the mean of their widths
    /// between them, nothing from twice the mean on, nor where they meet.
    func nearness(_ other: PrismDiffraction) -> Double {
        let (one, two) = (plan.prism, other.plan.prism)
        let gap = one.gap(two)
        return weight * other.weight * Silhouette.fade(gap / Self.slit)
            * Silhouette.fade(4 - 2 * gap / (one.halfWidth + two.halfWidth))
    }

    /// What it and another one do to sound together, s₁₂ of all bands.
    /// - Parameter hidden: what `scatter` gives of the parts of either.
    func together(
        _ pair: PrismPair, with far: PrismDiffraction,
        hidden: (near: ArraySlice<[Tones]>, far: ArraySlice<[Tones]>), _ waves: WaveNumbers
    ) -> [Tones] {
        let begin = max(first, far.first)
        let fields = pair.fields(
            begin, waves,
            hidden: (hidden.near.map { $0[(begin - first)...] }, hidden.far.map { $0[(begin - far.first)...] }))
        return (0..<OctaveBands.count).map { band in
            guard band >= begin else { return .zero }
            var field = fields[band - begin]
            if let left { field = field * left[band - first] }
            if let left = far.left { field = field * left[band - far.first] }
            return field
        }
    }
}

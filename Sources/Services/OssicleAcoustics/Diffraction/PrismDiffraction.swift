import OssicleCore

/// What a rigid prism as a column scatters, re the open field: the theory of diffraction in full, in place of the
/// integral over its silhouette.
///
///     s = (Σ D₁ + ½ Σ D₁D₂ + ¼ Σ D₁D₂D₃) e^(−jkδ) + M e^(−jkδ) − G
///
/// with δ the detour, D of `UTD` at each edge, the distances to it those along the whole path, and over all paths that
/// run from edge to edge along sides, where sound and reflection are one and count half. M is what a side mirrors, and G
/// 1 where the prism hides one end from the other, else 0. Against boundary elements in two dimensions s is within 0.06 rms
/// from k × width = 1.5 on, also far aside, where the silhouette's share is 0.15 to 0.2 off: there columns in a row
/// change the sound between them, and within 1 dB s of each by itself is enough, without what goes to and fro.
///
/// Where a side is wide enough to be a reflection path of the scene, M is left out: it fades out as rims leave the Fresnel
/// zone. Ends of the prism leave of s what they do of a strip's shadow,
///
///     V = 1 − F(ν₁) − F(ν₂)
///
/// with the F and ν of `Silhouette` at the middle of the prism. Nothing jumps, and all is the same from either end.
struct PrismDiffraction {
    /// How much of it counts, 0…1.
    let weight: Double
    /// From where to where the prism is across the path, in √(wavelength).
    private let span: (from: Double, to: Double)
    /// How much of each band it stands for.
    private let shares: [Double]
    /// s, of the bands from `first` on.
    private let fields: [Tones]
    private let first: Int

    /// k × half the narrowest side from which on it begins to stand for the silhouette, and stands for all of it.
    private static let passing = (from: 0.5, to: 3.0)
    /// Metres from a side, as seen along the axis, and sine of the path's angle to the axis.
    private static let near = (none: 0.05, whole: 0.25)
    private static let steep = (none: 0.1, whole: 0.3)

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
        (self.weight, span) = (weight, plan.span)
        let halfWidth = prism.halfWidth
        let (passing, ka) = (Self.logs, DeterministicMath.log(waves.numbers[0] * halfWidth))
        let shares = (0..<OctaveBands.count).map { band in
            Silhouette.fade((ka + Double(band) * passing.octave - passing.from) / (passing.to - passing.from))
        }
        guard let first = shares.firstIndex(where: { $0 > 0 }) else { return nil }
        (self.first, self.shares) = (first, shares.map { $0 * weight })
        var sum = PrismSum(first, waves, isHidden: plan.isHidden, width: 2 * halfWidth)
        plan.addChains(to: &sum)
        plan.addMirrors(to: &sum)
        let (before, after) = (plan.source.distance, plan.receiver.distance)
        let length = plan.length(before + after)
        let scale = (2 / (before * after * length)).squareRoot() * (before + after) * ((before + after) / length)
        let height = plan.foot + plan.rise * before / (before + after)
        sum.end(
            from: isClosed.from ? nil : (-prism.halfLength - height) * scale,
            to: isClosed.to ? nil : (prism.halfLength - height) * scale)
        fields = sum.fields
    }

    private static let logs = (
        from: DeterministicMath.log(passing.from), to: DeterministicMath.log(passing.to),
        octave: DeterministicMath.log(2)
    )

    /// How much of a band it stands for.
    func share(_ band: Int) -> Double { shares[band] }

    /// s at four tones of a band; 0 where it stands for nothing of it.
    func field(_ band: Int) -> Tones { band < first ? .zero : fields[band - first] }

    /// How much two prisms hide each other as seen along the path: 0 side by side, 1 one behind the other.
    func overlap(_ other: PrismDiffraction) -> Double {
        let shared = min(span.to, other.span.to) - max(span.from, other.span.from)
        let narrower = min(span.to - span.from, other.span.to - other.span.from)
        return weight * other.weight * Silhouette.fade(shared / max(narrower, 1e-9))
    }
}

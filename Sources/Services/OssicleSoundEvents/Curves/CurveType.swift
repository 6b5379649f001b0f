import OssicleCore

/// The shape of a transition: an easing that carries 0 to 0 and 1 to 1 and never falls in between.
///
/// PHASE names eleven curves but joins two fixed points with each, so that "1/x²" cannot be meant literally. Each
/// inverse is therefore the curve that starts as steeply as its partner ends.
///
///     linear          t                          sine            sin(t·π/2)
///     squared         t²                         inverseSine     asin(t)·2/π
///     inverseSquared  1 − (1−t)²                 sigmoid         t²·(3 − 2t)
///     cubed           t³                         inverseSigmoid  ½ − sin(asin(1 − 2t)/3)
///     inverseCubed    1 − (1−t)³                 holdStartValue  0 until the end;  jumpToEndValue  1 after the start
///
/// `inverseSigmoid` is the exact inverse function of `sigmoid` (the closed form is the trigonometric root of the cubic).
package enum CurveType: UInt8, CaseIterable, Hashable, Sendable {
    case linear, squared, inverseSquared, cubed, inverseCubed, sine, inverseSine, sigmoid, inverseSigmoid
    case holdStartValue, jumpToEndValue

    /// Share of the way covered at `t`, both in [0, 1]. `t` is clamped; NaN counts as 0.
    package func callAsFunction(_ t: Double) -> Double {
        guard t > 0 else { return 0 }
        guard t < 1 else { return 1 }
        let rest = 1 - t
        switch self {
        case .linear: return t
        case .squared: return t * t
        case .inverseSquared: return 1 - rest * rest
        case .cubed: return t * t * t
        case .inverseCubed: return 1 - rest * rest * rest
        case .sine: return DeterministicMath.sin(t * DeterministicMath.pi / 2)
        case .inverseSine: return DeterministicMath.asin(t) * 2 / DeterministicMath.pi
        case .sigmoid: return t * t * (3 - 2 * t)
        case .inverseSigmoid: return 0.5 - DeterministicMath.sin(DeterministicMath.asin(1 - 2 * t) / 3)
        case .holdStartValue: return 0
        case .jumpToEndValue: return 1
        }
    }
}

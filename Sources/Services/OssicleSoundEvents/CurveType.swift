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
/// `inverseSigmoid` is the exact inverse function of `sigmoid` (the closed form is the trigonometric root of the
/// cubic).
package enum CurveType: UInt8, Codable, CaseIterable, Hashable, Sendable {
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

/// A factor on its way to a target along a curve: a pure function of the time asked for.
package struct CurvedFade: Hashable, Sendable {
    private let from: Double
    private let to: Double
    /// Seconds of engine time.
    private let start: Double
    private let duration: Double
    private let curve: CurveType

    package init(settledAt value: Double) { self.init(from: value, to: value, start: 0, duration: 0, curve: .linear) }

    private init(from: Double, to: Double, start: Double, duration: Double, curve: CurveType) {
        (self.from, self.to, self.start, self.duration, self.curve) = (from, to, start, duration, curve)
    }

    package func value(at time: Double) -> Double {
        time < start + duration ? from + (to - from) * curve((time - start) / duration) : to
    }

    /// From wherever this fade is at `time` to `target`. A duration of 0 arrives at once.
    package func heading(for target: Double, at time: Double, duration: Double, _ curve: CurveType) -> CurvedFade {
        CurvedFade(from: value(at: time), to: target, start: time, duration: duration, curve: curve)
    }

    /// The same fade at its end.
    package var arrived: CurvedFade { CurvedFade(settledAt: to) }
}

/// A number on its way to a target: linear in time, exact at both ends, and a pure function of the time asked for.
package struct NumberFade: Hashable, Sendable {
    package let from: Double
    package let to: Double
    /// Seconds of engine time.
    package let start: Double
    /// Seconds; 0 arrives at once.
    package let duration: Double

    /// A duration that is negative or NaN counts as 0.
    package init(from: Double, to: Double, start: Double, duration: Double) {
        (self.from, self.to, self.start) = (from, to, start)
        self.duration = duration > 0 ? duration : 0
    }

    /// The value at `time` (seconds of engine time).
    package func value(at time: Double) -> Double {
        guard time < start + duration else { return to }
        let share = CurveType.linear((time - start) / duration)
        // A weighted sum, because the difference of two unlimited numbers may overflow.
        return from == to ? to : from * (1 - share) + to * share
    }

    package func isOver(at time: Double) -> Bool { !(time < start + duration) }
}

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

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

/// A function of one variable in segments, each joining the point before it to its own end point along a curve.
///
/// Left of the start and right of the last end the outermost values hold. Where two ends share an x the function steps
/// there, and the value at that x is already the new one.
package struct Envelope: Hashable, Sendable {
    package struct Segment: Hashable, Sendable {
        package let end: SIMD2<Double>
        package let curve: CurveType

        package init(end: SIMD2<Double>, curve: CurveType) {
            (self.end, self.curve) = (end, curve)
        }
    }

    package let start: SIMD2<Double>
    /// In order of their end x; never empty.
    package let segments: [Segment]

    /// - Parameter segments: in any order; they are sorted by end x. None at all means one segment of no length.
    /// - Returns: nil if the start lies right of the leftmost end, or if a coordinate is not finite.
    package init?(start: SIMD2<Double>, segments: [Segment]) {
        guard start.isFinite, segments.allSatisfy(\.end.isFinite) else { return nil }
        let sorted = segments.sorted { $0.end.x < $1.end.x }
        if let leftmost = sorted.first, start.x > leftmost.end.x { return nil }
        self.start = start
        self.segments = sorted.isEmpty ? [Segment(end: start, curve: .linear)] : sorted
    }

    /// The value at `x`; the start value for NaN.
    package func evaluate(_ x: Double) -> Double {
        guard x >= start.x else { return start.y }
        var from = start
        for segment in segments {
            if x < segment.end.x { return Envelope.value(at: x, from: from, along: segment) }
            from = segment.end
        }
        return from.y
    }

    /// Least and greatest x.
    package var domain: ClosedRange<Double> { start.x...(segments.last?.end.x ?? start.x) }

    /// Least and greatest value. Curves never leave the span of their end points, so the points tell.
    package var range: ClosedRange<Double> {
        segments.reduce(start.y...start.y) { min($0.lowerBound, $1.end.y)...max($0.upperBound, $1.end.y) }
    }

    private static func value(at x: Double, from: SIMD2<Double>, along segment: Segment) -> Double {
        let share = segment.curve((x - from.x) / (segment.end.x - from.x))
        guard share > 0 else { return from.y }
        // The limits catch both the rounding of the sum and the overflow of a difference of two huge values.
        let value = from.y + (segment.end.y - from.y) * share
        return min(max(value, min(from.y, segment.end.y)), max(from.y, segment.end.y))
    }
}

extension SIMD2<Double> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}

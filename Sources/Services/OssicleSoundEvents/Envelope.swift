/// A function of one variable in segments, each joining the point before it to its own end point along a curve.
///
/// Left of the start and right of the last end the outermost values hold. Where two ends share an x the function steps
/// there, and the value at that x is already the new one.
package struct Envelope: Hashable, Sendable {
    package struct Segment: Codable, Hashable, Sendable {
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

/// How loud one child of a blend node is for an input value.
///
///     below               between                 above
///     ──╮ full            full ╭───╮ full            full ╭──
///        ╲ value         low  ╱     ╲  high       value  ╱
///         ╰────         ─────╯       ╰─────       ──────╯
///
/// Thresholds out of order are brought into order by giving up the fade, never the audible range: a range below 1 that
/// is full only at 3 is full right up to 1.
package enum BlendRange: Codable, Hashable, Sendable {
    case below(value: Double, full: Double, curve: CurveType)
    case between(
        low: Double, fullLow: Double, lowCurve: CurveType, high: Double, fullHigh: Double, highCurve: CurveType)
    case above(value: Double, full: Double, curve: CurveType)
    /// x is the input, y the linear gain.
    case envelope(Envelope)

    /// Linear gain at `input`, 0…1 (an envelope may go higher). NaN is heard nowhere.
    package func gain(at input: Double) -> Double {
        guard !input.isNaN else { return 0 }
        switch self {
        case .below(let value, let full, let curve):
            return BlendRange.falling(input, zeroAt: value, fullAt: full, curve)
        case .between(let low, let fullLow, let lowCurve, let high, let fullHigh, let highCurve):
            return BlendRange.rising(input, zeroAt: low, fullAt: fullLow, lowCurve)
                * BlendRange.falling(input, zeroAt: high, fullAt: fullHigh, highCurve)
        case .above(let value, let full, let curve):
            return BlendRange.rising(input, zeroAt: value, fullAt: full, curve)
        case .envelope(let envelope):
            return max(envelope.evaluate(input), 0)
        }
    }

    /// True if no threshold is NaN.
    package var isWellDefined: Bool {
        switch self {
        case .below(let value, let full, _), .above(let value, let full, _): !value.isNaN && !full.isNaN
        case .between(let low, let fullLow, _, let high, let fullHigh, _):
            ![low, fullLow, high, fullHigh].contains(where: \.isNaN)
        case .envelope: true
        }
    }

    private static func rising(_ x: Double, zeroAt zero: Double, fullAt full: Double, _ curve: CurveType) -> Double {
        guard x > zero else { return 0 }
        return x >= full ? 1 : curve((x - zero) / (full - zero))
    }

    private static func falling(_ x: Double, zeroAt zero: Double, fullAt full: Double, _ curve: CurveType) -> Double {
        guard x < zero else { return 0 }
        return x <= full ? 1 : curve((zero - x) / (zero - full))
    }
}

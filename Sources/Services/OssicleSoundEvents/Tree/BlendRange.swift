/// How loud one child of a blend node is for an input value.
///
///     below               between                 above
///     ──╮ full            full ╭───╮ full            full ╭──
///        ╲ value         low  ╱     ╲  high       value  ╱
///         ╰────         ─────╯       ╰─────       ──────╯
///
/// Thresholds out of order are brought into order by giving up the fade, never the audible range: a range below 1 that
/// is full only at 3 is full right up to 1.
package enum BlendRange: Hashable, Sendable {
    case below(value: Double, full: Double, curve: CurveType)
    case between(low: Double, fullLow: Double, lowCurve: CurveType, high: Double, fullHigh: Double, highCurve: CurveType)
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

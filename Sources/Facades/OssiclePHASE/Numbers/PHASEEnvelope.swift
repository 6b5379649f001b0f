import Foundation
import OssicleSIMD
import OssicleSoundEvents

/// A function of one variable, made of curve segments. Immutable: its segments are copied when it is made.
open class PHASEEnvelope: NSObject {
    package let envelope: Envelope

    /// - Parameter segments: in any order, they are sorted by the x of their end points. None at all makes one segment of no length.
    /// - Returns: nil if the start lies right of the leftmost end, or if a coordinate is not finite.
    public init?(startPoint: simd_double2, segments: [PHASEEnvelopeSegment]) {
        let segments = segments.map { Envelope.Segment(end: $0.endPoint, curve: $0.curveType.curve) }
        guard let envelope = Envelope(start: startPoint, segments: segments) else { return nil }
        self.envelope = envelope
        super.init()
    }

    /// The value at `x`; left of the domain the start's, right of it the last end's. Any thread.
    @discardableResult
    open func evaluate(x: Double) -> Double { envelope.evaluate(x) }

    open var startPoint: simd_double2 { envelope.start }

    /// The segments in order of their ends, as fresh copies.
    open var segments: [PHASEEnvelopeSegment] {
        envelope.segments.map { PHASEEnvelopeSegment(endPoint: $0.end, curveType: PHASECurveType($0.curve)) }
    }

    /// Least and greatest x.
    open var domain: PHASENumericPair { pair(envelope.domain) }

    /// Least and greatest value.
    open var range: PHASENumericPair { pair(envelope.range) }

    private func pair(_ range: ClosedRange<Double>) -> PHASENumericPair {
        PHASENumericPair(firstValue: range.lowerBound, secondValue: range.upperBound)
    }
}

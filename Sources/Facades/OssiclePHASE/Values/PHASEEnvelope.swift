import Foundation
import OssicleSIMD
import OssicleSoundEvents

/// The shape of a transition from one value to the next. The raw values are Apple's four-character codes.
///
/// Each maps t, the progress in x, to the progress in y; both 0…1.
public enum PHASECurveType: Int, Sendable {
    /// t
    case linear = 0x63724c6e
    /// t²
    case squared = 0x63725371
    /// 1 − (1 − t)²
    case inverseSquared = 0x63724951
    /// t³
    case cubed = 0x63724375
    /// 1 − (1 − t)³
    case inverseCubed = 0x63724943
    /// sin(t·π/2)
    case sine = 0x6372536e
    /// asin(t)·2/π
    case inverseSine = 0x63724953
    /// t²·(3 − 2t): slow, fast, slow
    case sigmoid = 0x63725367
    /// The inverse function of `sigmoid`: fast, slow, fast
    case inverseSigmoid = 0x63724947
    /// Stays at the start value and steps at the end.
    case holdStartValue = 0x63724853
    /// Steps at once and stays at the end value.
    case jumpToEndValue = 0x63724a45
}

extension PHASECurveType {
    var curve: CurveType {
        switch self {
        case .linear: .linear
        case .squared: .squared
        case .inverseSquared: .inverseSquared
        case .cubed: .cubed
        case .inverseCubed: .inverseCubed
        case .sine: .sine
        case .inverseSine: .inverseSine
        case .sigmoid: .sigmoid
        case .inverseSigmoid: .inverseSigmoid
        case .holdStartValue: .holdStartValue
        case .jumpToEndValue: .jumpToEndValue
        }
    }

    init(_ curve: CurveType) {
        self =
            switch curve {
            case .linear: .linear
            case .squared: .squared
            case .inverseSquared: .inverseSquared
            case .cubed: .cubed
            case .inverseCubed: .inverseCubed
            case .sine: .sine
            case .inverseSine: .inverseSine
            case .sigmoid: .sigmoid
            case .inverseSigmoid: .inverseSigmoid
            case .holdStartValue: .holdStartValue
            case .jumpToEndValue: .jumpToEndValue
            }
    }
}

/// A function of one variable, made of curve segments. Immutable: its segments are copied when it is made.
open class PHASEEnvelope: NSObject {
    let envelope: Envelope

    /// An envelope of segments, each from the end of the one before.
    ///
    /// - Parameters:
    ///   - startPoint: where the first segment begins.
    ///   - segments: in any order, they are sorted by the x of their end points. None at all makes one segment of no
    ///     length.
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

    /// Where the first segment begins.
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

/// One stretch of an envelope: from the point before it to its end point, along a curve.
open class PHASEEnvelopeSegment: NSObject {
    /// Default (0, 0).
    open var endPoint: simd_double2
    /// Default `.linear`.
    open var curveType: PHASECurveType

    /// Linear, ending at (0, 0).
    public override convenience init() { self.init(endPoint: .zero, curveType: .linear) }

    /// A segment from the point before it.
    public init(endPoint: simd_double2, curveType: PHASECurveType) {
        (self.endPoint, self.curveType) = (endPoint, curveType)
        super.init()
    }
}

/// Two numbers.
open class PHASENumericPair: NSObject {
    /// Default 0.
    open var first: Double
    /// Default 0.
    open var second: Double

    /// (0, 0).
    public override convenience init() { self.init(firstValue: 0, secondValue: 0) }

    /// A pair of these numbers.
    public init(firstValue first: Double, secondValue second: Double) {
        (self.first, self.second) = (first, second)
        super.init()
    }
}

/// A number that a setter can only move within limits. NaN moves it nowhere.
@propertyWrapper
struct Clamped {
    private let limits: ClosedRange<Double>
    private var value: Double

    init(wrappedValue: Double, _ limits: ClosedRange<Double>) {
        self.limits = limits
        value = min(max(wrappedValue, limits.lowerBound), limits.upperBound)
    }

    var wrappedValue: Double {
        get { value }
        set { value = newValue.isNaN ? value : min(max(newValue, limits.lowerBound), limits.upperBound) }
    }
}

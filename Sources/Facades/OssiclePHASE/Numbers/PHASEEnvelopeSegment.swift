import Foundation
import OssicleSIMD

/// One stretch of an envelope: from the point before it to its end point, along a curve.
open class PHASEEnvelopeSegment: NSObject {
    /// Default (0, 0).
    open var endPoint: simd_double2
    /// Default `.linear`.
    open var curveType: PHASECurveType

    /// Linear, ending at (0, 0).
    public override convenience init() { self.init(endPoint: .zero, curveType: .linear) }

    public init(endPoint: simd_double2, curveType: PHASECurveType) {
        (self.endPoint, self.curveType) = (endPoint, curveType)
        super.init()
    }
}

import Foundation

/// Two numbers.
open class PHASENumericPair: NSObject {
    /// Default 0.
    open var first: Double
    /// Default 0.
    open var second: Double

    /// (0, 0).
    public override convenience init() { self.init(firstValue: 0, secondValue: 0) }

    public init(firstValue first: Double, secondValue second: Double) {
        (self.first, self.second) = (first, second)
        super.init()
    }
}

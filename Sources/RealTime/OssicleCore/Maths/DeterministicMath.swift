/// Elementary functions whose bits depend on nothing but their argument.
///
/// The C library picks its variants by processor (with or without fused multiply-add), so two machines may disagree in the
/// last bit, and a last bit that reaches a filter coefficient reaches the file's hash. Here every function is a range
/// reduction and a power series in plain IEEE additions and multiplications, in one fixed order.
///
/// Accuracy: within 4 units in the last place of `Double` for the arguments audio meets (|x| < 10⁶ for the
/// trigonometric functions). Not for arguments beyond that: the reduction modulo π/2 runs out of digits.
package enum DeterministicMath {
    package static let pi = 3.141592653589793
    package static let ln2 = 0.6931471805599453
    package static let ln10 = 2.302585092994046

    /// The sum c₀ + x·(c₁ + x·(c₂ + …)) of a series given from its highest term down.
    @inline(__always)
    static func horner(_ x: Double, _ terms: (Int) -> Double, from last: Int) -> Double {
        var sum = terms(last)
        var n = last - 1
        while n >= 0 {
            sum = sum * x + terms(n)
            n -= 1
        }
        return sum
    }
}

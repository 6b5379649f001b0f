/// A number that a setter can only move within limits. NaN moves it nowhere.
@propertyWrapper
package struct Clamped {
    private let limits: ClosedRange<Double>
    private var value: Double

    package init(wrappedValue: Double, _ limits: ClosedRange<Double>) {
        self.limits = limits
        value = min(max(wrappedValue, limits.lowerBound), limits.upperBound)
    }

    package var wrappedValue: Double {
        get { value }
        set { value = newValue.isNaN ? value : min(max(newValue, limits.lowerBound), limits.upperBound) }
    }
}

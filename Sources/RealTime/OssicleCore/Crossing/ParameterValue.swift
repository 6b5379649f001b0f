import Synchronization

/// The value of a unit's parameter, a number in a range. Control threads and the thread that renders the unit set it,
/// any thread reads it, without a lock.
package final class ParameterValue: Sendable {
    /// Least value.
    package let minimum: Float
    // Bits of numbers.
    private let largest: Atomic<UInt32>
    private let stored: Atomic<UInt32>
    /// The render thread has set the value since `takeRendered` was last called.
    private let isRendered = Atomic(false)

    /// Limits in the wrong order are swapped, NaN counts as 0; the value starts at 0, or the limit next to it.
    package init(minimum: Float, maximum: Float) {
        let limits = [minimum, maximum].map { $0.isNaN ? 0 : $0 }.sorted()
        self.minimum = limits[0]
        largest = Atomic(limits[1].bitPattern)
        stored = Atomic(min(max(0, limits[0]), limits[1]).bitPattern)
    }

    /// Greatest value.
    package var maximum: Float { Float(bitPattern: largest.load(ordering: .relaxed)) }

    /// The value last set.
    package var current: Float { Float(bitPattern: stored.load(ordering: .relaxed)) }

    /// Sets the value, clamped to the range; gives what was set. Not for NaN.
    @discardableResult
    package func set(_ value: Float) -> Float {
        let accepted = min(max(value, minimum), maximum)
        stored.store(accepted.bitPattern, ordering: .relaxed)
        return accepted
    }

    /// Render thread: sets the value, clamped, for observers to be notified later. NaN changes nothing.
    package func render(_ value: Float) {
        guard !value.isNaN else { return }
        set(value)
        isRendered.store(true, ordering: .releasing)
    }

    /// Whether the render thread has set the value since this was last called. One control thread.
    package func takeRendered() -> Bool { isRendered.exchange(false, ordering: .acquiring) }

    /// A new greatest value. Gives the value if it had to come down to it. NaN changes nothing.
    package func limit(to maximum: Float) -> Float? {
        guard !maximum.isNaN else { return nil }
        largest.store(max(maximum, minimum).bitPattern, ordering: .relaxed)
        return current > self.maximum ? set(self.maximum) : nil
    }
}

/// The values of all parameters of a unit by their addresses.
package final class ParameterTable: Sendable {
    private let byAddress: [UInt64: ParameterValue]
    private let isRendered = Atomic(false)

    package init(_ byAddress: [UInt64: ParameterValue]) { self.byAddress = byAddress }

    /// The value at `address`, if there is one. Any thread, without a lock.
    package subscript(address: UInt64) -> ParameterValue? { byAddress[address] }

    /// Render thread: some of the values were set by `render`.
    package func noteRendered() { isRendered.store(true, ordering: .releasing) }

    /// Whether the render thread has set values since this was last called. One control thread.
    package func takeRendered() -> Bool { isRendered.exchange(false, ordering: .acquiring) }
}

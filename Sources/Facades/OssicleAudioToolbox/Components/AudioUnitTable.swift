// The units that handles stand for.

/// All units with a handle. A handle is a number, not an address: a wrong one is found out instead of followed. Any thread.
package final class AudioUnitTable: @unchecked Sendable {
    /// The units of the process.
    package static let shared = AudioUnitTable()

    private enum Entry {
        case owned(any AudioUnitInstance)
        case borrowed(WeakUnit)
    }

    private struct WeakUnit {
        weak var unit: (any AudioUnitInstance)?
    }

    private let lock = NSLock()
    private var entries: [AudioUnit: Entry] = [:]

    /// A handle for `unit`, which lives elsewhere and calls `remove(_:)` when it ends.
    package func add(_ unit: any AudioUnitInstance) -> AudioUnit {
        insert(.borrowed(WeakUnit(unit: unit)))
    }

    /// A handle for `unit`, which the handle keeps alive.
    func addOwned(_ unit: any AudioUnitInstance) -> AudioUnit {
        insert(.owned(unit))
    }

    /// Makes the handle invalid; `false` where it was already.
    @discardableResult
    package func remove(_ handle: AudioUnit) -> Bool {
        lock.withLock { entries.removeValue(forKey: handle) } != nil
    }

    /// Makes a handle of `addOwned(_:)` invalid; `false` for any other.
    func removeOwned(_ handle: AudioUnit) -> Bool {
        let removed = lock.withLock { () -> Entry? in
            guard case .owned = entries[handle] else { return nil }
            return entries.removeValue(forKey: handle)
        }
        return removed != nil
    }

    /// The unit of a handle; `nil` for one that was never given out or whose unit is gone.
    package func unit(of handle: AudioUnit) -> (any AudioUnitInstance)? {
        switch lock.withLock({ entries[handle] }) {
        case .owned(let unit): unit
        case .borrowed(let reference): reference.unit
        case nil: nil
        }
    }

    private func insert(_ entry: Entry) -> AudioUnit {
        let handle = AudioUnit(Handle.next())
        lock.withLock { entries[handle] = entry }
        return handle
    }
}

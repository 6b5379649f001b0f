import OssicleAudioToolbox
import Synchronization

/// The units that handles of the C interface stand for.
///
/// A handle is a number, not an address: place and generation. A wrong one is found out instead of followed. Units are
/// found without a lock, so that `AudioUnitRender` may run on a render thread; one that was removed meanwhile lives
/// until its last call has returned.
final class UnitTable: @unchecked Sendable {
    /// The units of the process.
    static let shared = UnitTable()

    private struct Slot: ~Copyable {
        /// 0 while the slot is free.
        let generation = Atomic<UInt>(0)
        /// Calls under way.
        let users = Atomic<Int>(0)
        var unit: Unmanaged<UnitInterface>?
    }

    private static let capacity = 1 << 16
    private let lock = NSLock()
    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: UnitTable.capacity)
    private let made = Atomic<Int>(0)
    // Under the lock.
    private var generations: UInt = 0
    private var free: [Int] = []
    private var removed: [Int] = []

    /// A handle for `unit`, which the table keeps alive; `nil` beyond 65,536 units.
    func add(_ unit: UnitInterface) -> AudioUnit? {
        lock.withLock {
            reclaim()
            guard let index = free.popLast() ?? newSlot() else { return nil }
            generations += 1
            slots[index].unit = Unmanaged.passRetained(unit)
            slots[index].generation.store(generations, ordering: .sequentiallyConsistent)
            return AudioUnit(bitPattern: generations << 20 | UInt(index) << 4)
        }
    }

    /// Makes the handle invalid; `false` where it was already, or where `condition` does not hold.
    @discardableResult
    func remove(_ handle: AudioUnit, where condition: (UnitInterface) -> Bool = { _ in true }) -> Bool {
        guard let (index, generation) = Self.place(handle), with(handle, condition) == true else { return false }
        return lock.withLock {
            guard
                slots[index].generation.compareExchange(
                    expected: generation, desired: 0, ordering: .sequentiallyConsistent
                ).exchanged
            else { return false }
            removed.append(index)
            reclaim()
            return true
        }
    }

    /// Calls `body` with the unit of a handle; `nil` for one that was never given out or whose unit is gone. Any
    /// thread; no lock.
    func with<Result>(_ handle: AudioUnit, _ body: (UnitInterface) throws -> Result) rethrows -> Result? {
        guard let (index, generation) = Self.place(handle), index < made.load(ordering: .acquiring) else { return nil }
        let slot = slots + index
        slot.pointee.users.add(1, ordering: .sequentiallyConsistent)
        defer { slot.pointee.users.subtract(1, ordering: .sequentiallyConsistent) }
        guard slot.pointee.generation.load(ordering: .sequentiallyConsistent) == generation,
            let unit = slot.pointee.unit
        else { return nil }
        return try unit._withUnsafeGuaranteedRef { try body($0) }
    }

    private static func place(_ handle: AudioUnit) -> (index: Int, generation: UInt)? {
        let bits = UInt(bitPattern: handle)
        guard bits & 15 == 0, bits >> 20 > 0 else { return nil }
        return (Int(bits >> 4) & (capacity - 1), bits >> 20)
    }

    private func newSlot() -> Int? {
        let index = made.load(ordering: .relaxed)
        guard index < Self.capacity else { return nil }
        (slots + index).initialize(to: Slot())
        made.store(index + 1, ordering: .releasing)
        return index
    }

    /// Releases removed units that no call is in. Those left wait for the next change of the table.
    private func reclaim() {
        removed.removeAll { index in
            guard slots[index].users.load(ordering: .sequentiallyConsistent) == 0 else { return false }
            slots[index].unit?.release()
            slots[index].unit = nil
            free.append(index)
            return true
        }
    }
}

import OssicleCore

/// The histories of a scene's objects, side by side, at places that hold. Under the engine's lock.
final class PositionHistories {
    private let base: UnsafeMutablePointer<PositionHistory>
    private let capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deinitialize(count: count).deallocate() }

    /// Where the history at a place less than `count` lies.
    @inline(__always)
    subscript(place: Int) -> UnsafeMutablePointer<PositionHistory> { base + place }

    /// Asks for a history to be brought near the processor.
    @inline(__always)
    func prefetch(_ place: Int) { UnsafeRawPointer(base + place).prefetch(MemoryLayout<PositionHistory>.size) }

    /// - Parameter history: no more of them than the capacity.
    func append(_ history: consuming PositionHistory) {
        precondition(count < capacity)
        (base + count).initialize(to: history)
        count += 1
    }

    /// Takes a history out, and leaves one without a past.
    func take(_ place: Int) -> PositionHistory {
        let taken = (base + place).move()
        (base + place).initialize(to: PositionHistory(.identity, at: 0))
        return taken
    }
}

/// Memory for a fixed number of plain values, freed with its owner. For kernel state that is not `Float` (see `SampleMemory`).
struct OwnedMemory<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Element>
    let count: Int

    init(count: Int, _ initial: Element) {
        self.count = max(count, 1)
        pointer = .allocate(capacity: self.count)
        pointer.initialize(repeating: initial, count: self.count)
    }

    deinit { pointer.deallocate() }

    func fill(_ value: Element) { pointer.update(repeating: value, count: count) }
    func copy(from other: borrowing OwnedMemory) { pointer.update(from: other.pointer, count: min(count, other.count)) }
}

extension OwnedMemory<SIMD16<Float>> {
    /// The lanes one after the other, as C sees them.
    var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self) }
}

/// Owned, 64-byte aligned, zeroed sample memory. For state that lives as long as a kernel does.
package struct SampleMemory: ~Copyable, @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int

    package init(count: Int) {
        self.count = max(count, 1)
        let bytes = (self.count * MemoryLayout<Float>.stride + 63) & ~63
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        pointer = raw.initializeMemory(as: Float.self, repeating: 0, count: bytes / MemoryLayout<Float>.stride)
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }

    package func clear() { pointer.update(repeating: 0, count: count) }

    @inlinable package subscript(index: Int) -> Float {
        get { pointer[index] }
        nonmutating set { pointer[index] = newValue }
    }
}

/// Memory for a fixed number of plain values, freed with its owner. For kernel state that is not `Float`.
package struct OwnedMemory<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<Element>
    package let count: Int

    /// - Parameter count: 0 counts as 1, so that `pointer` is valid.
    package init(count: Int, _ initial: Element) {
        self.count = max(count, 1)
        pointer = .allocate(capacity: self.count)
        pointer.initialize(repeating: initial, count: self.count)
    }

    deinit { pointer.deallocate() }

    @inlinable package func fill(_ value: Element) { pointer.update(repeating: value, count: count) }

    @inlinable package func copy(from other: borrowing OwnedMemory) {
        pointer.update(from: other.pointer, count: min(count, other.count))
    }
}

/// Channels of one quantum each, and the table of their addresses that kernels take.
package struct ChannelMemory: ~Copyable {
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let table: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(count: Int) {
        samples = SampleMemory(count: count * Grid.quantum)
        table = OwnedMemory(count: count, samples.pointer)
        for channel in 0..<count { table.pointer[channel] = samples.pointer + channel * Grid.quantum }
        channels = UnsafePointer(table.pointer)
    }

    @inlinable package subscript(channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] }
}

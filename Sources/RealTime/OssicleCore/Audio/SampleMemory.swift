#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Owned, 64-byte aligned, zeroed sample memory. For state that lives as long as a kernel does.
package struct SampleMemory: ~Copyable, @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int
    /// What `calloc` gave, up to 63 bytes before the first sample.
    private let allocation: UnsafeMutableRawPointer

    package init(count: Int) {
        self.init(lazyCount: count)
        clear()
    }

    /// Takes pages from the system as they are first written to, by whatever thread that is: for room that may never be
    /// needed.
    package init(lazyCount count: Int) {
        self.count = max(count, 1)
        let bytes = (self.count * MemoryLayout<Float>.stride + 63) & ~63
        guard let raw = calloc(1, bytes + 64) else { fatalError("There is no memory left for samples.") }
        allocation = raw
        pointer = raw.alignedUp(toMultipleOf: 64).bindMemory(
            to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
    }

    deinit { free(allocation) }

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

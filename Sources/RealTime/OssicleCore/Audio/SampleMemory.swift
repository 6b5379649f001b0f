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

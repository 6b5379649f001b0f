// The C memory functions as Apple's headers let Swift see them: with pointers that may be nil. `AudioBuffer.mData` is such a
// pointer, and audio code passes it straight on.

/// Sets `count` bytes to `value`; does nothing without memory.
@_disfavoredOverload @inlinable @discardableResult
public func memset(_ memory: UnsafeMutableRawPointer?, _ value: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory, count > 0 else { return memory }
    memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: count)
    return memory
}

/// Copies `count` bytes; does nothing where either side has no memory.
@_disfavoredOverload @inlinable @discardableResult
public func memcpy(_ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
    guard let target, let source, count > 0 else { return target }
    target.copyMemory(from: source, byteCount: count)
    return target
}

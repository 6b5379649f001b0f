import COssicle

extension UnsafeRawPointer {
    /// Asks for so many bytes to be brought near the processor.
    @inline(__always)
    func prefetch(_ count: Int) { ossicle_prefetch(assumingMemoryBound(to: Float.self), (count + 3) / 4) }
}

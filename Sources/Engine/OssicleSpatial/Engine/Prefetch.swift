import COssicle

extension UnsafeRawPointer {
    /// Asks for so many bytes to be brought near the processor.
    @inline(__always)
    func prefetch(_ count: Int) { ossicle_prefetch(assumingMemoryBound(to: Float.self), (count + 3) / 4) }
}

extension [EventInstance] {
    /// What a pass over the events reads of each first, asked for a few events ahead: they are many, and lie far apart.
    @inline(__always)
    func prefetch(behind place: Int) {
        guard place + 8 < count else { return }
        UnsafeRawPointer(Unmanaged.passUnretained(self[place + 8]).toOpaque()).prefetch(256)
    }
}

// Several stretches of sample memory: a count, followed in memory by that many buffers.

/// The head of a list of buffers. Further buffers follow `mBuffers` in memory; reach them by
/// `UnsafeMutableAudioBufferListPointer`.
public struct AudioBufferList {
    /// Number of buffers in the list.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// A list of no buffers.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// A list of at most one buffer.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// Bytes that a list of `maximumBuffers` buffers takes; less than 1 counts as 1.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        let further = min(max(maximumBuffers, 1), maximumCount) - 1
        return MemoryLayout<AudioBufferList>.size + further * MemoryLayout<AudioBuffer>.stride
    }

    /// Zeroed memory for `maximumBuffers` buffers, counted as such. The caller frees it with `free()`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let bytes = sizeInBytes(maximumBuffers: maximumBuffers)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: MemoryLayout<AudioBufferList>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        list.count = min(max(maximumBuffers, 1), maximumCount)
        return list
    }

    /// More buffers than any format has channels; keeps a wrong number from becoming a huge allocation.
    private static let maximumCount = 65_536
}

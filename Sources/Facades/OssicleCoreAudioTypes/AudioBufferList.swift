// One stretch of sample memory.

/// A pointer to samples, with their size and the number of channels interleaved in them. Does not own the memory.
public struct AudioBuffer {
    /// Channels interleaved in this buffer; 1 when every channel has a buffer of its own.
    public var mNumberChannels: UInt32
    /// Size of the memory, in bytes.
    public var mDataByteSize: UInt32
    /// The memory.
    public var mData: UnsafeMutableRawPointer?

    /// A buffer without memory.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// A buffer over `mData`.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }

    /// A buffer over `typedBuffer`, which must outlive it. Sizes beyond 32 bits are cut.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        self.init(
            mNumberChannels: UInt32(clamping: numberOfChannels),
            mDataByteSize: UInt32(
                clamping: typedBuffer.count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride).partialValue),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// The whole elements in `audioBuffer`.
    public init(_ audioBuffer: AudioBuffer) {
        let mutable = UnsafeMutableBufferPointer<Element>(audioBuffer)
        self.init(mutable)
    }
}

extension UnsafeMutableBufferPointer {
    /// The whole elements in `audioBuffer`.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / Swift.max(1, MemoryLayout<Element>.stride)
        let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
        self.init(start: start, count: start == nil ? 0 : count)
    }
}

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
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: MemoryLayout<AudioBufferList>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        list.count = min(max(maximumBuffers, 1), maximumCount)
        return list
    }

    /// More buffers than any format has channels; keeps a wrong number from becoming a huge allocation.
    private static let maximumCount = 65_536
}

/// A pointer to an `AudioBufferList`, used as a collection of its buffers. Like every unsafe pointer it owns nothing
/// and an index beyond `count` is the caller's mistake.
public struct UnsafeMutableAudioBufferListPointer {
    /// The list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// A collection over the list at `p`.
    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// A collection over the list at `p`, or `nil` without one.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        unsafeMutablePointer = p
    }

    /// The list, for reading.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// Number of buffers.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    private var buffers: UnsafeMutablePointer<AudioBuffer> {
        let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? MemoryLayout<AudioBuffer>.alignment
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// Equal to `count`.
    public var endIndex: Int { count }

    /// The buffer at `index`, `0..<count`.
    public subscript(index: Int) -> AudioBuffer {
        get { buffers[index] }
        nonmutating set { buffers[index] = newValue }
    }
}

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
        self.init(mNumberChannels: UInt32(clamping: numberOfChannels),
                  mDataByteSize: UInt32(clamping: typedBuffer.count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride).partialValue),
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

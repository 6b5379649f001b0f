// What the samples of a stream look like in memory.

/// The layout of one stream of audio: rate, coding and sizes. Sizes are in bytes; one frame is one sample of every
/// channel.
public struct AudioStreamBasicDescription: Equatable, Hashable, Sendable {
    /// Frames per second, in hertz; 0 when unknown.
    public var mSampleRate: Float64
    /// The coding.
    public var mFormatID: AudioFormatID
    /// Flags of the coding.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes in a packet; 0 when packets differ.
    public var mBytesPerPacket: UInt32
    /// Frames in a packet; 1 for linear PCM, 0 when packets differ.
    public var mFramesPerPacket: UInt32
    /// Bytes in a frame of one buffer: one channel's worth when channels have buffers of their own; 0 for compressed
    /// formats.
    public var mBytesPerFrame: UInt32
    /// Number of channels.
    public var mChannelsPerFrame: UInt32
    /// Significant bits of a sample; 0 for compressed formats.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// A description of zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
            mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// A description with every field given.
    public init(
        mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}

/// Place and size of one packet in a buffer.
public struct AudioStreamPacketDescription: Equatable, Hashable, Sendable {
    /// Bytes from the start of the buffer to the packet.
    public var mStartOffset: Int64
    /// Frames in the packet; 0 when all packets hold equally many.
    public var mVariableFramesInPacket: UInt32
    /// Bytes in the packet.
    public var mDataByteSize: UInt32

    /// A description of zeros.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// A description with every field given.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

/// What else must be decoded before a packet makes sense.
public struct AudioStreamPacketDependencyDescription: Equatable, Hashable, Sendable {
    /// 1 when the packet can be decoded without earlier ones.
    public var mIsIndependentlyDecodable: UInt32
    /// Packets to decode before this one gives right samples.
    public var mPreRollCount: UInt32
    /// Flags; 0.
    public var mFlags: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// A description of zeros.
    public init() { self.init(mIsIndependentlyDecodable: 0, mPreRollCount: 0, mFlags: 0, mReserved: 0) }

    /// A description with every field given.
    public init(mIsIndependentlyDecodable: UInt32, mPreRollCount: UInt32, mFlags: UInt32, mReserved: UInt32) {
        self.mIsIndependentlyDecodable = mIsIndependentlyDecodable
        self.mPreRollCount = mPreRollCount
        self.mFlags = mFlags
        self.mReserved = mReserved
    }
}

/// A stretch of values, both ends included.
public struct AudioValueRange: Equatable, Hashable, Sendable {
    /// The lowest value.
    public var mMinimum: Float64
    /// The highest value.
    public var mMaximum: Float64

    /// The value 0 alone.
    public init() { self.init(mMinimum: 0, mMaximum: 0) }

    /// The values from `mMinimum` to `mMaximum`.
    public init(mMinimum: Float64, mMaximum: Float64) {
        self.mMinimum = mMinimum
        self.mMaximum = mMaximum
    }
}

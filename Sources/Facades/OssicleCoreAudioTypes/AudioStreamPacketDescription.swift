// Where the packets of a compressed stream lie.

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

// The small types of the audio file interface.

/// An open sound file. A handle: nothing lies at its address.
public typealias AudioFileID = OpaquePointer

/// What a file is opened for.
public enum AudioFilePermissions: Int8, Sendable {
    /// Reading.
    case readPermission = 1
    /// Writing.
    case writePermission = 2
    /// Reading and writing.
    case readWritePermission = 3
}

/// How a file is created.
public struct AudioFileFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An existing file is overwritten; without this it is an error.
    public static let eraseFile = AudioFileFlags(rawValue: 1)
    /// Audio data need not begin at a page of memory; it never has to here.
    public static let dontPageAlignAudioData = AudioFileFlags(rawValue: 2)
}

/// Which frames of a decoded file belong to the recording.
public struct AudioFilePacketTableInfo: Equatable, Hashable, Sendable {
    /// Frames of the recording.
    public var mNumberValidFrames: Int64
    /// Frames a decoder gives before them.
    public var mPrimingFrames: Int32
    /// Frames a decoder gives behind them.
    public var mRemainderFrames: Int32

    /// Zeros.
    public init() { self.init(mNumberValidFrames: 0, mPrimingFrames: 0, mRemainderFrames: 0) }

    /// Every field given.
    public init(mNumberValidFrames: Int64, mPrimingFrames: Int32, mRemainderFrames: Int32) {
        self.mNumberValidFrames = mNumberValidFrames
        self.mPrimingFrames = mPrimingFrames
        self.mRemainderFrames = mRemainderFrames
    }
}

/// A place in a stream by frame and by packet.
public struct AudioFramePacketTranslation: Equatable, Hashable, Sendable {
    /// The frame, counted from the first that a decoder gives.
    public var mFrame: Int64
    /// The packet that holds it.
    public var mPacket: Int64
    /// Its place in the packet.
    public var mFrameOffsetInPacket: UInt32
    /// Makes the size what it is in C.
    private var padding: UInt32 = 0

    /// Zeros.
    public init() { self.init(mFrame: 0, mPacket: 0, mFrameOffsetInPacket: 0) }

    /// Every field given.
    public init(mFrame: Int64, mPacket: Int64, mFrameOffsetInPacket: UInt32) {
        self.mFrame = mFrame
        self.mPacket = mPacket
        self.mFrameOffsetInPacket = mFrameOffsetInPacket
    }
}

/// How sure a translation is.
public struct AudioBytePacketTranslationFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The answer is a guess from averages.
    public static let bytePacketTranslationFlag_IsEstimate = AudioBytePacketTranslationFlags(rawValue: 1)
}

/// A place in a stream by byte and by packet.
public struct AudioBytePacketTranslation: Equatable, Hashable, Sendable {
    /// The byte, counted from the start of the audio data.
    public var mByte: Int64
    /// The packet that holds it.
    public var mPacket: Int64
    /// Its place in the packet.
    public var mByteOffsetInPacket: UInt32
    /// How sure it is.
    public var mFlags: AudioBytePacketTranslationFlags

    /// Zeros.
    public init() { self.init(mByte: 0, mPacket: 0, mByteOffsetInPacket: 0, mFlags: []) }

    /// Every field given.
    public init(mByte: Int64, mPacket: Int64, mByteOffsetInPacket: UInt32, mFlags: AudioBytePacketTranslationFlags) {
        self.mByte = mByte
        self.mPacket = mPacket
        self.mByteOffsetInPacket = mByteOffsetInPacket
        self.mFlags = mFlags
    }
}

/// A type of file and a coding in it.
public struct AudioFileTypeAndFormatID: Equatable, Hashable, Sendable {
    /// The type of file.
    public var mFileType: AudioFileTypeID
    /// The coding.
    public var mFormatID: AudioFormatID

    /// Zeros.
    public init() { self.init(mFileType: 0, mFormatID: 0) }

    /// Every field given.
    public init(mFileType: AudioFileTypeID, mFormatID: AudioFormatID) {
        self.mFileType = mFileType
        self.mFormatID = mFormatID
    }
}

/// Reads up to `requestCount` bytes at `inPosition` of the client's file into `buffer`.
public typealias AudioFile_ReadProc =
    @convention(c) (
        _ inClientData: UnsafeMutableRawPointer, _ inPosition: Int64, _ requestCount: UInt32,
        _ buffer: UnsafeMutableRawPointer, _ actualCount: UnsafeMutablePointer<UInt32>
    ) -> OSStatus
/// Writes `requestCount` bytes at `inPosition` of the client's file.
public typealias AudioFile_WriteProc =
    @convention(c) (
        _ inClientData: UnsafeMutableRawPointer, _ inPosition: Int64, _ requestCount: UInt32,
        _ buffer: UnsafeRawPointer, _ actualCount: UnsafeMutablePointer<UInt32>
    ) -> OSStatus
/// The size of the client's file, in bytes.
public typealias AudioFile_GetSizeProc = @convention(c) (_ inClientData: UnsafeMutableRawPointer) -> Int64
/// Sets the size of the client's file, in bytes.
public typealias AudioFile_SetSizeProc =
    @convention(c) (_ inClientData: UnsafeMutableRawPointer, _ inSize: Int64) -> OSStatus

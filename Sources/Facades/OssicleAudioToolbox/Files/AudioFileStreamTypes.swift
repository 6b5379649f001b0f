// The small types of the streaming interface.

/// A stream being parsed. A handle: nothing lies at its address.
public typealias AudioFileStreamID = OpaquePointer

/// What a property listener is told and may ask for.
public struct AudioFileStreamPropertyFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The value can be asked for later as well; always.
    public static let propertyIsCached = AudioFileStreamPropertyFlags(rawValue: 1)
    /// The listener asks that the value be kept; it is.
    public static let cacheProperty = AudioFileStreamPropertyFlags(rawValue: 2)
}

/// How bytes follow those before.
public struct AudioFileStreamParseFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something lies between: after a seek, or after a loss.
    public static let discontinuity = AudioFileStreamParseFlags(rawValue: 1)
}

/// How sure the answer of a seek is.
public struct AudioFileStreamSeekFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The byte is a guess from averages.
    public static let offsetIsEstimated = AudioFileStreamSeekFlags(rawValue: 1)
}

/// Hears that a property has become known. A Swift function that captures nothing mutable, because `@convention(c)`
/// does not take pointers to Swift's structures.
public typealias AudioFileStream_PropertyListenerProc =
    @Sendable (
        _ inClientData: UnsafeMutableRawPointer, _ inAudioFileStream: AudioFileStreamID,
        _ inPropertyID: AudioFileStreamPropertyID,
        _ ioFlags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
    ) -> Void

/// Takes whole packets; the memory is valid within the call. Packets of one size come without descriptions.
public typealias AudioFileStream_PacketsProc =
    @Sendable (
        _ inClientData: UnsafeMutableRawPointer, _ inNumberBytes: UInt32, _ inNumberPackets: UInt32,
        _ inInputData: UnsafeRawPointer,
        _ inPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) -> Void

/// A four-character code that names a property of a streamed file.
public typealias AudioFileStreamPropertyID = UInt32

/// Whether everything is known and packets come. `UInt32`. (`redy`)
public let kAudioFileStreamProperty_ReadyToProducePackets: AudioFileStreamPropertyID = 0x7265_6479
/// The type of the file. `AudioFileTypeID`. (`ffmt`)
public let kAudioFileStreamProperty_FileFormat: AudioFileStreamPropertyID = 0x6666_6D74
/// The stream in the file. `AudioStreamBasicDescription`. (`dfmt`)
public let kAudioFileStreamProperty_DataFormat: AudioFileStreamPropertyID = 0x6466_6D74
/// The formats in which the stream can be decoded. `AudioFormatListItem`s. (`flst`)
public let kAudioFileStreamProperty_FormatList: AudioFileStreamPropertyID = 0x666C_7374
/// What a decoder needs besides the packets. Bytes. (`mgic`)
public let kAudioFileStreamProperty_MagicCookieData: AudioFileStreamPropertyID = 0x6D67_6963
/// Bytes of audio data. `UInt64`. (`bcnt`)
public let kAudioFileStreamProperty_AudioDataByteCount: AudioFileStreamPropertyID = 0x6263_6E74
/// Number of packets. `UInt64`. (`pcnt`)
public let kAudioFileStreamProperty_AudioDataPacketCount: AudioFileStreamPropertyID = 0x7063_6E74
/// Size of the largest packet so far, in bytes. `UInt32`. (`psze`)
public let kAudioFileStreamProperty_MaximumPacketSize: AudioFileStreamPropertyID = 0x7073_7A65
/// Where in the stream the audio data begins. `Int64`. (`doff`)
public let kAudioFileStreamProperty_DataOffset: AudioFileStreamPropertyID = 0x646F_6666
/// The roles of the channels. `AudioChannelLayout` with its tail. (`cmap`)
public let kAudioFileStreamProperty_ChannelLayout: AudioFileStreamPropertyID = 0x636D_6170
/// Asked with a packet, answers with its first frame. `AudioFramePacketTranslation`. (`pkfr`)
public let kAudioFileStreamProperty_PacketToFrame: AudioFileStreamPropertyID = 0x706B_6672
/// Asked with a frame, answers with its packet and its place there. `AudioFramePacketTranslation`. (`frpk`)
public let kAudioFileStreamProperty_FrameToPacket: AudioFileStreamPropertyID = 0x6672_706B
/// Asked with a packet, answers with its first byte. `AudioBytePacketTranslation`. (`pkby`)
public let kAudioFileStreamProperty_PacketToByte: AudioFileStreamPropertyID = 0x706B_6279
/// Asked with a byte, answers with its packet, where packets are of one size. `AudioBytePacketTranslation`. (`bypk`)
public let kAudioFileStreamProperty_ByteToPacket: AudioFileStreamPropertyID = 0x6279_706B
/// Frames that count, and those before and behind. `AudioFilePacketTableInfo`. (`pnfo`)
public let kAudioFileStreamProperty_PacketTableInfo: AudioFileStreamPropertyID = 0x706E_666F
/// A bound for the size of packets. `UInt32`. (`pkub`)
public let kAudioFileStreamProperty_PacketSizeUpperBound: AudioFileStreamPropertyID = 0x706B_7562
/// Bytes of the packets so far, on average. `Float64`. (`abpp`)
public let kAudioFileStreamProperty_AverageBytesPerPacket: AudioFileStreamPropertyID = 0x6162_7070
/// Bits per second so far, on average. `UInt32`. (`brat`)
public let kAudioFileStreamProperty_BitRate: AudioFileStreamPropertyID = 0x6272_6174
/// Title, artist and so on. A `CFDictionary` of `kAFInfoDictionary_`… keys, which the caller releases. (`info`)
public let kAudioFileStreamProperty_InfoDictionary: AudioFileStreamPropertyID = 0x696E_666F

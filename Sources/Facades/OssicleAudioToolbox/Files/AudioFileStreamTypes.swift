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

/// Hears that a property has become known. A Swift function that captures nothing mutable, because `@convention(c)` does not
/// take pointers to Swift's structures.
public typealias AudioFileStream_PropertyListenerProc = @Sendable (
    _ inClientData: UnsafeMutableRawPointer, _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
) -> Void

/// Takes whole packets; the memory is valid within the call. Packets of one size come without descriptions.
public typealias AudioFileStream_PacketsProc = @Sendable (
    _ inClientData: UnsafeMutableRawPointer, _ inNumberBytes: UInt32, _ inNumberPackets: UInt32, _ inInputData: UnsafeRawPointer,
    _ inPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> Void

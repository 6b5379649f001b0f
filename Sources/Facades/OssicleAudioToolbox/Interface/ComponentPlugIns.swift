// Components of a client in the C interface: a factory gives functions that make up a unit.

import OssicleCoreAudioTypes

/// A function of a component, found by its selector.
public typealias AudioComponentMethod = OpaquePointer

/// Makes a unit of a component; `nil` where it cannot. A Swift function, because `@convention(c)` does not take
/// pointers to Swift's structures.
public typealias AudioComponentFactoryFunction =
    @Sendable (UnsafePointer<AudioComponentDescription>) -> UnsafeMutablePointer<AudioComponentPlugInInterface>?

/// What a factory gives: the beginning of a structure of the client's, whose address is the first argument of all of
/// its functions.
public struct AudioComponentPlugInInterface {
    /// Called first, with the unit's handle.
    public var Open: @convention(c) (UnsafeMutableRawPointer, AudioComponentInstance) -> OSStatus
    /// Called last; ends what the factory made.
    public var Close: @convention(c) (UnsafeMutableRawPointer) -> OSStatus
    /// The function of a selector; `nil` for one it does not have.
    public var Lookup: @convention(c) (Int16) -> AudioComponentMethod?
    /// Not used.
    public var reserved: UnsafeMutableRawPointer?

    /// All fields.
    public init(
        Open: @escaping @convention(c) (UnsafeMutableRawPointer, AudioComponentInstance) -> OSStatus,
        Close: @escaping @convention(c) (UnsafeMutableRawPointer) -> OSStatus,
        Lookup: @escaping @convention(c) (Int16) -> AudioComponentMethod?, reserved: UnsafeMutableRawPointer?
    ) {
        self.Open = Open
        self.Close = Close
        self.Lookup = Lookup
        self.reserved = reserved
    }
}

/// Decoder (`adec`): packets to linear PCM; the subtype is the format.
public let kAudioDecoderComponentType: UInt32 = 0x6164_6563
/// Encoder (`aenc`): linear PCM to packets; the subtype is the format.
public let kAudioEncoderComponentType: UInt32 = 0x6165_6E63
/// Codec within one format (`acdc`).
public let kAudioUnityCodecComponentType: UInt32 = 0x6163_6463
/// Renderer for headphones that follow the head (`auht`).
public let kAudioUnitType_HeadTrackingBinauralRenderer: OSType = 0x6175_6874

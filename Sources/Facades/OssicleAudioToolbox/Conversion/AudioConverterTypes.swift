// The small types of the converter interface.

/// A converter. A handle: nothing lies at its address.
public typealias AudioConverterRef = OpaquePointer

/// Frames that a conversion asks for besides those it converts.
public struct AudioConverterPrimeInfo: Equatable, Hashable, Sendable {
    /// Input frames before the first that is converted.
    public var leadingFrames: UInt32
    /// Input frames behind the last that is converted.
    public var trailingFrames: UInt32

    /// No frames.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// So many frames.
    public init(leadingFrames: UInt32, trailingFrames: UInt32) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// Gives a converter its input: points `ioData` at whole packets, sets `ioNumberDataPackets` to their number and, where packets differ
/// in size, `outDataPacketDescription` to a description of each. The memory stays untouched until the next call.
///
/// No packets and `noErr` mean the end of the stream. Any other status goes on to the caller of the converter together with what has been
/// converted; the converter keeps its state. A Swift function that captures
/// nothing mutable, because `@convention(c)` does not take pointers to Swift's structures.
public typealias AudioConverterComplexInputDataProc = @Sendable (
    _ inAudioConverter: AudioConverterRef, _ ioNumberDataPackets: UnsafeMutablePointer<UInt32>, _ ioData: UnsafeMutablePointer<AudioBufferList>,
    _ outDataPacketDescription: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus

/// A codec of a certain maker; there is one for each format here.
public struct AudioClassDescription: Equatable, Hashable, Sendable {
    /// Encoder or decoder.
    public var mType: OSType
    /// The format.
    public var mSubType: OSType
    /// The maker.
    public var mManufacturer: OSType

    /// A description of zeros.
    public init() { self.init(mType: 0, mSubType: 0, mManufacturer: 0) }

    /// A description with every field given.
    public init(mType: OSType, mSubType: OSType, mManufacturer: OSType) {
        self.mType = mType
        self.mSubType = mSubType
        self.mManufacturer = mManufacturer
    }
}

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

/// Gives a converter its input: points `ioData` at whole packets, sets `ioNumberDataPackets` to their number and, where
/// packets differ in size, `outDataPacketDescription` to a description of each. The memory stays untouched until the
/// next call.
///
/// No packets and `noErr` mean the end of the stream. Any other status continues to the caller of the converter
/// together with what has been converted; the converter keeps its state. A Swift function that captures nothing
/// mutable, because `@convention(c)` does not take pointers to Swift's structures.
public typealias AudioConverterComplexInputDataProc =
    @Sendable (
        _ inAudioConverter: AudioConverterRef, _ ioNumberDataPackets: UnsafeMutablePointer<UInt32>,
        _ ioData: UnsafeMutablePointer<AudioBufferList>,
        _ outDataPacketDescription: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
        _ inUserData: UnsafeMutableRawPointer?
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

/// The best.
public let kAudioConverterQuality_Max: UInt32 = 0x7F
/// Better than most need.
public let kAudioConverterQuality_High: UInt32 = 0x60
/// The middle.
public let kAudioConverterQuality_Medium: UInt32 = 0x40
/// Little work.
public let kAudioConverterQuality_Low: UInt32 = 0x20
/// The least work.
public let kAudioConverterQuality_Min: UInt32 = 0
/// The least work: the normal low-pass at its lowest quality. (`line`)
public let kAudioConverterSampleRateConverterComplexity_Linear: UInt32 = 0x6C69_6E65
/// Linear phase. (`norm`)
public let kAudioConverterSampleRateConverterComplexity_Normal: UInt32 = 0x6E6F_726D
/// Linear phase with the steepest flank. (`bats`)
public let kAudioConverterSampleRateConverterComplexity_Mastering: UInt32 = 0x6261_7473
/// No ringing before the sound. (`minp`)
public let kAudioConverterSampleRateConverterComplexity_MinimumPhase: UInt32 = 0x6D69_6E70
/// Asks for frames before and behind.
public let kConverterPrimeMethod_Pre: UInt32 = 0
/// Asks for frames behind; silence stands before.
public let kConverterPrimeMethod_Normal: UInt32 = 1
/// Asks for none: the output comes later.
public let kConverterPrimeMethod_None: UInt32 = 2
/// Noise of triangular distribution.
public let kDitherAlgorithm_TPDF: UInt32 = 1
/// The same noise here; nothing is shaped by frequency.
public let kDitherAlgorithm_NoiseShaping: UInt32 = 2
/// Equal bits for equal times.
public let kAudioCodecBitRateControlMode_Constant: UInt32 = 0
/// The bit rate on a long average.
public let kAudioCodecBitRateControlMode_LongTermAverage: UInt32 = 1
/// Variable, within bounds.
public let kAudioCodecBitRateControlMode_VariableConstrained: UInt32 = 2
/// As the sound asks for.
public let kAudioCodecBitRateControlMode_Variable: UInt32 = 3

// What properties that measure a unit, or name a choice of it, hold.

import OssicleCoreAudioTypes
import OssicleCoreMIDI

/// How the past of a parameter is worth showing; data of `kAudioUnitProperty_ParameterHistoryInfo`.
public struct AudioUnitParameterHistoryInfo: Equatable, Sendable {
    /// Values a second.
    public var updatesPerSecond: Float32
    /// Seconds to show.
    public var historyDurationInSeconds: Float32

    /// Zeros.
    public init() { self.init(updatesPerSecond: 0, historyDurationInSeconds: 0) }

    /// Both fields.
    public init(updatesPerSecond: Float32, historyDurationInSeconds: Float32) {
        self.updatesPerSecond = updatesPerSecond
        self.historyDurationInSeconds = historyDurationInSeconds
    }
}

/// A filter's gain at a frequency; element of `kAudioUnitProperty_FrequencyResponse`.
public struct AudioUnitFrequencyResponseBin: Equatable, Sendable {
    /// Hz.
    public var mFrequency: Float64
    /// dB.
    public var mMagnitude: Float64

    /// Zeros.
    public init() { self.init(mFrequency: 0, mMagnitude: 0) }

    /// Both fields.
    public init(mFrequency: Float64, mMagnitude: Float64) {
        self.mFrequency = mFrequency
        self.mMagnitude = mMagnitude
    }
}

/// The most frequencies of `kAudioUnitProperty_FrequencyResponse`.
public let kNumberOfResponseFrequencies = 1024

/// What a meter has seen; data of `kAudioUnitProperty_MeterClipping`.
public struct AudioUnitMeterClipping: Sendable {
    /// The greatest sample since the last question.
    public var peakValueSinceLastCall: Float32
    /// Whether there was an infinite sample.
    public var sawInfinity: DarwinBoolean
    /// Whether there was a sample that is no number.
    public var sawNotANumber: DarwinBoolean

    /// Silence.
    public init() { self.init(peakValueSinceLastCall: 0, sawInfinity: false, sawNotANumber: false) }

    /// All fields.
    public init(peakValueSinceLastCall: Float32, sawInfinity: DarwinBoolean, sawNotANumber: DarwinBoolean) {
        self.peakValueSinceLastCall = peakValueSinceLastCall
        self.sawInfinity = sawInfinity
        self.sawNotANumber = sawNotANumber
    }
}

/// Who learns how input and output belong together; data of `kAudioUnitProperty_InputSamplesInOutput`.
public struct AUInputSamplesInOutputCallbackStruct: @unchecked Sendable {
    /// The function.
    public var inputToOutputCallback: AUInputSamplesInOutputCallback
    /// Its first argument.
    public var userData: UnsafeMutableRawPointer?

    /// A callback.
    public init(inputToOutputCallback: @escaping AUInputSamplesInOutputCallback, userData: UnsafeMutableRawPointer?) {
        self.inputToOutputCallback = inputToOutputCallback
        self.userData = userData
    }
}

/// Takes the MIDI a unit sends: reference, time of the render call, number of the output, messages with times in frames
/// of the call. On the render thread. A Swift function, because `@convention(c)` does not take pointers to Swift's
/// structures.
public typealias AUMIDIOutputCallback =
    @Sendable (UnsafeMutableRawPointer?, UnsafePointer<AudioTimeStamp>, UInt32, UnsafePointer<MIDIPacketList>) ->
    OSStatus

/// Who takes the MIDI a unit sends; data of `kAudioUnitProperty_MIDIOutputCallback`.
public struct AUMIDIOutputCallbackStruct: @unchecked Sendable {
    /// The function.
    public var midiOutputCallback: AUMIDIOutputCallback
    /// Its first argument.
    public var userData: UnsafeMutableRawPointer?

    /// A callback.
    public init(midiOutputCallback: @escaping AUMIDIOutputCallback, userData: UnsafeMutableRawPointer?) {
        self.midiOutputCallback = midiOutputCallback
        self.userData = userData
    }
}

/// The fastest conversion of rates. A value of `kAudioUnitProperty_SampleRateConverterComplexity`.
public let kAudioUnitSampleRateConverterComplexity_Linear: UInt32 = 0x6C69_6E65
/// A good conversion of rates. A value of `kAudioUnitProperty_SampleRateConverterComplexity`.
public let kAudioUnitSampleRateConverterComplexity_Normal: UInt32 = 0x6E6F_726D
/// The best conversion of rates. A value of `kAudioUnitProperty_SampleRateConverterComplexity`.
public let kAudioUnitSampleRateConverterComplexity_Mastering: UInt32 = 0x6261_7473

/// Coefficients of the equaliser's bands. Global; five `Float64` a band (b0, b1, b2, a1, a2), read only.
public let kAUNBandEQProperty_BiquadCoefficients: AudioUnitPropertyID = 2203

extension AudioUnitParameterOptions {
    /// The bits that say on which scale a parameter is shown.
    public static var flag_DisplayMask: AudioUnitParameterOptions {
        AudioUnitParameterOptions(rawValue: 7 << 16 | 1 << 22)
    }
}

/// The scale on which a parameter is shown.
public func GetAudioUnitParameterDisplayType(_ flags: AudioUnitParameterOptions) -> AudioUnitParameterOptions {
    flags.intersection(.flag_DisplayMask)
}

/// The flags with another scale.
public func SetAudioUnitParameterDisplayType(
    _ flags: AudioUnitParameterOptions, _ displayType: AudioUnitParameterOptions
) -> AudioUnitParameterOptions {
    flags.subtracting(.flag_DisplayMask).union(displayType.intersection(.flag_DisplayMask))
}

// The keys and values of settings dictionaries.

/// Coding: an `AudioFormatID` as a number.
public let AVFormatIDKey: String = "AVFormatIDKey"
/// Frames per second, in hertz: a number.
public let AVSampleRateKey: String = "AVSampleRateKey"
/// Number of channels.
public let AVNumberOfChannelsKey: String = "AVNumberOfChannelsKey"
/// Bits of a linear PCM sample: 8, 16, 24 or 32.
public let AVLinearPCMBitDepthKey: String = "AVLinearPCMBitDepthKey"
/// Whether the most significant byte comes first.
public let AVLinearPCMIsBigEndianKey: String = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point.
public let AVLinearPCMIsFloatKey: String = "AVLinearPCMIsFloatKey"
/// Whether each channel has a buffer of its own; files are always interleaved.
public let AVLinearPCMIsNonInterleaved: String = "AVLinearPCMIsNonInterleavedKey"
/// Container: an `AudioFileTypeID` as a number; without it the file's extension decides.
public let AVAudioFileTypeKey: String = "AVAudioFileTypeKey"
/// Quality of an encoder: an `AVAudioQuality` raw value.
public let AVEncoderAudioQualityKey: String = "AVEncoderQualityKey"
/// Quality of an encoder of variable bit rate: an `AVAudioQuality` raw value.
public let AVEncoderAudioQualityForVBRKey: String = "AVEncoderAudioQualityForVBRKey"
/// Bits per second of all channels; excludes the key per channel.
public let AVEncoderBitRateKey: String = "AVEncoderBitRateKey"
/// Bits per second of one channel.
public let AVEncoderBitRatePerChannelKey: String = "AVEncoderBitRatePerChannelKey"
/// One of the `AVAudioBitRateStrategy_` strings.
public let AVEncoderBitRateStrategyKey: String = "AVEncoderBitRateStrategyKey"
/// Bits worth coding, 8...32.
public let AVEncoderBitDepthHintKey: String = "AVEncoderBitDepthHintKey"
/// An `AVAudioDynamicRangeControlConfiguration` raw value.
public let AVEncoderDynamicRangeControlConfigurationKey: String = "AVEncoderDynamicRangeControlConfigurationKey"
/// An `AVAudioContentSource` raw value.
public let AVEncoderContentSourceKey: String = "AVEncoderContentSourceKey"
/// Packets between two audio sync packets.
public let AVEncoderASPFrequencyKey: String = "AVEncoderASPFrequencyKey"
/// One of the `AVSampleRateConverterAlgorithm_` strings.
public let AVSampleRateConverterAlgorithmKey: String = "AVSampleRateConverterAlgorithmKey"
/// Quality of sample-rate conversion: an `AVAudioQuality` raw value.
public let AVSampleRateConverterAudioQualityKey: String = "AVSampleRateConverterAudioQualityKey"
/// The bytes of an `AudioChannelLayout`, as `Data`.
public let AVChannelLayoutKey: String = "AVChannelLayoutKey"

/// The same rate throughout.
public let AVAudioBitRateStrategy_Constant: String = "AVAudioBitRateStrategy_Constant"
/// The rate on the long run.
public let AVAudioBitRateStrategy_LongTermAverage: String = "AVAudioBitRateStrategy_LongTermAverage"
/// A rate that varies within bounds.
public let AVAudioBitRateStrategy_VariableConstrained: String = "AVAudioBitRateStrategy_VariableConstrained"
/// A rate that varies freely.
public let AVAudioBitRateStrategy_Variable: String = "AVAudioBitRateStrategy_Variable"

/// The usual converter; the default.
public let AVSampleRateConverterAlgorithm_Normal: String = "AVSampleRateConverterAlgorithm_Normal"
/// A better, slower converter.
public let AVSampleRateConverterAlgorithm_Mastering: String = "AVSampleRateConverterAlgorithm_Mastering"
/// A converter whose impulse response does not begin before the impulse.
public let AVSampleRateConverterAlgorithm_MinimumPhase: String = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// How much care an encoder or converter takes.
public enum AVAudioQuality: Int, Sendable {
    /// The least.
    case min = 0
    /// A little.
    case low = 0x20
    /// Medium.
    case medium = 0x40
    /// Much.
    case high = 0x60
    /// The most.
    case max = 0x7F
}

/// The dynamic range a stream is meant for.
public enum AVAudioDynamicRangeControlConfiguration: Int, Sendable {
    /// Not told.
    case none = 0
    /// Music.
    case music = 1
    /// Speech.
    case speech = 2
    /// Films.
    case movie = 3
    /// Recordings.
    case capture = 4
}

/// Where the content of a stream comes from.
public enum AVAudioContentSource: Int, Sendable {
    /// It is not known, or not said.
    case unspecified = -1
    /// Kept free: not to be written.
    case reserved = 0
    /// Recorded on Apple's devices with ordinary microphones and channels.
    case appleCapture_Traditional = 1
    /// Recorded on Apple's devices with directions, in a spatial format.
    case appleCapture_Spatial = 2
    /// Recorded on Apple's devices with directions, and improved afterwards.
    case appleCapture_Spatial_Enhanced = 3
    /// Music made for Apple's services in channels.
    case appleMusic_Traditional = 4
    /// Music made for Apple's services in a spatial format.
    case appleMusic_Spatial = 5
    /// Films and programmes of Apple's services, coded as whole files, in channels.
    case appleAV_Traditional_Offline = 6
    /// Films and programmes of Apple's services, coded as whole files, in a spatial format.
    case appleAV_Spatial_Offline = 7
    /// Live programmes of Apple's services, in channels.
    case appleAV_Traditional_Live = 8
    /// Live programmes of Apple's services, in a spatial format.
    case appleAV_Spatial_Live = 9
    /// Of Apple's services, as it came: its coding was not changed.
    case applePassthrough = 10
    /// Recorded elsewhere with ordinary microphones and channels.
    case capture_Traditional = 33
    /// Recorded elsewhere with directions, in a spatial format.
    case capture_Spatial = 34
    /// Recorded elsewhere with directions, and improved afterwards.
    case capture_Spatial_Enhanced = 35
    /// Music in channels.
    case music_Traditional = 36
    /// Music in a spatial format.
    case music_Spatial = 37
    /// Films and programmes, coded as whole files, in channels.
    case AV_Traditional_Offline = 38
    /// Films and programmes, coded as whole files, in a spatial format.
    case AV_Spatial_Offline = 39
    /// Live programmes in channels.
    case AV_Traditional_Live = 40
    /// Live programmes in a spatial format.
    case AV_Spatial_Live = 41
    /// As it came: its coding was not changed.
    case passthrough = 42
}

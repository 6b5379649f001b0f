// The values of a converter's properties.

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

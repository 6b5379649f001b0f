// The properties of converters.

/// A four-character code that names a property of a converter.
public typealias AudioConverterPropertyID = UInt32

/// Bytes of input that are worth converting: one packet. `UInt32`, read only. (`mibs`)
public let kAudioConverterPropertyMinimumInputBufferSize: AudioConverterPropertyID = 0x6D69_6273
/// Bytes the output needs at least: one packet. `UInt32`, read only. (`mobs`)
public let kAudioConverterPropertyMinimumOutputBufferSize: AudioConverterPropertyID = 0x6D6F_6273
/// No input packet is larger. `UInt32`, read only. (`xips`)
public let kAudioConverterPropertyMaximumInputPacketSize: AudioConverterPropertyID = 0x7869_7073
/// No output packet is larger. `UInt32`, read only. (`xops`)
public let kAudioConverterPropertyMaximumOutputPacketSize: AudioConverterPropertyID = 0x786F_7073
/// Asked with a number of output bytes, answers with the input bytes they take. `UInt32`, read only. (`cibs`)
public let kAudioConverterPropertyCalculateInputBufferSize: AudioConverterPropertyID = 0x6369_6273
/// Asked with a number of input bytes, answers with the output bytes they give. `UInt32`, read only. (`cobs`)
public let kAudioConverterPropertyCalculateOutputBufferSize: AudioConverterPropertyID = 0x636F_6273
/// Kind of the low-pass behind a change of rate. `UInt32`. (`srca`)
public let kAudioConverterSampleRateConverterComplexity: AudioConverterPropertyID = 0x7372_6361
/// Quality of a change of rate, 0 to 127. `UInt32`. (`srcq`)
public let kAudioConverterSampleRateConverterQuality: AudioConverterPropertyID = 0x7372_6371
/// Where between two input frames the output begins: always at the first frame, 0. `Float64`. (`srcp`)
public let kAudioConverterSampleRateConverterInitialPhase: AudioConverterPropertyID = 0x7372_6370
/// Quality of the encoder, 0 to 127. `UInt32`. (`cdqu`)
public let kAudioConverterCodecQuality: AudioConverterPropertyID = 0x6364_7175
/// What a change of rate asks for before and behind the input. `UInt32`. (`prmm`)
public let kAudioConverterPrimeMethod: AudioConverterPropertyID = 0x7072_6D6D
/// How many frames that are; with a decoder, how many are dropped at the beginning and the end.
/// `AudioConverterPrimeInfo`. (`prim`)
public let kAudioConverterPrimeInfo: AudioConverterPropertyID = 0x7072_696D
/// For each output channel the input channel it takes, or a negative number for silence. `Int32` for each output
/// channel. (`chmp`)
public let kAudioConverterChannelMap: AudioConverterPropertyID = 0x6368_6D70
/// What a decoder needs besides the packets. Bytes. (`dmgc`)
public let kAudioConverterDecompressionMagicCookie: AudioConverterPropertyID = 0x646D_6763
/// What a decoder will need for the encoded packets. Bytes, read only. (`cmgc`)
public let kAudioConverterCompressionMagicCookie: AudioConverterPropertyID = 0x636D_6763
/// Bits per second of the encoded stream. `UInt32`. (`brat`)
public let kAudioConverterEncodeBitRate: AudioConverterPropertyID = 0x6272_6174
/// Rate of the encoded stream; fixed by the output format. `Float64`. (`ajsr`)
public let kAudioConverterEncodeAdjustableSampleRate: AudioConverterPropertyID = 0x616A_7372
/// The roles of the input channels. `AudioChannelLayout` with its tail. (`icl `)
public let kAudioConverterInputChannelLayout: AudioConverterPropertyID = 0x6963_6C20
/// The roles of the output channels. `AudioChannelLayout` with its tail. (`ocl `)
public let kAudioConverterOutputChannelLayout: AudioConverterPropertyID = 0x6F63_6C20
/// Bit rates the encoder takes with these formats. `AudioValueRange`s, read only. (`aebr`)
public let kAudioConverterApplicableEncodeBitRates: AudioConverterPropertyID = 0x6165_6272
/// Bit rates the encoder has. `AudioValueRange`s, read only. (`vebr`)
public let kAudioConverterAvailableEncodeBitRates: AudioConverterPropertyID = 0x7665_6272
/// Sample rates the encoder takes with these formats. `AudioValueRange`s, read only. (`aesr`)
public let kAudioConverterApplicableEncodeSampleRates: AudioConverterPropertyID = 0x6165_7372
/// Sample rates the encoder has. `AudioValueRange`s, read only. (`vesr`)
public let kAudioConverterAvailableEncodeSampleRates: AudioConverterPropertyID = 0x7665_7372
/// Layouts the encoder takes. `AudioChannelLayoutTag`s, read only. (`aecl`)
public let kAudioConverterAvailableEncodeChannelLayoutTags: AudioConverterPropertyID = 0x6165_636C
/// The output format with every field filled. `AudioStreamBasicDescription`, read only. (`acod`)
public let kAudioConverterCurrentOutputStreamDescription: AudioConverterPropertyID = 0x6163_6F64
/// The input format with every field filled. `AudioStreamBasicDescription`, read only. (`acid`)
public let kAudioConverterCurrentInputStreamDescription: AudioConverterPropertyID = 0x6163_6964
/// Significant bits of a sample; fixed by the formats. `UInt32`. (`acbd`)
public let kAudioConverterPropertyBitDepthHint: AudioConverterPropertyID = 0x6163_6264
/// Which noise hides the loss of bits, 0 for none. `UInt32`. (`dith`)
public let kAudioConverterPropertyDithering: AudioConverterPropertyID = 0x6469_7468
/// Bits to which samples are dithered; fixed by the output format. `UInt32`. (`dbit`)
public let kAudioConverterPropertyDitherBitDepth: AudioConverterPropertyID = 0x6462_6974
/// How the encoder spends its bits, one of `kAudioCodecBitRateControlMode_`…. `UInt32`. (`acbf`)
public let kAudioCodecPropertyBitRateControlMode: AudioConverterPropertyID = 0x6163_6266
/// Quality at a variable bit rate, 0 to 127. `UInt32`. (`vbrq`)
public let kAudioCodecPropertySoundQualityForVBR: AudioConverterPropertyID = 0x7662_7271

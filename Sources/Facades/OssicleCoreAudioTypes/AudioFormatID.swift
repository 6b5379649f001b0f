// Format identifiers: which coding a stream of samples uses. Four-character codes, most significant byte first.

/// A four-character code that names the coding of an audio stream.
public typealias AudioFormatID = UInt32

/// Uncompressed samples (`lpcm`).
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70636D
/// Dolby Digital (`ac-3`).
public let kAudioFormatAC3: AudioFormatID = 0x61632D33
/// AC-3 packed for IEC 60958 (`cac3`).
public let kAudioFormat60958AC3: AudioFormatID = 0x63616333
/// IMA 4:1 ADPCM (`ima4`).
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D6134
/// MPEG-4 AAC low complexity (`aac `).
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x61616320
/// MPEG-4 CELP (`celp`).
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x63656C70
/// MPEG-4 HVXC (`hvxc`).
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x68767863
/// MPEG-4 TwinVQ (`twvq`).
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x74777671
/// MACE 3:1 (`MAC3`).
public let kAudioFormatMACE3: AudioFormatID = 0x4D414333
/// MACE 6:1 (`MAC6`).
public let kAudioFormatMACE6: AudioFormatID = 0x4D414336
/// G.711 µ-law 2:1 (`ulaw`).
public let kAudioFormatULaw: AudioFormatID = 0x756C6177
/// G.711 A-law 2:1 (`alaw`).
public let kAudioFormatALaw: AudioFormatID = 0x616C6177
/// QDesign music (`QDMC`).
public let kAudioFormatQDesign: AudioFormatID = 0x51444D43
/// QDesign2 music (`QDM2`).
public let kAudioFormatQDesign2: AudioFormatID = 0x51444D32
/// QUALCOMM PureVoice (`Qclp`).
public let kAudioFormatQUALCOMM: AudioFormatID = 0x51636C70
/// MPEG-1/2 layer I (`.mp1`).
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D7031
/// MPEG-1/2 layer II (`.mp2`).
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D7032
/// MPEG-1/2 layer III (MP3) (`.mp3`).
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D7033
/// Time code stream (`time`).
public let kAudioFormatTimeCode: AudioFormatID = 0x74696D65
/// MIDI stream (`midi`).
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D696469
/// Parameter values at audio rate (`apvs`).
public let kAudioFormatParameterValueStream: AudioFormatID = 0x61707673
/// Apple Lossless (ALAC) (`alac`).
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C6163
/// High-efficiency AAC (`aach`).
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x61616368
/// AAC low delay (`aacl`).
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161636C
/// AAC enhanced low delay (`aace`).
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x61616365
/// AAC enhanced low delay with SBR (`aacf`).
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x61616366
/// AAC enhanced low delay, version 2 (`aacg`).
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x61616367
/// High-efficiency AAC, version 2 (`aacp`).
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x61616370
/// MPEG-4 spatial audio (`aacs`).
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x61616373
/// MPEG-D unified speech and audio coding (`usac`).
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x75736163
/// AMR narrow band (`samr`).
public let kAudioFormatAMR: AudioFormatID = 0x73616D72
/// AMR wide band (`sawb`).
public let kAudioFormatAMR_WB: AudioFormatID = 0x73617762
/// Audible books (`AUDB`).
public let kAudioFormatAudible: AudioFormatID = 0x41554442
/// Internet low bit-rate speech (`ilbc`).
public let kAudioFormatiLBC: AudioFormatID = 0x696C6263
/// DVI/Intel IMA ADPCM, WAVE code 17.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D730011
/// Microsoft GSM 6.10, WAVE code 49.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D730031
/// AES3-2003 stream (`aes3`).
public let kAudioFormatAES3: AudioFormatID = 0x61657333
/// Dolby Digital Plus (`ec-3`).
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x65632D33
/// Free lossless audio codec (`flac`).
public let kAudioFormatFLAC: AudioFormatID = 0x666C6163
/// Opus, RFC 6716 (`opus`).
public let kAudioFormatOpus: AudioFormatID = 0x6F707573
/// Apple positional audio codec (`apac`).
public let kAudioFormatAPAC: AudioFormatID = 0x61706163

/// Bits that refine an `AudioFormatID`.
public typealias AudioFormatFlags = UInt32

/// Samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The most significant byte comes first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Integer samples are signed.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The sample's bits fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Samples that do not fill their bytes lie at the high end.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel has its own buffer.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The stream must not be mixed with others.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// No flag is set; 0 itself means "not specified".
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000

/// Floating point.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// Most significant byte first.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// Signed integers.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// No padding bits.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// Padding at the low end.
public let kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh
/// One buffer per channel.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved
/// Not to be mixed.
public let kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable

/// Lossless coding of 16-bit samples.
public let kAppleLosslessFormatFlag_16BitSourceData: AudioFormatFlags = 1
/// Lossless coding of 20-bit samples.
public let kAppleLosslessFormatFlag_20BitSourceData: AudioFormatFlags = 2
/// Lossless coding of 24-bit samples.
public let kAppleLosslessFormatFlag_24BitSourceData: AudioFormatFlags = 3
/// Lossless coding of 32-bit samples.
public let kAppleLosslessFormatFlag_32BitSourceData: AudioFormatFlags = 4

#if _endian(big)
/// The flag of this machine's byte order.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
#else
/// The flag of this machine's byte order: none, because it is little endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
#endif
/// Floating point in this machine's byte order, without padding.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked

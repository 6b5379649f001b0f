// Flags that describe how linear PCM lies in memory.

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

// The sample formats that everything here can work with.

import OssicleCoreAudioTypes

/// A common form of linear PCM, in the machine's byte order.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// None of the others.
    case otherFormat = 0
    /// 32-bit floating point.
    case pcmFormatFloat32 = 1
    /// 64-bit floating point.
    case pcmFormatFloat64 = 2
    /// 16-bit signed integers.
    case pcmFormatInt16 = 3
    /// 32-bit signed integers.
    case pcmFormatInt32 = 4

    /// Bytes of a sample; 0 for `otherFormat`.
    var sampleSize: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }

    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }

    /// The stream description of this form.
    func description(sampleRate: Double, channels: UInt32, interleaved: Bool) -> AudioStreamBasicDescription {
        let kind = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        let flags = kind | kAudioFormatFlagIsPacked | kAudioFormatFlagsNativeEndian | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
        let frame = sampleSize * (interleaved ? min(channels, 65_535) : 1)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frame, mFramesPerPacket: 1,
            mBytesPerFrame: frame, mChannelsPerFrame: channels, mBitsPerChannel: sampleSize * 8, mReserved: 0)
    }
}

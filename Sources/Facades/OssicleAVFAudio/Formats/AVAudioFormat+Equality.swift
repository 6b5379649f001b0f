// Formats are equal when a stream of one is a stream of the other.

import OssicleCoreAudioTypes

extension AVAudioFormat {
    /// Whether a stream of one format can be read as the other: one channel is neither interleaved nor not, the usual mono and
    /// stereo layouts equal none, and flags that change nothing do not count.
    func describesSameStream(as other: AVAudioFormat) -> Bool {
        streamDescription.pointee.normalized == other.streamDescription.pointee.normalized && significantLayout == other.significantLayout
    }

    private var significantLayout: AVAudioChannelLayout? {
        switch channelLayout?.layoutTag {
        case kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo: nil
        default: channelLayout
        }
    }

    /// Rate, channels and sample form in words.
    func describe() -> String {
        let layout = channelLayout.map { ", layout \($0.layoutTag >> 16)<<16|\($0.layoutTag & 0xFFFF)" } ?? ""
        let form = isPCM ? "\(streamDescription.pointee.sampleName), \(isInterleaved ? "interleaved" : "deinterleaved")"
                         : "'\(streamDescription.pointee.mFormatID.fourCharacters)'"
        return "<AVAudioFormat: \(channelCount) ch, \(sampleRate) Hz, \(form)\(layout)>"
    }
}

extension AudioStreamBasicDescription {
    /// The description without what makes no difference to linear PCM.
    var normalized: AudioStreamBasicDescription {
        guard mFormatID == kAudioFormatLinearPCM else { return self }
        var result = self
        result.mReserved = 0
        result.mFormatFlags &= ~(kAudioFormatFlagIsNonMixable | kAudioFormatFlagsAreAllClear)
        if mChannelsPerFrame == 1 { result.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
        let channelsInBuffer = mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? max(mChannelsPerFrame, 1) : 1
        if UInt64(mBitsPerChannel) * UInt64(channelsInBuffer) == UInt64(mBytesPerFrame) * 8 {
            result.mFormatFlags |= kAudioFormatFlagIsPacked
            result.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
        }
        if mFormatFlags & kAudioFormatFlagIsFloat != 0 { result.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
        return result
    }

    /// The common form of these samples, or `.otherFormat`.
    var commonFormat: AVAudioCommonFormat {
        guard mFormatID == kAudioFormatLinearPCM, mChannelsPerFrame > 0 else { return .otherFormat }
        let interleaved = mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
        let forms: [AVAudioCommonFormat] = [.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32]
        return forms.first { form in
            form.description(sampleRate: mSampleRate, channels: mChannelsPerFrame, interleaved: interleaved).normalized == normalized
        } ?? .otherFormat
    }

    var sampleName: String {
        let kind = mFormatFlags & kAudioFormatFlagIsFloat != 0 ? "Float" : mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 ? "Int" : "UInt"
        return "\(kind)\(mBitsPerChannel)\(mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? " big endian" : "")"
    }
}

extension UInt32 {
    /// The four characters of a code; what cannot be printed becomes a dot.
    var fourCharacters: String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }.map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
    }
}

// Formats as streams: of files and settings, in buffers, as the services know them, and when two are the same.

import OssicleAudioToolbox
import OssicleChannels
import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

extension AVAudioFormat {
    /// The format in a file. Channels beyond two that the file does not name are discrete.
    convenience init(file info: AudioFileInfo, layout: AVAudioChannelLayout? = nil) {
        self.init(unchecked: info.streamFormat.described(), channelLayout: layout ?? Self.layout(info))
    }

    /// The format of buffers for a file of this format.
    func processing(_ form: AVAudioCommonFormat, interleaved: Bool) -> AVAudioFormat {
        let asbd = form.description(sampleRate: sampleRate, channels: channelCount, interleaved: interleaved)
        return AVAudioFormat(unchecked: asbd, channelLayout: channelLayout)
    }

    private static func layout(_ info: AudioFileInfo) -> AVAudioChannelLayout? {
        if info.channelCount <= 2, info.channelLabels == nil || info.channelLabels == [1, 2] { return nil }
        if let labels = info.channelLabels { return AVAudioChannelLayout(labels: labels) }
        return AVAudioChannelLayout(
            layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: info.channelCount))
    }
}

extension AVAudioFormat {
    /// The format as the services know it; `nil` when it makes no sense or names no codec known here.
    var stream: StreamFormat? {
        StreamFormat(
            streamDescription.pointee, cookie: magicCookie.map { [UInt8]($0) } ?? [], channelLabels: streamLabels)
    }

    /// The labels of the layout; of one or two channels of linear PCM without one, the usual.
    var streamLabels: [UInt32]? {
        if let labels = channelLayout?.channelLabels, !labels.isEmpty { return labels }
        return isPCM ? ChannelLabel.usual(Int(channelCount)) : nil
    }
}

extension AVAudioFormat {
    /// Buffers in a list of this format.
    var bufferCount: Int { isInterleaved ? 1 : Int(channelCount) }
    /// Channels in each of them.
    var channelsPerBuffer: UInt32 { isInterleaved ? channelCount : 1 }

    /// Whether packets need no descriptions.
    var hasConstantPackets: Bool {
        streamDescription.pointee.mBytesPerPacket > 0 && streamDescription.pointee.mFramesPerPacket > 0
    }

    /// The format as a settings dictionary; `AVAudioFormat(settings:)` makes it again.
    public var settings: [String: Any] {
        let asbd = streamDescription.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: asbd.mFormatID), AVSampleRateKey: NSNumber(value: asbd.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: asbd.mChannelsPerFrame),
        ]
        if isPCM {
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: asbd.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: asbd.mFormatFlags & kAudioFormatFlagIsFloat != 0)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: asbd.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !isInterleaved)
        } else if let depth = SourceDepth.bits(asbd.mFormatFlags, of: asbd.mFormatID) {
            settings[AVEncoderBitDepthHintKey] = NSNumber(value: depth)
        }
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.data }
        return settings
    }
}

extension AVAudioFormat {
    /// Whether a stream of one format can be read as the other: one channel is neither interleaved nor not, the usual
    /// mono and stereo layouts equal none, and flags that change nothing do not count.
    func describesSameStream(as other: AVAudioFormat) -> Bool {
        streamDescription.pointee.normalized == other.streamDescription.pointee.normalized
            && significantLayout == other.significantLayout
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
        let form =
            isPCM
            ? "\(streamDescription.pointee.sampleName), \(isInterleaved ? "interleaved" : "deinterleaved")"
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
            form.description(sampleRate: mSampleRate, channels: mChannelsPerFrame, interleaved: interleaved).normalized
                == normalized
        } ?? .otherFormat
    }

    var sampleName: String {
        let kind =
            mFormatFlags & kAudioFormatFlagIsFloat != 0
            ? "Float" : mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 ? "Int" : "UInt"
        return "\(kind)\(mBitsPerChannel)\(mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? " big endian" : "")"
    }
}

extension UInt32 {
    /// The four characters of a code; what cannot be printed becomes a dot.
    var fourCharacters: String {
        String(
            decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }.map {
                (0x20...0x7E).contains($0) ? $0 : 0x2E
            }, as: UTF8.self)
    }
}

/// Description and layout of a format.
struct FormatShape {
    let asbd: AudioStreamBasicDescription
    let layout: AVAudioChannelLayout?

    init(asbd: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        self.asbd = asbd
        self.layout = layout
    }

    /// `nil` unless the rate is positive and finite, there are channels, a layout has as many and stands with more than
    /// two, and linear PCM has room for its bits.
    init?(checking asbd: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        guard asbd.mSampleRate.isFinite, asbd.mSampleRate > 0, (1...65_535).contains(asbd.mChannelsPerFrame),
            asbd.mFormatID != 0,
            asbd.mChannelsPerFrame <= 2 || layout != nil,
            layout == nil || layout?.channelCount == asbd.mChannelsPerFrame
        else { return nil }
        if asbd.mFormatID == kAudioFormatLinearPCM {
            let channelsInBuffer =
                asbd.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? asbd.mChannelsPerFrame : 1
            guard asbd.mBitsPerChannel > 0, asbd.mFramesPerPacket == 1,
                UInt64(asbd.mBytesPerFrame) * 8 >= UInt64(asbd.mBitsPerChannel) * UInt64(channelsInBuffer)
            else { return nil }
        }
        self.init(asbd: asbd, layout: layout)
    }
}

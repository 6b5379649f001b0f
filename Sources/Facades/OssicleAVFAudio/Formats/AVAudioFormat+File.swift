// The formats of files.

import OssicleCoreAudioTypes
import OssicleFiles

extension AVAudioFormat {
    /// The format in a file. Channels beyond two that the file does not name are discrete.
    convenience init(file info: AudioFileInfo, layout: AVAudioChannelLayout? = nil) {
        var asbd = AudioStreamBasicDescription()
        asbd.mSampleRate = info.sampleRate
        asbd.mChannelsPerFrame = UInt32(clamping: info.channelCount)
        if (info.codec.isInteger || info.codec.isFloat), info.container != .flac, !info.codec.isLosslessCompression {
            asbd.setLinear(info)
        } else {
            asbd.setCompressed(info)
        }
        self.init(unchecked: asbd, channelLayout: layout ?? Self.layout(info))
    }

    /// The format of buffers for a file of this format.
    func processing(_ form: AVAudioCommonFormat, interleaved: Bool) -> AVAudioFormat {
        AVAudioFormat(unchecked: form.description(sampleRate: sampleRate, channels: channelCount, interleaved: interleaved), channelLayout: channelLayout)
    }

    private static func layout(_ info: AudioFileInfo) -> AVAudioChannelLayout? {
        if info.channelCount <= 2, info.channelLabels == nil || info.channelLabels == [1, 2] { return nil }
        if let labels = info.channelLabels { return AVAudioChannelLayout(labels: labels) }
        return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: info.channelCount))
    }
}

extension AudioCodec {
    var isLosslessCompression: Bool { [.alac16, .alac20, .alac24, .alac32].contains(self) }
}

extension AudioStreamBasicDescription {
    fileprivate mutating func setLinear(_ info: AudioFileInfo) {
        mFormatID = kAudioFormatLinearPCM
        mFormatFlags = kAudioFormatFlagIsPacked | (info.isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
        if info.codec.isFloat { mFormatFlags |= kAudioFormatFlagIsFloat } else if info.codec != .pcm8Unsigned { mFormatFlags |= kAudioFormatFlagIsSignedInteger }
        mBitsPerChannel = UInt32(clamping: info.bitDepth)
        mBytesPerFrame = UInt32(clamping: info.bitDepth / 8 * info.channelCount)
        mBytesPerPacket = mBytesPerFrame
        mFramesPerPacket = 1
    }

    fileprivate mutating func setCompressed(_ info: AudioFileInfo) {
        let channels = mChannelsPerFrame
        switch info.codec {
        case .muLaw, .aLaw:
            mFormatID = info.codec == .muLaw ? kAudioFormatULaw : kAudioFormatALaw
            (mBitsPerChannel, mFramesPerPacket, mBytesPerFrame, mBytesPerPacket) = (8, 1, channels, channels)
        case .alac16, .alac20, .alac24, .alac32:
            mFormatID = kAudioFormatAppleLossless
            (mFormatFlags, mFramesPerPacket) = (Self.losslessFlag(info.bitDepth), 4096)
        case .mp3: (mFormatID, mFramesPerPacket) = (kAudioFormatMPEGLayer3, info.sampleRate < 32_000 ? 576 : 1152)
        case .mp2: (mFormatID, mFramesPerPacket) = (kAudioFormatMPEGLayer2, 1152)
        case .mp1: (mFormatID, mFramesPerPacket) = (kAudioFormatMPEGLayer1, 384)
        case .opus: mFormatID = kAudioFormatOpus
        case .vorbis: mFormatID = 0x766F_7262 // 'vorb': Core Audio has no code for it
        case .imaADPCM: mFormatID = info.container == .wav ? kAudioFormatDVIIntelIMA : kAudioFormatAppleIMA4
        case .pcm8, .pcm16, .pcm24: (mFormatID, mFormatFlags) = (kAudioFormatFLAC, Self.losslessFlag(info.bitDepth))
        default: mFormatID = 0x3F3F_3F3F // '????'
        }
    }

    private static func losslessFlag(_ bits: Int) -> AudioFormatFlags {
        switch bits {
        case 16: kAppleLosslessFormatFlag_16BitSourceData
        case 20: kAppleLosslessFormatFlag_20BitSourceData
        case 24: kAppleLosslessFormatFlag_24BitSourceData
        case 32: kAppleLosslessFormatFlag_32BitSourceData
        default: 0
        }
    }
}

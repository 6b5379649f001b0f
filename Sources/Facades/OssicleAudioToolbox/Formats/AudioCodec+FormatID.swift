// Between Core Audio's format IDs and codecs.

import OssicleCodecs
import OssicleCoreAudioTypes

/// Vorbis, which Core Audio has no code for (`vorb`).
package let kOssicleFormatVorbis: AudioFormatID = 0x766F_7262
private let unknownFormat: AudioFormatID = 0x3F3F_3F3F

extension AudioCodec {
    /// The codec of a compressed stream; `nil` for one not known here. A lossless stream that does not tell its depth has 16 bits.
    init?(_ asbd: AudioStreamBasicDescription) {
        switch asbd.mFormatID {
        case kAudioFormatAppleLossless: self = .alac(bits: SourceDepth.bits(asbd) ?? 16)
        case kAudioFormatFLAC: self = .flac(bits: SourceDepth.bits(asbd) ?? 16)
        default:
            guard let codec = Self.plain.first(where: { $0.id == asbd.mFormatID })?.codec else { return nil }
            self = codec
        }
    }

    /// Core Audio's code and flags for a compressed stream of this codec.
    package var formatID: (id: AudioFormatID, flags: AudioFormatFlags) {
        switch self {
        case .alac16, .alac20, .alac24, .alac32: (kAudioFormatAppleLossless, SourceDepth.flag(bitDepth))
        case .flac8, .flac16, .flac24: (kAudioFormatFLAC, SourceDepth.flag(bitDepth))
        default: (Self.plain.first { $0.codec == self }?.id ?? unknownFormat, 0)
        }
    }

    /// Frames and bytes of a packet, where the codec fixes them; 0 where it does not.
    package func packetFacts(sampleRate: Double, channels: Int) -> (frames: Int, bytes: Int) {
        switch self {
        case .muLaw, .aLaw: (1, channels)
        case .ima4: (64, 34 * channels)
        case .alac16, .alac20, .alac24, .alac32: (4096, 0)
        case .aac: (1024, 0)
        case .heAAC, .heAACv2: (2048, 0)
        case .mp1: (384, 0)
        case .mp2: (1152, 0)
        case .mp3: (sampleRate < 32_000 ? 576 : 1152, 0)
        default: (0, 0)
        }
    }

    private static let plain: [(id: AudioFormatID, codec: AudioCodec)] = [
        (kAudioFormatULaw, .muLaw), (kAudioFormatALaw, .aLaw), (kAudioFormatAppleIMA4, .ima4), (kAudioFormatDVIIntelIMA, .imaADPCM),
        (kAudioFormatMPEG4AAC, .aac), (kAudioFormatMPEG4AAC_HE, .heAAC), (kAudioFormatMPEG4AAC_HE_V2, .heAACv2),
        (kAudioFormatMPEGLayer1, .mp1), (kAudioFormatMPEGLayer2, .mp2), (kAudioFormatMPEGLayer3, .mp3),
        (kAudioFormatOpus, .opus), (kOssicleFormatVorbis, .vorbis), (0x6D73_0002, .microsoftADPCM),
    ]
}

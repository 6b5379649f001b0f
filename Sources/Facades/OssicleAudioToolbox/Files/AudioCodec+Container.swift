// Which codec a stream description asks for in a container.

import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

extension AudioCodec {
    /// The codec by which `asbd` is kept in `container`; `nil` where they do not go together. Linear PCM takes the container's own byte
    /// order and its own kind of 8-bit sample.
    package init?(_ asbd: AudioStreamBasicDescription, in container: AudioContainer) {
        let isLinear = asbd.mFormatID == kAudioFormatLinearPCM
        guard let codec = isLinear ? Self.linear(asbd, container) : AudioCodec(asbd), container.holds(codec) else { return nil }
        self = codec
    }

    private static func linear(_ asbd: AudioStreamBasicDescription, _ container: AudioContainer) -> AudioCodec {
        switch (asbd.mFormatFlags & kAudioFormatFlagIsFloat != 0, asbd.mBitsPerChannel) {
        case (true, 64): .float64
        case (true, _): .float32
        case (_, ...8): [.wav, .rf64, .wave64].contains(container) ? .pcm8Unsigned : .pcm8
        case (_, 17...24): .pcm24
        case (_, 25...): .pcm32
        default: .pcm16
        }
    }
}

extension AudioCodec {
    /// The codec by which `asbd` is kept in a file of `type`, which may be narrower than its container: AIFF holds integers of 8 to 32 bits, and
    /// AIFF-C floating point, most significant byte first, and compressed sound as well.
    package init?(_ asbd: AudioStreamBasicDescription, inFileOf type: AudioFileTypeID) {
        guard let container = AudioContainer(type: type), let codec = AudioCodec(asbd, in: container), type.holds(codec) else { return nil }
        self = codec
    }
}

extension AudioFileTypeID {
    /// Whether files of this type can hold `codec`.
    func holds(_ codec: AudioCodec) -> Bool {
        guard let container = AudioContainer(type: self), container.holds(codec) else { return false }
        return self != kAudioFileAIFFType || [.pcm8, .pcm16, .pcm24, .pcm32].contains(codec)
    }
}

extension AudioContainer {
    /// Whether files of this kind can hold `codec`.
    func holds(_ codec: AudioCodec) -> Bool {
        switch self {
        case .wav, .rf64, .wave64: codec.isLinear || [.muLaw, .aLaw, .imaADPCM, .microsoftADPCM].contains(codec)
        case .aiff: codec.isLinear || [.muLaw, .aLaw, .ima4].contains(codec)
        case .au: codec.isLinear || [.muLaw, .aLaw].contains(codec)
        case .caf: ![.vorbis, .imaADPCM, .microsoftADPCM, .other].contains(codec)
        case .flac: [.flac8, .flac16, .flac24].contains(codec)
        case .ogg: [.vorbis, .opus].contains(codec)
        case .mpeg: [.mp1, .mp2, .mp3].contains(codec)
        case .mpeg4: [.aac, .heAAC, .heAACv2, .alac16, .alac20, .alac24, .alac32].contains(codec)
        case .adts: [.aac, .heAAC, .heAACv2].contains(codec)
        case .other: false
        }
    }
}

import OssicleCodecs
import OssicleFiles

/// Container and codec as people call them, once where one name says both: "FLAC, 16 bits", "WAV, 24-bit PCM".
enum FormatWords {
    static func of(_ container: AudioContainer, _ codec: AudioCodec) -> String {
        [.flac, .mpeg].contains(container) ? codec.words : "\(container.words), \(codec.words)"
    }
}

extension AudioContainer {
    /// The name people know it by.
    var words: String {
        switch self {
        case .wav: "WAV"
        case .rf64: "RF64"
        case .wave64: "Wave64"
        case .aiff: "AIFF"
        case .caf: "CAF"
        case .flac: "FLAC"
        case .ogg: "Ogg"
        case .mpeg: "MPEG audio"
        case .au: "AU"
        case .mpeg4: "MPEG-4"
        case .adts: "ADTS"
        case .other: "another format"
        }
    }
}

extension AudioCodec {
    /// The name people know it by, with the bits of a sample where it has them.
    var words: String {
        switch self {
        case .pcm8, .pcm16, .pcm24, .pcm32: "\(bitDepth)-bit PCM"
        case .pcm8Unsigned: "8-bit PCM without sign"
        case .float32, .float64: "\(bitDepth)-bit floating point"
        case .alac16, .alac20, .alac24, .alac32: "Apple Lossless, \(bitDepth) bits"
        case .flac8, .flac16, .flac24: "FLAC, \(bitDepth) bits"
        case .muLaw: "µ-law"
        case .aLaw: "A-law"
        case .imaADPCM, .ima4: "IMA ADPCM"
        case .microsoftADPCM: "Microsoft ADPCM"
        case .aac: "AAC"
        case .heAAC: "HE-AAC"
        case .heAACv2: "HE-AAC v2"
        case .vorbis: "Vorbis"
        case .opus: "Opus"
        case .mp1: "MP1"
        case .mp2: "MP2"
        case .mp3: "MP3"
        case .other: "another codec"
        }
    }
}

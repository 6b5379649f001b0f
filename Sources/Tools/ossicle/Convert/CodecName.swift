import ArgumentParser
import OssicleCodecs

/// A codec one can ask for.
enum CodecName: String, CaseIterable, ExpressibleByArgument, Sendable {
    case pcm, float, mulaw, alaw, ima, alac, flac, aac, mp3, vorbis, opus

    /// The depths it comes in, in bits; empty where that is no choice.
    var depths: [Int] {
        switch self {
        case .pcm: [8, 16, 24, 32]
        case .float: [32, 64]
        case .alac: [16, 20, 24, 32]
        case .flac: [16, 24]
        default: []
        }
    }

    /// The codec in a file of `format` for samples of `bits`, one of its depths.
    func codec(bits: Int, in format: OutputFormat) -> AudioCodec {
        switch self {
        case .pcm: [8: format.hasUnsignedBytes ? .pcm8Unsigned : .pcm8, 24: .pcm24, 32: .pcm32][bits] ?? .pcm16
        case .float: bits > 32 ? .float64 : .float32
        case .alac: .alac(bits: bits)
        case .flac: .flac(bits: bits)
        case .mulaw: .muLaw
        case .alaw: .aLaw
        case .ima: [.aiff, .caf].contains(format) ? .ima4 : .imaADPCM
        case .aac: .aac
        case .mp3: .mp3
        case .vorbis: .vorbis
        case .opus: .opus
        }
    }

    /// The rates the codec knows, in hertz, ascending; empty when it takes any.
    var sampleRates: [Int] {
        switch self {
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
        case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        case .aac: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
        default: []
        }
    }
}

extension OutputFormat {
    /// In RIFF files samples of 8 bits have no sign.
    fileprivate var hasUnsignedBytes: Bool { [.wav, .w64, .rf64].contains(self) }
}

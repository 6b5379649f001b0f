// Codecs: how samples are coded.

/// The coding of the samples in a stream or a sound file.
package enum AudioCodec: String, CaseIterable, Sendable {
    case pcm8, pcm8Unsigned, pcm16, pcm24, pcm32, float32, float64
    /// `imaADPCM` is WAVE's form, `ima4` Apple's: packets of 64 frames.
    case muLaw, aLaw, imaADPCM, ima4, microsoftADPCM
    case alac16, alac20, alac24, alac32
    case flac8, flac16, flac24
    case aac, heAAC, heAACv2
    case vorbis, opus, mp1, mp2, mp3
    /// Readable, but not one we name.
    case other

    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bitDepth: Int {
        switch self {
        case .pcm8, .pcm8Unsigned, .flac8: 8
        case .pcm16, .alac16, .flac16: 16
        case .alac20: 20
        case .pcm24, .alac24, .flac24: 24
        case .pcm32, .float32, .alac32: 32
        case .float64: 64
        default: 0
        }
    }

    /// Whether samples are kept as they are.
    package var isLossless: Bool { bitDepth > 0 }

    /// Whether samples lie in the stream as they are, without compression.
    package var isLinear: Bool { isFloat || [.pcm8, .pcm8Unsigned, .pcm16, .pcm24, .pcm32].contains(self) }

    /// Whether samples are kept as they are, as integers.
    package var isInteger: Bool { isLossless && !isFloat }

    /// Whether samples are kept as they are, as floating point.
    package var isFloat: Bool { self == .float32 || self == .float64 }

    /// Apple Lossless for samples of `bits`.
    package static func alac(bits: Int) -> AudioCodec { bits > 24 ? .alac32 : bits > 20 ? .alac24 : bits > 16 ? .alac20 : .alac16 }

    /// FLAC for samples of `bits`.
    package static func flac(bits: Int) -> AudioCodec { bits > 16 ? .flac24 : bits > 8 ? .flac16 : .flac8 }
}

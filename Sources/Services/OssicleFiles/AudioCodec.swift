// Codecs: how a file codes its samples.

import CSndfile

/// The coding of the samples in a sound file.
package enum AudioCodec: String, CaseIterable, Sendable {
    case pcm8, pcm8Unsigned, pcm16, pcm24, pcm32, float32, float64
    case muLaw, aLaw, imaADPCM, microsoftADPCM
    case alac16, alac20, alac24, alac32
    /// The FLAC container carries its own coding of 8-, 16- or 24-bit samples.
    case vorbis, opus, mp1, mp2, mp3
    /// Readable, but not one we name.
    case other

    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bitDepth: Int {
        switch self {
        case .pcm8, .pcm8Unsigned: 8
        case .pcm16, .alac16: 16
        case .alac20: 20
        case .pcm24, .alac24: 24
        case .pcm32, .float32, .alac32: 32
        case .float64: 64
        default: 0
        }
    }

    /// Whether samples are stored as they are, as integers.
    package var isInteger: Bool {
        switch self {
        case .pcm8, .pcm8Unsigned, .pcm16, .pcm24, .pcm32, .alac16, .alac20, .alac24, .alac32: true
        default: false
        }
    }

    /// Whether samples are stored as they are, as floating point.
    package var isFloat: Bool { self == .float32 || self == .float64 }

    /// Whether decoding may start at any frame and gives the same samples as decoding from the beginning. Measured: seeking
    /// in MP3 and Vorbis does not, and nothing promises it of Opus, whose decoder carries its past along.
    var seeksExactly: Bool {
        isInteger || isFloat || [.muLaw, .aLaw, .imaADPCM, .microsoftADPCM].contains(self)
    }

    var sndfileFormat: Int32? { Self.numbers.first { $0.codec == self }.map { Int32($0.number) } }

    init(sndfileFormat: Int32) {
        let number = Int(sndfileFormat) & SF_FORMAT_SUBMASK
        self = Self.numbers.first { $0.number == number }?.codec ?? .other
    }

    private static let numbers: [(codec: AudioCodec, number: Int)] = [
        (.pcm8, SF_FORMAT_PCM_S8), (.pcm8Unsigned, SF_FORMAT_PCM_U8),
        (.pcm16, SF_FORMAT_PCM_16), (.pcm24, SF_FORMAT_PCM_24), (.pcm32, SF_FORMAT_PCM_32),
        (.float32, SF_FORMAT_FLOAT), (.float64, SF_FORMAT_DOUBLE),
        (.muLaw, SF_FORMAT_ULAW), (.aLaw, SF_FORMAT_ALAW),
        (.imaADPCM, SF_FORMAT_IMA_ADPCM), (.microsoftADPCM, SF_FORMAT_MS_ADPCM),
        (.alac16, SF_FORMAT_ALAC_16), (.alac20, SF_FORMAT_ALAC_20),
        (.alac24, SF_FORMAT_ALAC_24), (.alac32, SF_FORMAT_ALAC_32),
        (.vorbis, SF_FORMAT_VORBIS), (.opus, SF_FORMAT_OPUS),
        (.mp1, SF_FORMAT_MPEG_LAYER_I), (.mp2, SF_FORMAT_MPEG_LAYER_II),
        (.mp3, SF_FORMAT_MPEG_LAYER_III),
    ]
}

// Codecs as libsndfile numbers them.

import CSndfile
import OssicleCodecs

extension AudioCodec {
    /// Whether decoding may start at any frame and gives the same samples as decoding from the beginning. Measured: seeking
    /// in MP3 and Vorbis does not, and nothing promises it of Opus, whose decoder carries its past along.
    var seeksExactly: Bool { isLossless || [.muLaw, .aLaw, .imaADPCM, .ima4, .microsoftADPCM].contains(self) }

    /// libsndfile's number for writing in `container`.
    func sndfileFormat(in container: AudioContainer) -> Int32? {
        switch self {
        case .flac8 where container == .flac: Int32(SF_FORMAT_PCM_S8)
        case .flac16 where container == .flac: Int32(SF_FORMAT_PCM_16)
        case .flac24 where container == .flac: Int32(SF_FORMAT_PCM_24)
        case .ima4: Int32(SF_FORMAT_IMA_ADPCM)
        // libsndfile 1.2 overruns its own packets at this depth.
        case .alac20: nil
        case _ where container == .flac: nil
        default: Self.numbers.first { $0.codec == self }.map { Int32($0.number) }
        }
    }

    init(sndfileFormat: Int32, in container: AudioContainer) {
        let number = Int(sndfileFormat) & SF_FORMAT_SUBMASK
        let codec = Self.numbers.first { $0.number == number }?.codec ?? .other
        self = switch container {
        case .flac: .flac(bits: codec.bitDepth)
        case .aiff where codec == .imaADPCM: .ima4
        default: codec
        }
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

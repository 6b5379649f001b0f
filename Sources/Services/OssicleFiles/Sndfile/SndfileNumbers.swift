// Codecs, containers and settings as libsndfile numbers them.

import CSndfile
import OssicleCodecs

extension AudioCodec {
    /// Whether the extensible form of the WAVE header takes it.
    var fitsExtensibleWave: Bool { isLinear || self == .muLaw || self == .aLaw }

    /// Whether decoding may start at any frame and gives the same samples as decoding from the beginning. Measured:
    /// seeking in MP3 and Vorbis does not, and nothing promises it of Opus, whose decoder carries its past along.
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
        self =
            switch container {
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

extension AudioContainer {
    /// Whether sizes stand in a header that can be written again while the file grows. In the others the stream would
    /// get a second header in its middle.
    var hasRewritableHeader: Bool { [.wav, .rf64, .wave64, .aiff, .caf, .au].contains(self) }

    /// libsndfile's number for writing. Layouts need the extensible form of the WAVE header.
    func sndfileFormat(extensible: Bool) -> Int32? {
        switch self {
        case .wav: Int32(extensible ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
        case .rf64: Int32(SF_FORMAT_RF64)
        case .wave64: Int32(SF_FORMAT_W64)
        case .aiff: Int32(SF_FORMAT_AIFF)
        case .caf: Int32(SF_FORMAT_CAF)
        case .flac: Int32(SF_FORMAT_FLAC)
        case .ogg: Int32(SF_FORMAT_OGG)
        case .mpeg: Int32(SF_FORMAT_MPEG)
        case .au: Int32(SF_FORMAT_AU)
        case .mpeg4, .adts, .other: nil
        }
    }

    init(sndfileFormat: Int32) {
        self =
            switch Int(sndfileFormat) & SF_FORMAT_TYPEMASK {
            case SF_FORMAT_WAV, SF_FORMAT_WAVEX: .wav
            case SF_FORMAT_RF64: .rf64
            case SF_FORMAT_W64: .wave64
            case SF_FORMAT_AIFF: .aiff
            case SF_FORMAT_CAF: .caf
            case SF_FORMAT_FLAC: .flac
            case SF_FORMAT_OGG: .ogg
            case SF_FORMAT_MPEG: .mpeg
            case SF_FORMAT_AU: .au
            default: .other
            }
    }
}

extension EncoderSettings {
    /// Sets an encoder before its first frame. libsndfile has one scale for all, from 0 (largest) to 1 (smallest),
    /// which each codec reads in its own way; where both are given a bit rate goes before quality.
    func apply(to file: VirtualFile, _ request: FileEncoderRequest) {
        switch request.codec {
        case .mp3: applyMP3(to: file, request.sampleRate)
        case .opus:
            let perChannel = bitRate.map { Double($0) / Double(request.channelCount) }
            // 6 … 256 kbit/s for each channel.
            setLevel(perChannel.map { 1 - ($0 - 6000) / 250_000 } ?? quality.map { 1 - $0 }, file)
            // The longest stretch a killed process loses, in milliseconds.
            var latency = 200.0
            sf_command(file.handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &latency, Int32(MemoryLayout<Double>.size))
        case .vorbis: setLevel(bitRate.map { 1 - Self.vorbisQuality($0, request) } ?? quality.map { 1 - $0 }, file)
        // Of FLAC quality is only how hard the encoder tries.
        case .flac8, .flac16, .flac24: setLevel(quality, file)
        default: break
        }
    }

    /// Constant and average rates are LAME's own, variable ones its quality scale.
    private func applyMP3(to file: VirtualFile, _ sampleRate: Double) {
        let strategy = strategy ?? .constant
        var mode = Int32(
            (strategy == .constant
                ? SF_BITRATE_MODE_CONSTANT
                : strategy == .variable && bitRate == nil
                    ? SF_BITRATE_MODE_VARIABLE
                    : SF_BITRATE_MODE_AVERAGE))
        sf_command(file.handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        let range = Self.mp3Rates(sampleRate)
        // The library cuts to whole kilobits; half of one more makes it round.
        let level = bitRate.map { (range.upperBound - Double($0) / 1000 - 0.5) / (range.upperBound - range.lowerBound) }
        setLevel(level ?? quality.map { 1 - $0 }, file)
    }

    private func setLevel(_ level: Double?, _ file: VirtualFile) {
        guard let level, level.isFinite else { return }
        var clamped = min(max(level, 0), 1)
        sf_command(file.handle, Int32(SFC_SET_COMPRESSION_LEVEL), &clamped, Int32(MemoryLayout<Double>.size))
    }

    /// Kilobits per second of MPEG 1, 2 and 2.5.
    private static func mp3Rates(_ sampleRate: Double) -> ClosedRange<Double> {
        sampleRate >= 32_000 ? 32...320 : sampleRate >= 16_000 ? 8...160 : 8...64
    }

    /// The quality at which Vorbis' documented nominal rate for 44.1 kHz stereo, scaled by channels and rate, is the
    /// one asked for.
    private static func vorbisQuality(_ bitRate: Int, _ request: FileEncoderRequest) -> Double {
        let kilobits: [Double] = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500]
        let asked = Double(bitRate) / 1000 * 2 / Double(request.channelCount) * 44_100 / request.sampleRate
        guard let upper = kilobits.firstIndex(where: { $0 >= asked }) else { return 1 }
        guard upper > 0 else { return 0 }
        return (Double(upper) - (kilobits[upper] - asked) / (kilobits[upper] - kilobits[upper - 1])) / 10
    }
}

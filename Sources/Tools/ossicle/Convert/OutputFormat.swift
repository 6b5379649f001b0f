import ArgumentParser
import Foundation
import OssicleCodecs
import OssicleFiles

/// A kind of sound file one can ask for, named as its files end.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case wav, aiff, caf, au, w64, rf64, flac, m4a, aac, mp3, ogg, opus

    /// The format that files with this ending have, in small or capital letters.
    init?(ending: String) {
        let ending = ending.lowercased()
        guard let format = Self.otherEndings[ending] ?? OutputFormat(rawValue: ending) else { return nil }
        self = format
    }

    private static let otherEndings: [String: OutputFormat] = [
        "wave": .wav, "aif": .aiff, "aifc": .aiff, "snd": .au, "mp4": .m4a, "m4b": .m4a, "oga": .ogg,
    ]

    /// How files end that are taken from a folder.
    static let endings = Set(allCases.map(\.rawValue)).union(otherEndings.keys).union(["adts", "mp1", "mp2"])

    var container: AudioContainer {
        switch self {
        case .wav: .wav
        case .aiff: .aiff
        case .caf: .caf
        case .au: .au
        case .w64: .wave64
        case .rf64: .rf64
        case .flac: .flac
        case .m4a: .mpeg4
        case .aac: .adts
        case .mp3: .mpeg
        case .ogg, .opus: .ogg
        }
    }

    /// What the samples are coded with unless another codec is asked for; `nil` keeps integers or floating point, as
    /// the source has them.
    var codec: CodecName? {
        switch self {
        case .wav, .aiff, .caf, .au, .w64, .rf64: nil
        case .flac: .flac
        case .m4a, .aac: .aac
        case .mp3: .mp3
        case .ogg: .vorbis
        case .opus: .opus
        }
    }
}

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

/// What one sound file to be made is: decided from what was asked for and what the source is.
struct OutputForm: Equatable {
    let container: AudioContainer
    let codec: AudioCodec
    /// In hertz.
    let sampleRate: Int
    let channelCount: Int
    /// One label per channel, or `nil` where neither the source nor usage tells.
    let channelLabels: [UInt32]?

    /// - Parameter format: of the file to be made. Throws what no file of it can be.
    init(from source: AudioFileInfo, as format: OutputFormat, options: ConversionOptions) throws {
        let name = options.codec ?? format.codec ?? (source.codec.isFloat && options.bits == nil ? .float : .pcm)
        container = format.container
        codec = name.codec(bits: try Self.bits(of: name, asked: options.bits, source: source), in: format)
        sampleRate = Self.rate(of: name, asked: options.rate, source: source.sampleRate)
        channelCount = options.channels ?? source.channelCount
        channelLabels =
            channelCount == source.channelCount ? source.channelLabels : ChannelWords.usualLabels(channelCount)
    }

    /// "WAV, 16-bit PCM, 2 channels, 48000 Hz"
    var words: String {
        "\(FormatWords.of(container, codec)), \(channelCount) channel\(channelCount == 1 ? "" : "s"), \(sampleRate) Hz"
    }

    /// The depth asked for; otherwise the least that loses nothing, or the greatest there is. Lossy sources count as 16
    /// bits.
    private static func bits(of name: CodecName, asked: Int?, source: AudioFileInfo) throws -> Int {
        let depths = name.depths
        if let asked {
            guard depths.contains(asked) else {
                let choice = depths.map(String.init).joined(separator: ", ")
                throw ToolError(
                    "--bits \(asked) does not go with \(name.rawValue), which "
                        + (depths.isEmpty
                            ? "has no such choice: leave --bits out." : "takes \(choice): give one of these."))
            }
            return asked
        }
        let wanted = source.bitDepth > 0 ? source.bitDepth : 16
        return depths.first { $0 >= wanted } ?? depths.last ?? 16
    }

    /// The rate asked for, which is the encoder's to refuse; otherwise the source's, or the next above it that the
    /// codec knows.
    private static func rate(of name: CodecName, asked: Int?, source: Double) -> Int {
        if let asked { return asked }
        let rate = Int(exactly: source.rounded()) ?? 0, rates = name.sampleRates
        return rates.first { $0 >= rate } ?? rates.last ?? rate
    }
}

/// A number of bits per second, also written in thousands: 128000 or 128k.
struct BitRate: ExpressibleByArgument, Sendable {
    let bitsPerSecond: Int

    init?(argument: String) {
        let isThousands = argument.hasSuffix("k")
        guard let number = Double(isThousands ? String(argument.dropLast()) : argument),
            let bits = Int(exactly: (number * (isThousands ? 1000 : 1)).rounded())
        else { return nil }
        bitsPerSecond = bits
    }
}

import OssicleCodecs
import OssicleFiles

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
    init(from source: AudioFileInfo, as format: OutputFormat, _ options: ConversionOptions) throws {
        let name = options.codec ?? format.codec ?? (source.codec.isFloat && options.bits == nil ? .float : .pcm)
        container = format.container
        codec = name.codec(bits: try Self.bits(of: name, asked: options.bits, source: source), in: format)
        sampleRate = Self.rate(of: name, asked: options.rate, source: source.sampleRate)
        channelCount = options.channels ?? source.channelCount
        channelLabels = channelCount == source.channelCount ? source.channelLabels : ChannelWords.usualLabels(channelCount)
    }

    /// "WAV, 16-bit PCM, 2 channels, 48000 Hz"
    var words: String {
        "\(FormatWords.of(container, codec)), \(channelCount) channel\(channelCount == 1 ? "" : "s"), \(sampleRate) Hz"
    }

    /// The depth asked for; otherwise the least that loses nothing, or the greatest there is. Lossy sources count as 16 bits.
    private static func bits(of name: CodecName, asked: Int?, source: AudioFileInfo) throws -> Int {
        let depths = name.depths
        if let asked {
            guard depths.contains(asked) else {
                let choice = depths.map(String.init).joined(separator: ", ")
                throw ToolError("--bits \(asked) does not go with \(name.rawValue), which "
                    + (depths.isEmpty ? "has no such choice: leave --bits out." : "takes \(choice): give one of these."))
            }
            return asked
        }
        let wanted = source.bitDepth > 0 ? source.bitDepth : 16
        return depths.first { $0 >= wanted } ?? depths.last ?? 16
    }

    /// The rate asked for, which is the encoder's to refuse; otherwise the source's, or the next above it that the codec knows.
    private static func rate(of name: CodecName, asked: Int?, source: Double) -> Int {
        if let asked { return asked }
        let rate = Int(exactly: source.rounded()) ?? 0, rates = name.sampleRates
        return rates.first { $0 >= rate } ?? rates.last ?? rate
    }
}

import OssicleCodecs

/// One stream in a converter: the stages from the client's input to the output.
final class ConversionStream {
    /// As of its beginning, with those changes that apply in the middle of a stream.
    private(set) var settings: ConversionSettings
    let rate: RateStage?
    /// The end, when samples come out, or packets.
    let frames: any FrameSource
    let packets: PacketSink?
    private(set) var hasBegun = false
    private let channels: ChannelStage
    private let dither: Dither?
    private let input: ConversionEnd
    private let output: ConversionEnd

    init(
        from inputFormat: StreamFormat, to outputFormat: StreamFormat, settings: ConversionSettings
    ) throws(ConversionError) {
        self.settings = settings
        let (head, input) = try Self.head(of: inputFormat, settings)
        let (encoder, output) = try Self.end(of: outputFormat, settings)
        channels = ChannelStage(head, rows: try settings.rows(from: input, to: output))
        rate = try Self.rateStage(channels, from: input.sampleRate, to: output.sampleRate, settings: settings)
        var last: any FrameSource = rate ?? channels
        if encoder != nil, rate == nil { last = FiniteStage(last) }
        dither = output.integerBits.map { [last] in Dither(last, bits: $0) }
        frames = dither ?? last
        packets = encoder.map { [frames] in PacketSink(frames, encoder: $0) }
        (self.input, self.output) = (input, output)
        try apply(settings)
    }

    /// Applies what may change in the middle of a stream.
    func apply(_ settings: ConversionSettings) throws(ConversionError) {
        let rows = try settings.rows(from: input, to: output)
        if rows != channels.rows { channels.rows = rows }
        dither?.isOn = settings.dithers && losesBits
        self.settings = settings
    }

    func begin() { hasBegun = true }

    /// Whether the output's integers are too short for what comes.
    private var losesBits: Bool {
        guard let kept = output.integerBits else { return false }
        return rate != nil || channels.mixes || input.integerBits.map { $0 > kept } ?? true
    }

    private static func head(
        of format: StreamFormat, _ settings: ConversionSettings
    ) throws(ConversionError) -> (any FrameSource, ConversionEnd) {
        switch format {
        case .pcm(let format):
            return (try SampleSource(format), ConversionEnd(format))
        case .packets(let format):
            let source = PacketSource(try makeDecoder(format))
            let end = ConversionEnd(source.format, labels: format.channelLabels)
            let isTrimmed = settings.leadingTrim > 0 || settings.trailingTrim > 0
            return (
                isTrimmed ? TrimStage(source, leading: settings.leadingTrim, trailing: settings.trailingTrim) : source,
                end
            )
        }
    }

    private static func end(
        of format: StreamFormat,
        _ settings: ConversionSettings
    ) throws(ConversionError) -> ((any PacketEncoder)?, ConversionEnd) {
        switch format {
        case .pcm(let format): return (nil, ConversionEnd(format))
        case .packets(let format):
            let encoder = try makeEncoder(format, settings.encoder)
            return (encoder, ConversionEnd(encoder.format, labels: format.channelLabels))
        }
    }

    private static func makeDecoder(_ format: PacketFormat) throws(ConversionError) -> any PacketDecoder {
        do { return try Codecs.makeDecoder(format) } catch { throw ConversionError(error) }
    }

    private static func makeEncoder(
        _ format: PacketFormat, _ settings: EncoderSettings
    ) throws(ConversionError) -> any PacketEncoder {
        do {
            return try Codecs.makeEncoder(
                format.codec, sampleRate: format.sampleRate, channelCount: format.channelCount,
                channelLabels: format.channelLabels, settings: settings)
        } catch { throw ConversionError(error) }
    }

    private static func rateStage(
        _ source: any FrameSource, from input: Double, to output: Double,
        settings: ConversionSettings
    ) throws(ConversionError) -> RateStage? {
        guard input != output else { return nil }
        guard input / output <= RateStage.largestRatio, output / input <= RateStage.largestRatio else {
            throw ConversionError(
                .unsupported, found: "\(input) Hz to \(output) Hz",
                rule: "Rates are at most \(Int(RateStage.largestRatio)) times apart.",
                cure: "Choose a rate nearer to the input's, or convert in two steps.")
        }
        let recipe = RateRecipe(quality: settings.rateQuality, algorithm: settings.rateAlgorithm)
        return try RateStage(
            FiniteStage(source), from: input, to: output, recipe: recipe, priming: settings.primeMethod)
    }
}

/// What the stages in between need to know of the stream at either end.
struct ConversionEnd {
    let sampleRate: Double
    let channelCount: Int
    let labels: [UInt32]?
    /// Bits of its samples where they are integers.
    let integerBits: Int?

    init(_ format: PCMFormat) {
        (sampleRate, channelCount, labels) = (format.sampleRate, format.channelCount, format.channelLabels)
        integerBits = format.kind == .float ? nil : format.bits
    }

    /// The codec's own word counts; `labels` stand in where it has none.
    init(_ format: PacketFormat, labels: [UInt32]?) {
        (sampleRate, channelCount) = (format.sampleRate, format.channelCount)
        self.labels = format.channelLabels ?? (labels?.count == format.channelCount ? labels : nil)
        integerBits = format.codec.isInteger ? format.codec.bitDepth : nil
    }
}

extension ConversionSettings {
    /// What goes into each output channel.
    func rows(from input: ConversionEnd, to output: ConversionEnd) throws(ConversionError) -> [ChannelRow] {
        if let channelMap {
            return try ChannelMapping.rows(map: channelMap, inputs: input.channelCount, outputs: output.channelCount)
        }
        let rule = downmixes ? ChannelMixing.rows : ChannelMapping.rows(from:_:to:outputCount:)
        return rule(input.labels, input.channelCount, output.labels, output.channelCount)
    }

    /// Throws when a value is out of its range.
    func check() throws(ConversionError) {
        guard (0...127).contains(rateQuality) else {
            throw ConversionError(
                .invalidSetting, found: "a rate quality of \(rateQuality)", rule: "Qualities go from 0 to 127.",
                cure: "Choose 0, 32, 64, 96 or 127.")
        }
        guard (0...Self.largestTrim).contains(leadingTrim), (0...Self.largestTrim).contains(trailingTrim) else {
            throw ConversionError(
                .invalidSetting, found: "\(leadingTrim) and \(trailingTrim) frames to trim",
                rule: "0 to \(Self.largestTrim) frames are trimmed at either end.",
                cure: "Give the priming and the remainder of the encoder.")
        }
    }
}

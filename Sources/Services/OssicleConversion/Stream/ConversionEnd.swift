import OssicleCodecs

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
        if let channelMap { return try ChannelMapping.rows(map: channelMap, inputs: input.channelCount, outputs: output.channelCount) }
        let rule = downmixes ? ChannelMixing.rows : ChannelMapping.rows(from:_:to:_:)
        return rule(input.labels, input.channelCount, output.labels, output.channelCount)
    }

    /// Throws when a value is out of its range.
    func check() throws(ConversionError) {
        guard (0...127).contains(rateQuality) else {
            throw ConversionError(.invalidSetting, found: "a rate quality of \(rateQuality)", rule: "Qualities go from 0 to 127.",
                                  cure: "Choose 0, 32, 64, 96 or 127.")
        }
        guard (0...Self.largestTrim).contains(leadingTrim), (0...Self.largestTrim).contains(trailingTrim) else {
            throw ConversionError(.invalidSetting, found: "\(leadingTrim) and \(trailingTrim) frames to trim",
                                  rule: "0 to \(Self.largestTrim) frames are trimmed at either end.",
                                  cure: "Give the priming and the remainder of the encoder.")
        }
    }
}

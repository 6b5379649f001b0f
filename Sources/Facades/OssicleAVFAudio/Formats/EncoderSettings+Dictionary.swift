import OssicleCodecs

extension EncoderSettings {
    /// What a settings dictionary asks of an encoder; `nil` when a value has the wrong type. A rate of the whole stream goes before one per
    /// channel, and the quality for variable rates before the general one where the strategy is variable.
    init?(_ settings: [String: Any], channels: Int) {
        self.init()
        guard let rate = Self.whole(settings[AVEncoderBitRateKey]), let channelRate = Self.whole(settings[AVEncoderBitRatePerChannelKey]),
              let general = Self.whole(settings[AVEncoderAudioQualityKey]), let variable = Self.whole(settings[AVEncoderAudioQualityForVBRKey])
        else { return nil }
        if let name = settings[AVEncoderBitRateStrategyKey] {
            guard let strategy = (name as? String).flatMap({ Strategy(name: $0) }) else { return nil }
            self.strategy = strategy
        }
        let most = Int(Int32.max)
        bitRate = rate.map { min($0, most) } ?? channelRate.map { min($0, most / channels) * channels }
        quality = (strategy == .variable ? variable ?? general : general ?? variable)
            .map { min(Double($0) / Double(AVAudioQuality.max.rawValue), 1) }
    }

    /// The whole number in a value: `.some(nil)` without a value, `nil` when it is none or negative.
    private static func whole(_ value: Any?) -> Int?? {
        guard let value else { return .some(nil) }
        guard let number = AudioSettings.number(value).flatMap({ Int(exactly: $0) }), number >= 0 else { return nil }
        return .some(number)
    }
}

import OssicleCodecs
import OssicleCoreAudioTypes

extension AudioCodec {
    /// For each number of channels the encoder can do, the tag of the order in which it takes them; left out where that has no tag. Empty
    /// without an encoder.
    package func encodedLayoutTags(sampleRate: Double, channelCount: Int) -> [AudioChannelLayoutTag] {
        let counts = Codecs.encoderRange(self, sampleRate: sampleRate, channelCount: channelCount)?.channelCounts ?? []
        return counts.compactMap { channels in
            guard let encoder = try? Codecs.makeEncoder(self, sampleRate: sampleRate, channelCount: channels) else { return nil }
            return encoder.format.channelLabels.map { ChannelLayoutBytes.tag(of: $0) } ?? Self.plainTag(channels)
        }
    }

    /// What channels are that an encoder does not name.
    private static func plainTag(_ channels: Int) -> AudioChannelLayoutTag? {
        channels <= 2 ? ChannelLayoutBytes.tag(ofUnnamed: channels, in: kAudioChannelLayoutTag_Unknown) : nil
    }
}

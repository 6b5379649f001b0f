// What a stream is: samples or packets.

/// A stream of audio.
package enum StreamFormat: Equatable, Sendable {
    case pcm(PCMFormat)
    case packets(PacketFormat)

    /// Frames per second, in hertz.
    package var sampleRate: Double {
        switch self {
        case .pcm(let format): format.sampleRate
        case .packets(let format): format.sampleRate
        }
    }

    package var channelCount: Int {
        switch self {
        case .pcm(let format): format.channelCount
        case .packets(let format): format.channelCount
        }
    }

    package var channelLabels: [UInt32]? {
        switch self {
        case .pcm(let format): format.channelLabels
        case .packets(let format): format.channelLabels
        }
    }
}

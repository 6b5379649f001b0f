// Channels in a codec's own order and in the order that is wanted.

import OssicleChannels

/// Between the order in which a codec keeps its channels, which its standard fixes, and another order of the same
/// channels.
struct CodecChannelOrder: Equatable, Sendable {
    /// One label per channel, as Core Audio numbers them, in the order that is wanted; `nil` when it is unknown what
    /// the channels are.
    let labels: [UInt32]?
    /// For each channel of the codec, which of the wanted ones it is.
    let sources: [Int]

    /// The order `labels`; `nil` when they are not those of the codec. One or two channels may have any labels and keep
    /// their order.
    init?(_ labels: [UInt32], codec own: [UInt32]) {
        self.labels = labels
        if own.count <= 2 {
            guard labels.count == own.count else { return nil }
            sources = Array(own.indices)
            return
        }
        let wanted = Self.sides(labels)
        sources = Self.sides(own).compactMap { wanted.firstIndex(of: $0) }
        guard wanted.count == own.count, Set(sources).count == own.count else { return nil }
    }

    private init(labels: [UInt32]?, sources: [Int]) {
        self.labels = labels
        self.sources = sources
    }

    /// The codec's channels in Apple's usual order, L R C LFE Ls Rs and so on: by rising label.
    static func usual(codec own: [UInt32]) -> CodecChannelOrder {
        let sorted = own.sorted()
        return CodecChannelOrder(labels: sorted, sources: own.compactMap { sorted.firstIndex(of: $0) })
    }

    /// Channels that the codec's standard does not name, as they come.
    static func asCoded(_ channelCount: Int, _ labels: [UInt32]?) -> CodecChannelOrder {
        CodecChannelOrder(labels: labels, sources: Array(0..<channelCount))
    }

    /// Where there is one pair of surrounds it may go by either name: at the sides or in the rear.
    private static func sides(_ labels: [UInt32]) -> [UInt32] {
        guard !labels.contains(ChannelLabel.leftSurround) else { return labels }
        return labels.map { label in
            switch label {
            case ChannelLabel.rearLeft: ChannelLabel.leftSurround
            case ChannelLabel.rearRight: ChannelLabel.rightSurround
            default: label
            }
        }
    }

    /// Planes in the wanted order, put into the codec's.
    func toCodec<Plane>(_ planes: [Plane]) -> [Plane] { sources.map { planes[$0] } }
}

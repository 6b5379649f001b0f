// Channels in a codec's own order and in the order that is wanted.

/// Between the order in which a codec keeps its channels, which its standard fixes, and another order of the same channels.
struct CodecChannelOrder: Equatable, Sendable {
    /// One label per channel, as Core Audio numbers them, in the order that is wanted; `nil` when nobody knows what the channels are.
    let labels: [UInt32]?
    /// For each channel of the codec, which of the wanted ones it is.
    let sources: [Int]

    /// The order `labels`; `nil` when they are not those of the codec. One or two channels may have any labels and keep their order.
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
        let leftSurround: UInt32 = 5, rightSurround: UInt32 = 6, rearLeft: UInt32 = 33, rearRight: UInt32 = 34
        guard !labels.contains(leftSurround) else { return labels }
        return labels.map { $0 == rearLeft ? leftSurround : $0 == rearRight ? rightSurround : $0 }
    }

    /// Planes in the wanted order, put into the codec's.
    func toCodec<Plane>(_ planes: [Plane]) -> [Plane] { sources.map { planes[$0] } }

    /// The order of Vorbis and of Opus' mapping family 1 (RFC 7845, 5.1.1.2) for 1 ... 8 channels: mono, L R, L C R, L R Ls Rs,
    /// L C R Ls Rs, L C R Ls Rs LFE, L C R Ls Rs Cs LFE, L C R Ls Rs Rls Rrs LFE.
    static func vorbis(_ channelCount: Int) -> [UInt32]? { entry(channelCount, [
        [42], [1, 2], [1, 3, 2], [1, 2, 5, 6], [1, 3, 2, 5, 6], [1, 3, 2, 5, 6, 4], [1, 3, 2, 5, 6, 9, 4], [1, 3, 2, 5, 6, 33, 34, 4],
    ]) }

    /// The order of FLAC (RFC 9639, 9.1.3) for 1 ... 8 channels: mono, L R, L R C, L R Ls Rs, L R C Ls Rs, L R C LFE Ls Rs,
    /// L R C LFE Cs Ls Rs, L R C LFE Rls Rrs Ls Rs.
    static func flac(_ channelCount: Int) -> [UInt32]? { entry(channelCount, [
        [42], [1, 2], [1, 2, 3], [1, 2, 5, 6], [1, 2, 3, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 9, 5, 6], [1, 2, 3, 4, 33, 34, 5, 6],
    ]) }

    /// The order of Apple Lossless for 1 ... 8 channels: mono, L R, C L R, C L R Cs, C L R Ls Rs, C L R Ls Rs LFE,
    /// C L R Ls Rs Cs LFE, C Lc Rc L R Ls Rs LFE.
    static func alac(_ channelCount: Int) -> [UInt32]? { entry(channelCount, [
        [42], [1, 2], [3, 1, 2], [3, 1, 2, 9], [3, 1, 2, 5, 6], [3, 1, 2, 5, 6, 4], [3, 1, 2, 5, 6, 9, 4], [3, 7, 8, 1, 2, 5, 6, 4],
    ]) }

    private static func entry(_ channelCount: Int, _ table: [[UInt32]]) -> [UInt32]? {
        table.indices.contains(channelCount - 1) ? table[channelCount - 1] : nil
    }
}

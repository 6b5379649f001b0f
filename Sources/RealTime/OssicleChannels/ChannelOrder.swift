// From a layout tag to the labels of its channels, and back; the orders that codecs and files fix.

/// Channel orders: of layout tags, and of the standards for coded streams.
///
/// A layout tag has a number in its upper 16 bits and the count of channels in the lower.
package enum ChannelOrder {
    private static let discrete: UInt32 = 147 << 16, ambisonicSN3D: UInt32 = 190 << 16, ambisonicN3D: UInt32 = 191 << 16
    private static let unknown: UInt32 = 0xFFFF << 16

    /// The labels of `tag` in stream order; `nil` for a tag that is unknown or has no channels.
    package static func labels(for tag: UInt32) -> [UInt32]? {
        if let known = labelsByTag[tag] { return known }
        let count = tag & 0xFFFF
        guard count > 0 else { return nil }
        switch tag & 0xFFFF_0000 {
        case discrete: return (0..<count).map { ChannelLabel.discrete | $0 }
        case ambisonicSN3D where isSquare(count): return (0..<count).map { ChannelLabel.ambisonicSN3D | $0 }
        case ambisonicN3D where isSquare(count): return (0..<count).map { ChannelLabel.ambisonicN3D | $0 }
        case unknown: return [UInt32](repeating: ChannelLabel.unknown, count: Int(count))
        default: return nil
        }
    }

    /// The preferred tag whose channels are exactly `labels`, or `nil`.
    package static func tag(for labels: [UInt32]) -> UInt32? {
        if let known = tagByLabels[labels] { return known }
        guard let count = UInt16(exactly: labels.count), count > 0 else { return nil }
        return [discrete, ambisonicSN3D, ambisonicN3D].map { $0 | UInt32(count) }
            .first { self.labels(for: $0) == labels }
    }

    /// Ambisonics of order N has (N + 1)² channels.
    private static func isSquare(_ count: UInt32) -> Bool { (1...255).contains { $0 * $0 == count } }

    /// The labels of short names separated by spaces.
    package static func labels(named names: String) -> [UInt32] {
        names.split(separator: " ").map { ChannelLabel.byShortName[String($0)] ?? ChannelLabel.unknown }
    }

    private static let labelsByTag: [UInt32: [UInt32]] = Dictionary(
        tags.map { ($0.tag, $0.labels) }, uniquingKeysWith: { first, _ in first })
    private static let tagByLabels: [[UInt32]: UInt32] = Dictionary(
        tags.map { ($0.labels, $0.tag) }, uniquingKeysWith: { first, _ in first })
    private static let tags: [(tag: UInt32, labels: [UInt32])] = orders.map { number, names in
        let labels = labels(named: names)
        return (number << 16 | UInt32(labels.count), labels)
    }
}

extension ChannelOrder {
    /// The order of Vorbis and of Opus' mapping family 1 (RFC 7845, 5.1.1.2) for 1 ... 8 channels; `nil` for others.
    package static func vorbis(_ channelCount: Int) -> [UInt32]? { entry(channelCount, of: vorbisOrders) }

    /// The order of FLAC (RFC 9639, 9.1.3) for 1 ... 8 channels; `nil` for others.
    package static func flac(_ channelCount: Int) -> [UInt32]? { entry(channelCount, of: flacOrders) }

    /// The order of Apple Lossless, and of AAC (ISO/IEC 14496-3, table 1.19), for 1 ... 8 channels; `nil` for others.
    package static func mpeg4(_ channelCount: Int) -> [UInt32]? { entry(channelCount, of: mpeg4Orders) }

    /// The order of an AAC channel configuration (ISO/IEC 14496-3, table 1.19); `nil` for those of one or two channels
    /// and those without an order.
    package static func aac(configuration: Int) -> [UInt32]? {
        switch configuration {
        case 3...6: mpeg4(configuration)
        case 7: mpeg4(8)
        case 11: mpeg4(7)
        case 12: labels(named: "C L R Ls Rs Rls Rrs LFE")
        default: nil
        }
    }

    private static let vorbisOrders = [
        "Mono", "L R", "L C R", "L R Ls Rs", "L C R Ls Rs", "L C R Ls Rs LFE", "L C R Ls Rs Cs LFE",
        "L C R Ls Rs Rls Rrs LFE",
    ].map(labels)
    private static let flacOrders = [
        "Mono", "L R", "L R C", "L R Ls Rs", "L R C Ls Rs", "L R C LFE Ls Rs", "L R C LFE Cs Ls Rs",
        "L R C LFE Rls Rrs Ls Rs",
    ].map(labels)
    private static let mpeg4Orders = [
        "Mono", "L R", "C L R", "C L R Cs", "C L R Ls Rs", "C L R Ls Rs LFE", "C L R Ls Rs Cs LFE",
        "C Lc Rc L R Ls Rs LFE",
    ].map(labels)

    private static func entry(_ channelCount: Int, of orders: [[UInt32]]) -> [UInt32]? {
        orders.indices.contains(channelCount - 1) ? orders[channelCount - 1] : nil
    }
}

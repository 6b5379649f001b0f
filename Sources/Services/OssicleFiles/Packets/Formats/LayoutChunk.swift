// Layout chunks of CAF ("chan") and AIFF ("CHAN").

/// A channel layout as those chunks keep it: a tag, a mask of bits, or one description for each channel.
enum LayoutChunk {
    private static let useDescriptions: UInt32 = 0, useMask: UInt32 = 0x10000
    private static let mostChannels: UInt32 = 1024

    /// The labels of a layout; `nil` when it is none we know.
    static func labels(_ body: UnsafeRawBufferPointer) -> [UInt32]? {
        var cursor = ByteCursor(body)
        guard let tag = cursor.big(UInt32.self), let mask = cursor.big(UInt32.self), let count = cursor.big(UInt32.self) else { return nil }
        switch tag {
        case useDescriptions:
            guard count > 0, count <= mostChannels else { return nil }
            var labels: [UInt32] = []
            for _ in 0..<count {
                guard let label = cursor.big(UInt32.self), cursor.skip(16) else { return nil }
                labels.append(label)
            }
            return labels
        case useMask: return ChannelMask.labels(mask, channelCount: mask.nonzeroBitCount)
        default: return ChannelLayoutTags.labels(tag)
        }
    }

    /// The layout of `labels`: a tag where there is one, which more programs understand.
    static func body(_ labels: [UInt32]) -> [UInt8] {
        var builder = ByteBuilder()
        let tag = ChannelLayoutTags.tag(labels)
        builder.big(tag ?? useDescriptions)
        builder.big(UInt32(0))
        builder.big(tag == nil ? UInt32(labels.count) : 0)
        if tag == nil {
            for label in labels {
                builder.big(label)
                builder.zeros(16)
            }
        }
        return builder.bytes
    }
}

#if FFmpeg
// Between FFmpeg's channels and channel labels.

import CFFmpeg

/// Channel labels as the Core Audio Format specification numbers them, for the channels of FFmpeg and of MPEG-4.
package enum FFmpegChannels {
    private static let mono: UInt32 = 42

    /// The labels of a layout's channels in its own order, or `nil` when one has none.
    static func labels(_ layout: AVChannelLayout) -> [UInt32]? {
        var layout = layout
        let channels = (0..<UInt32(clamping: layout.nb_channels)).map { av_channel_layout_channel_from_index(&layout, $0) }
        if channels == [AV_CHAN_FRONT_CENTER] { return [mono] }
        let hasSides = channels.contains(AV_CHAN_SIDE_LEFT)
        let labels = channels.compactMap { label($0, hasSides: hasSides) }
        return labels.count == channels.count && Set(labels).count == labels.count ? labels : nil
    }

    /// The order in which AAC and Apple Lossless carry these channels: centre first, then pairs from the front to the back, a single one behind, the low
    /// frequencies last (ISO/IEC 14496-3, table 1.19).
    static func mpegOrder(_ labels: [UInt32]) -> [UInt32] {
        let rank: [UInt32] = [mono, 3, 7, 8, 1, 2, 5, 6, 33, 34, 9, 4]
        return labels.sorted { (rank.firstIndex(of: $0) ?? rank.count) < (rank.firstIndex(of: $1) ?? rank.count) }
    }

    /// The order of AAC for 1 ... 8 channels, which is that of Apple Lossless.
    package static func aacLabels(_ count: Int) -> [UInt32]? { CodecChannelOrder.alac(count) }

    /// The labels for the channels of the layouts that FFmpeg's encoder takes, in its order. Eight channels are configuration 7 of the standard, with
    /// two pairs in front; FFmpeg puts the first pair of the stream at the front, the second at the sides and the third behind.
    static func encoderOrder(_ count: Int) -> [UInt32] {
        switch count {
        case 1: [mono]
        case 2: [1, 2]
        case 3: [1, 2, 3]
        case 4: [1, 2, 3, 9]
        case 5: [1, 2, 3, 5, 6]
        case 6: [1, 2, 3, 4, 5, 6]
        case 7: [1, 2, 3, 4, 9, 5, 6]
        default: [7, 8, 3, 4, 5, 6, 1, 2]
        }
    }

    /// The layout that FFmpeg's encoder takes for `count` channels.
    static func encoderLayout(_ count: Int) -> AVChannelLayout {
        let front: [AVChannel] = [AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT], centre = AV_CHAN_FRONT_CENTER, low = AV_CHAN_LOW_FREQUENCY
        let back: [AVChannel] = [AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT], side: [AVChannel] = [AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT]
        let channels: [AVChannel] = switch count {
        case 1: [centre]
        case 2: front
        case 3: front + [centre]
        case 4: front + [centre, AV_CHAN_BACK_CENTER]
        case 5: front + [centre] + back
        case 6: front + [centre, low] + back
        case 7: front + [centre, low, AV_CHAN_BACK_CENTER] + side
        default: front + [centre, low] + back + side
        }
        var layout = AVChannelLayout()
        av_channel_layout_from_mask(&layout, channels.reduce(0) { $0 | 1 << UInt64($1.rawValue) })
        return layout
    }

    /// The surrounds are "back" in a ring of five. Where there are sides and backs, the sides are the surrounds.
    private static func label(_ channel: AVChannel, hasSides: Bool) -> UInt32? {
        switch channel {
        case AV_CHAN_FRONT_LEFT: 1
        case AV_CHAN_FRONT_RIGHT: 2
        case AV_CHAN_FRONT_CENTER: 3
        case AV_CHAN_LOW_FREQUENCY: 4
        case AV_CHAN_SIDE_LEFT: 5
        case AV_CHAN_SIDE_RIGHT: 6
        case AV_CHAN_FRONT_LEFT_OF_CENTER: 7
        case AV_CHAN_FRONT_RIGHT_OF_CENTER: 8
        case AV_CHAN_BACK_CENTER: 9
        case AV_CHAN_BACK_LEFT: hasSides ? 33 : 5
        case AV_CHAN_BACK_RIGHT: hasSides ? 34 : 6
        default: nil
        }
    }
}
#endif

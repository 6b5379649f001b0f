#if FFmpeg
// What concerns FFmpeg as a whole: its log, its errors, its channels.

import CFFmpeg
import OssicleChannels

package enum FFmpegLibrary {
    /// Whether the library is there; loads it at the first call. Its log is silenced and its allocations are bounded,
    /// for the process: what is wrong comes back in errors, and no single piece of memory a file requests may exceed
    /// 256 MiB (the packet table of a day of AAC takes a third of that).
    package static let isReady: Bool = {
        guard ossicle_load_ffmpeg() else { return false }
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(256 << 20)
        return true
    }()

    /// What errors say where the library is not there, and what helps.
    package static var missing: (found: String, cure: String) {
        let file = String(cString: ossicle_ffmpeg_file())
        return ("\(file) is missing", "Install FFmpeg's libraries: libavformat\(LIBAVFORMAT_VERSION_MAJOR) on Debian.")
    }

    /// Loads the library for a codec. Ahead of any other call of it: without it they all return nothing.
    static func load(for object: String) throws(CodecError) {
        guard !isReady else { return }
        throw CodecError(
            .unsupported, object: object, found: missing.found, rule: "FFmpeg's libraries code this.",
            cure: missing.cure)
    }

    /// The library's words for an error number.
    package static func words(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            guard let start = text.baseAddress, ossicle_ffmpeg_words(code, start, text.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}

/// Channel labels as the Core Audio Format specification numbers them, for the channels of FFmpeg and of MPEG-4.
enum FFmpegChannels {
    /// The labels of a layout's channels in its own order, or `nil` when one has none.
    static func labels(_ layout: AVChannelLayout) -> [UInt32]? {
        var layout = layout
        let channels = (0..<UInt32(clamping: layout.nb_channels)).map {
            av_channel_layout_channel_from_index(&layout, $0)
        }
        if channels == [AV_CHAN_FRONT_CENTER] { return [ChannelLabel.mono] }
        let hasSides = channels.contains(AV_CHAN_SIDE_LEFT)
        let labels = channels.compactMap { label($0, hasSides: hasSides) }
        return labels.count == channels.count && Set(labels).count == labels.count ? labels : nil
    }

    /// The order in which AAC and Apple Lossless carry these channels: centre first, then pairs from the front to the
    /// back, a single one behind, the low frequencies last (ISO/IEC 14496-3, table 1.19).
    static func mpegOrder(_ labels: [UInt32]) -> [UInt32] {
        let rank = ChannelOrder.labels(named: "Mono C Lc Rc L R Ls Rs Rls Rrs Cs LFE")
        return labels.sorted { (rank.firstIndex(of: $0) ?? rank.count) < (rank.firstIndex(of: $1) ?? rank.count) }
    }

    /// The labels for the channels of the layouts that FFmpeg's encoder takes, in its order. Eight channels are
    /// configuration 7 of the standard, with two pairs in front; FFmpeg puts the first pair of the stream at the front,
    /// the second at the sides and the third behind.
    static func encoderOrder(_ count: Int) -> [UInt32] {
        let order =
            switch count {
            case 1: "Mono"
            case 2: "L R"
            case 3: "L R C"
            case 4: "L R C Cs"
            case 5: "L R C Ls Rs"
            case 6: "L R C LFE Ls Rs"
            case 7: "L R C LFE Cs Ls Rs"
            default: "Lc Rc C LFE Ls Rs L R"
            }
        return ChannelOrder.labels(named: order)
    }

    /// The layout that FFmpeg's encoder takes for `count` channels.
    static func encoderLayout(_ count: Int) -> AVChannelLayout {
        let front: [AVChannel] = [AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT], centre = AV_CHAN_FRONT_CENTER,
            low = AV_CHAN_LOW_FREQUENCY
        let back: [AVChannel] = [AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT],
            side: [AVChannel] = [AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT]
        let channels: [AVChannel] =
            switch count {
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
        case AV_CHAN_FRONT_LEFT: ChannelLabel.left
        case AV_CHAN_FRONT_RIGHT: ChannelLabel.right
        case AV_CHAN_FRONT_CENTER: ChannelLabel.centre
        case AV_CHAN_LOW_FREQUENCY: ChannelLabel.lfe
        case AV_CHAN_SIDE_LEFT: ChannelLabel.leftSurround
        case AV_CHAN_SIDE_RIGHT: ChannelLabel.rightSurround
        case AV_CHAN_FRONT_LEFT_OF_CENTER: ChannelLabel.leftCentre
        case AV_CHAN_FRONT_RIGHT_OF_CENTER: ChannelLabel.rightCentre
        case AV_CHAN_BACK_CENTER: ChannelLabel.centreSurround
        case AV_CHAN_BACK_LEFT: hasSides ? ChannelLabel.rearLeft : ChannelLabel.leftSurround
        case AV_CHAN_BACK_RIGHT: hasSides ? ChannelLabel.rearRight : ChannelLabel.rightSurround
        default: nil
        }
    }
}
#endif

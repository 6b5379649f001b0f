// The order in which a file keeps its channels.

import CSndfile
import OssicleChannels
import OssicleCodecs

/// How channels that come in some order lie in a file: WAVE sorts them by the bits of its mask, FLAC, Vorbis and Opus
/// have one order for each number of channels, AIFF and CAF keep any, and the others say nothing.
struct FileChannelOrder {
    /// For each channel of the file the plane it comes from.
    let planes: [Int]
    /// One label per channel of the file; `nil` when it will not tell.
    let labels: [UInt32]?

    /// Labels the container cannot express are left out, and the channels keep their order.
    init(_ request: FileEncoderRequest) {
        let channelCount = max(request.channelCount, 0), asTheyCome = Array(0..<channelCount)
        let given = request.channelLabels?.count == channelCount ? request.channelLabels : nil
        switch request.container {
        // libsndfile writes no extensible header with the most significant byte first.
        case .wav where request.codec.fitsExtensibleWave && request.isBigEndian != true, .rf64:
            let bits = given.flatMap { ChannelMask.bits($0) }
            let sorted = bits.map { bits in asTheyCome.sorted { bits[$0] < bits[$1] } } ?? asTheyCome
            planes = sorted
            labels = bits == nil ? nil : given.map { given in sorted.map { given[$0] } }
        case .aiff, .caf:
            planes = asTheyCome
            labels = given
        case .flac, .ogg:
            let fixed = Self.fixed(channelCount: channelCount, request.container)
            let order = fixed?.map { label in given?.firstIndex(of: label) ?? -1 }
            planes = order.map { $0.contains(-1) ? asTheyCome : $0 } ?? asTheyCome
            labels = fixed
        default:
            planes = asTheyCome
            labels = nil
        }
    }

    /// The order FLAC (RFC 9639) or Vorbis and Opus (Vorbis I specification; RFC 7845) prescribe; `nil` for one or two
    /// channels, which need no telling, and for more than eight.
    static func fixed(channelCount: Int, _ container: AudioContainer) -> [UInt32]? {
        guard channelCount > 2 else { return nil }
        return container == .flac ? ChannelOrder.flac(channelCount) : ChannelOrder.vorbis(channelCount)
    }
}

extension VirtualFile {
    /// The labels of a file being read, or `nil` when it has none that fit. Read from the file's own chunks: the
    /// library's channel map may be shorter than the channels.
    var channelLabels: [UInt32]? {
        let count = Int(header.channels)
        switch container {
        case .wav, .rf64, .wave64:
            return chunk("fmt ").flatMap { mask($0) }.flatMap { ChannelMask.labels($0, channelCount: count) }
        case .aiff: return layout("CHAN", count)
        case .caf: return layout("chan", count)
        case .flac, .ogg: return FileChannelOrder.fixed(channelCount: count, container)
        default: return nil
        }
    }

    /// Gives a file being written its labels, which come in the file's order.
    func setChannelLabels(_ labels: [UInt32]) {
        switch container {
        case .wav, .rf64:
            guard let bits = ChannelMask.bits(labels) else { return }
            var map = bits.map { Self.speakers[Int($0)] }
            sf_command(
                handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, Int32(clamping: map.count * MemoryLayout<Int32>.size))
        case .aiff: setChunk("CHAN", LayoutChunk.body(labels))
        case .caf: setChunk("chan", LayoutChunk.body(labels))
        default: break
        }
    }

    private func layout(_ name: String, _ count: Int) -> [UInt32]? {
        guard let content = chunk(name), let labels = content.withUnsafeBytes({ LayoutChunk.labels($0) }),
            labels.count == count
        else { return nil }
        return labels
    }

    /// The mask of an extensible `fmt ` chunk; `nil` in a plain one.
    private func mask(_ format: [UInt8]) -> UInt32? {
        guard format.count >= 24, Self.number(format[0..<2], isBigEndian: isRIFX) == 0xFFFE else { return nil }
        return Self.number(format[20..<24], isBigEndian: isRIFX)
    }

    var isRIFX: Bool { Int(header.format) & SF_FORMAT_ENDMASK == SF_ENDIAN_BIG }

    /// libsndfile's name for each bit of the WAVE mask.
    private static let speakers: [Int32] = [
        SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_LEFT,
        SF_CHANNEL_MAP_REAR_RIGHT,
        SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_REAR_CENTER,
        SF_CHANNEL_MAP_SIDE_LEFT,
        SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_CENTER, SF_CHANNEL_MAP_TOP_FRONT_LEFT,
        SF_CHANNEL_MAP_TOP_FRONT_CENTER,
        SF_CHANNEL_MAP_TOP_FRONT_RIGHT, SF_CHANNEL_MAP_TOP_REAR_LEFT, SF_CHANNEL_MAP_TOP_REAR_CENTER,
        SF_CHANNEL_MAP_TOP_REAR_RIGHT,
    ].map { Int32($0) }
}

// Channel labels in files of libsndfile.

import CSndfile
import OssicleCodecs

extension VirtualFile {
    /// The labels of a file being read, or `nil` when it has none that fit. Read from the file's own chunks: the library's channel map may be
    /// shorter than the channels.
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
            sf_command(handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, Int32(clamping: map.count * MemoryLayout<Int32>.size))
        case .aiff: setChunk("CHAN", LayoutChunk.body(labels))
        case .caf: setChunk("chan", LayoutChunk.body(labels))
        default: break
        }
    }

    private func layout(_ name: String, _ count: Int) -> [UInt32]? {
        guard let content = chunk(name), let labels = content.withUnsafeBytes({ LayoutChunk.labels($0) }), labels.count == count else { return nil }
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
        SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_REAR_RIGHT,
        SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_SIDE_LEFT,
        SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_CENTER, SF_CHANNEL_MAP_TOP_FRONT_LEFT, SF_CHANNEL_MAP_TOP_FRONT_CENTER,
        SF_CHANNEL_MAP_TOP_FRONT_RIGHT, SF_CHANNEL_MAP_TOP_REAR_LEFT, SF_CHANNEL_MAP_TOP_REAR_CENTER, SF_CHANNEL_MAP_TOP_REAR_RIGHT,
    ].map { Int32($0) }
}

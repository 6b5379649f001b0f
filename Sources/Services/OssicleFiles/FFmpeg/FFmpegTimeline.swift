#if FFmpeg
// Where the packets of a file lie in time.

import CFFmpeg
import OssicleCodecs

/// The packets of a stream and the frames they stand for. In AAC and Apple Lossless every packet but the last stands
/// for the same number of frames, so a packet's number states its frames, whatever happened to the packets before it.
struct FFmpegTimeline {
    /// Whence decoding gives the same as decoding from the beginning.
    enum Entry: Equatable {
        /// From every packet.
        case anywhere
        /// From every packet whose number is a multiple of `grid`, if the decoder is made anew there and sees some
        /// packets before it. Reading in order makes it anew at the same packets.
        case grid
        /// From the beginning alone.
        case beginning
    }

    /// Three seconds or so: a seek decodes no more. AAC substitutes noise from a generator that runs on from packet to
    /// packet.
    static let grid = 128
    /// AAC-LC overlaps one packet with the next; the rest is a reserve.
    static let preroll = 4

    let entry: Entry
    /// Frames of every packet but the last; 0 when packets differ.
    let framesPerPacket: Int
    private(set) var packetCount = 0
    /// Frames of all packets together.
    private(set) var frameCount: Int64 = 0
    private let hasTable: Bool
    private var places: [FFmpegPlace] = []

    /// Learns from the packet table of `input`, or where there is none by reading its packets to the end. `input`
    /// stands at the beginning.
    init(_ input: FFmpegInput, _ shape: FFmpegStreamShape) {
        entry = shape.entry
        framesPerPacket = shape.framesPerPacket
        hasTable = input.hasPacketTable
        let ticks: Int64
        if hasTable {
            packetCount = input.packetsInFile
            ticks = packetCount == input.tableCount ? max(0, input.stream.pointee.duration) : 0
        } else {
            ticks = countPackets(input)
        }
        frameCount = frames(ticks, input, rate: shape.sampleRate)
    }

    /// Packets that differ are counted by decoding them.
    mutating func setFrameCount(_ frames: Int64) { frameCount = frames }

    /// The nearest packet at or before `number` from which decoding may begin.
    func entry(before number: Int) -> Int { entry == .beginning ? 0 : number / Self.grid * Self.grid }

    /// Where packet `number` is found, which is one of those a new beginning reads first.
    func place(of number: Int, in input: FFmpegInput) -> FFmpegPlace? {
        if hasTable { return input.tablePlace(number) }
        let index = number / Self.grid
        return places.indices.contains(index) ? places[index] : nil
    }

    private mutating func countPackets(_ input: FFmpegInput) -> Int64 {
        let packet = FFmpegPacket(), offset = Self.grid - Self.preroll
        var ticks: Int64 = 0
        while input.read(into: packet.pointer) {
            if packetCount % Self.grid == offset {
                places.append(FFmpegPlace(timestamp: packet.pointer.pointee.dts, byte: packet.pointer.pointee.pos))
            }
            packetCount += 1
            ticks = ticks.addingReportingOverflow(packet.pointer.pointee.duration).partialValue
        }
        return ticks
    }

    /// The durations may tell that the last packet is not full; where they contradict the number of packets they do not
    /// count.
    private func frames(_ ticks: Int64, _ input: FFmpegInput, rate: Double) -> Int64 {
        let (full, overflow) = Int64(packetCount).multipliedReportingOverflow(by: Int64(framesPerPacket))
        guard !overflow, full > 0 else { return 0 }
        let base = input.stream.pointee.time_base
        let stated = av_rescale(max(0, ticks), Int64(base.num) * Int64(rate), Int64(max(base.den, 1)))
        return stated <= full && stated > full - Int64(framesPerPacket) ? stated : full
    }
}

extension FFmpegInput {
    /// Whether the container keeps a table of all packets: an MPEG-4 file that is not fragmented.
    var hasPacketTable: Bool {
        container.hasPrefix("mov") && tableCount > 0 && stream.pointee.nb_frames == Int64(tableCount)
    }

    var tableCount: Int { Int(avformat_index_get_entries_count(stream)) }

    /// Packets of the table that lie in the file as a whole.
    var packetsInFile: Int {
        var count = tableCount
        while count > 0, let entry = avformat_index_get_entry(stream, Int32(clamping: count - 1)),
            entry.pointee.pos > byteCount - Int64(entry.pointee.size)
        { count -= 1 }
        return count
    }

    func tablePlace(_ number: Int) -> FFmpegPlace? {
        avformat_index_get_entry(stream, Int32(clamping: number)).map {
            FFmpegPlace(timestamp: $0.pointee.timestamp, byte: $0.pointee.pos)
        }
    }
}
#endif

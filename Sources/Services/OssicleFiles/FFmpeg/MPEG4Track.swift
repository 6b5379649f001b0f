// What an MPEG-4 file tells of its one track of sound.

import OssicleCodecs

/// The packets of a recording and where they lie, and the boxes that tell of them.
struct MPEG4Track {
    /// A run of packets side by side in the file.
    struct Chunk: Equatable {
        var offset: Int64
        var packetCount: Int
    }

    let format: PacketFormat
    /// Significant bits of a sample.
    let bits: Int
    var primingFrames = 0
    var remainderFrames = 0
    private(set) var chunks: [Chunk] = []
    private(set) var sizes: [UInt32] = []
    /// Frames of the packets, in runs of the same number.
    private(set) var durations: [(packets: Int, frames: Int)] = []
    private(set) var duration: Int64 = 0
    /// Ten hours of AAC are 1.7 million packets, whose sizes take 7 MB.
    private static let number: UInt32 = 1

    init(format: PacketFormat, bits: Int) {
        self.format = format
        self.bits = bits
    }

    /// Frames of the recording.
    var frameCount: Int64 { max(0, duration - Int64(primingFrames) - Int64(remainderFrames)) }

    /// Notes packets, with their sizes and frames, that were written at `offset`.
    mutating func append(_ packets: [(size: Int, frames: Int)], at offset: Int64) {
        chunks.append(Chunk(offset: offset, packetCount: packets.count))
        for packet in packets {
            sizes.append(UInt32(clamping: packet.size))
            duration += Int64(packet.frames)
            if durations.last?.frames == packet.frames {
                durations[durations.count - 1].packets += 1
            } else {
                durations.append((1, packet.frames))
            }
        }
    }

    /// The movie with the table of all packets, or one that announces fragments.
    func movie(metadata: AudioMetadata, isFragmented: Bool) -> [UInt8] {
        let length = isFragmented ? 0 : frameCount, isLong = duration > Int64(UInt32.max), matrix = Self.matrix
        let header = MPEG4Box.full(
            "mvhd", version: isLong ? 1 : 0, times(isLong), MPEG4Box.bytes(scale), time(length, isLong),
            [0, 1, 0, 0, 1, 0],
            MPEG4Box.zeros(10), matrix, MPEG4Box.zeros(24), MPEG4Box.bytes(Self.number + 1))
        let trackHeader = MPEG4Box.full(
            "tkhd", version: isLong ? 1 : 0, flags: 7, times(isLong), MPEG4Box.bytes(Self.number), MPEG4Box.zeros(4),
            time(length, isLong), MPEG4Box.zeros(12), [1, 0, 0, 0], matrix, MPEG4Box.zeros(8))
        let track = MPEG4Box.box("trak", trackHeader, edit(length, isLong), media(isFragmented, isLong))
        let extends = MPEG4Box.full(
            "trex", MPEG4Box.bytes(Self.number), MPEG4Box.bytes(UInt32(1)),
            MPEG4Box.bytes(UInt32(clamping: format.framesPerPacket)),
            MPEG4Box.zeros(8))
        let gaps =
            isFragmented || (primingFrames == 0 && remainderFrames == 0)
            ? nil : (primingFrames, remainderFrames, frameCount)
        return MPEG4Box.box(
            "moov", header, track, isFragmented ? MPEG4Box.box("mvex", extends) : [],
            MPEG4Tags.box(metadata, gaps: gaps))
    }

    /// The announcement of a fragment: packets that lie directly behind it, inside a box of media data.
    func fragment(number: UInt32, _ packets: [(size: Int, frames: Int)]) -> [UInt8] {
        let isRegular = packets.allSatisfy { $0.frames == format.framesPerPacket }
        let table = MPEG4Box.list(packets) {
            (isRegular ? [] : MPEG4Box.bytes(UInt32(clamping: $0.frames))) + MPEG4Box.bytes(UInt32(clamping: $0.size))
        }
        let count = Array(table.prefix(4)), sizes = Array(table.dropFirst(4))
        func fragment(dataOffset: Int) -> [UInt8] {
            MPEG4Box.box(
                "moof", MPEG4Box.full("mfhd", MPEG4Box.bytes(number)),
                MPEG4Box.box(
                    "traf", MPEG4Box.full("tfhd", flags: 0x20000, MPEG4Box.bytes(Self.number)),
                    MPEG4Box.full("tfdt", version: 1, MPEG4Box.bytes(duration)),
                    MPEG4Box.full(
                        "trun", flags: isRegular ? 0x201 : 0x301, count, MPEG4Box.bytes(Int32(clamping: dataOffset)),
                        sizes)))
        }
        return fragment(dataOffset: fragment(dataOffset: 0).count + 8)
    }

    private var scale: UInt32 { UInt32(clamping: Int(format.sampleRate)) }
    private static let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { MPEG4Box.bytes(UInt32($0)) }

    /// When the file was made, which it does not tell: the same samples give the same bytes.
    private func times(_ isLong: Bool) -> [UInt8] { MPEG4Box.zeros(isLong ? 16 : 8) }

    private func time(_ frames: Int64, _ isLong: Bool) -> [UInt8] {
        isLong ? MPEG4Box.bytes(frames) : MPEG4Box.bytes(UInt32(clamping: frames))
    }

    /// The part that is the recording. In a movie of fragments its length is open.
    private func edit(_ length: Int64, _ isLong: Bool) -> [UInt8] {
        guard primingFrames > 0 || remainderFrames > 0 else { return [] }
        return MPEG4Box.box(
            "edts",
            MPEG4Box.full(
                "elst", version: isLong ? 1 : 0, [0, 0, 0, 1], time(length, isLong), time(Int64(primingFrames), isLong),
                [0, 1, 0, 0]))
    }

    private func media(_ isFragmented: Bool, _ isLong: Bool) -> [UInt8] {
        let undetermined: [UInt8] = [0x55, 0xC4, 0, 0]
        let header = MPEG4Box.full(
            "mdhd", version: isLong ? 1 : 0, times(isLong), MPEG4Box.bytes(scale),
            time(isFragmented ? 0 : duration, isLong), undetermined)
        let handler = MPEG4Box.full(
            "hdlr", MPEG4Box.zeros(4), Array("soun".utf8), MPEG4Box.zeros(12), Array("SoundHandler\0".utf8))
        let here = MPEG4Box.full("url ", flags: 1),
            data = MPEG4Box.box("dinf", MPEG4Box.full("dref", [0, 0, 0, 1], here))
        return MPEG4Box.box(
            "mdia", header, handler,
            MPEG4Box.box("minf", MPEG4Box.full("smhd", MPEG4Box.zeros(4)), data, table(isEmpty: isFragmented)))
    }
}

extension MPEG4Track {
    func table(isEmpty: Bool) -> [UInt8] {
        let times = isEmpty ? [] : durations.map { (UInt32(clamping: $0.packets), UInt32(clamping: $0.frames)) }
        let lengths = isEmpty ? [] : sizes
        let description = MPEG4Box.full("stsd", [0, 0, 0, 1], sampleEntry)
        return MPEG4Box.box(
            "stbl", description,
            MPEG4Box.full("stts", MPEG4Box.list(times) { MPEG4Box.bytes($0.0) + MPEG4Box.bytes($0.1) }),
            MPEG4Box.full(
                "stsc",
                MPEG4Box.list(isEmpty ? [] : runs) {
                    MPEG4Box.bytes($0.first) + MPEG4Box.bytes($0.packets) + [0, 0, 0, 1]
                }),
            MPEG4Box.full("stsz", MPEG4Box.zeros(4), MPEG4Box.list(lengths) { MPEG4Box.bytes($0) }),
            offsets(isEmpty ? [] : chunks))
    }

    /// Chunks of the same number of packets, stored once: the first of them, counted from 1.
    private var runs: [(first: UInt32, packets: UInt32)] {
        var runs: [(first: UInt32, packets: UInt32)] = []
        for (index, chunk) in chunks.enumerated() where Int(runs.last?.packets ?? 0) != chunk.packetCount {
            runs.append((UInt32(clamping: index + 1), UInt32(clamping: chunk.packetCount)))
        }
        return runs
    }

    private func offsets(_ chunks: [Chunk]) -> [UInt8] {
        let isLong = (chunks.last?.offset ?? 0) > Int64(UInt32.max)
        return MPEG4Box.full(
            isLong ? "co64" : "stco",
            MPEG4Box.list(chunks) { isLong ? MPEG4Box.bytes($0.offset) : MPEG4Box.bytes(UInt32(clamping: $0.offset)) })
    }

    /// The codec with its cookie: an ES descriptor for AAC (ISO/IEC 14496-14), 24 bytes for Apple Lossless. Rates
    /// beyond 16 bits stand in the cookie alone.
    private var sampleEntry: [UInt8] {
        let isAAC = format.codec == .aac, rate = format.sampleRate < 65_536 ? UInt32(format.sampleRate) << 16 : 0
        let general =
            MPEG4Box.zeros(6) + [0, 1] + MPEG4Box.zeros(8) + MPEG4Box.bytes(UInt16(clamping: format.channelCount))
            + MPEG4Box.bytes(UInt16(clamping: isAAC ? 16 : bits)) + MPEG4Box.zeros(4) + MPEG4Box.bytes(rate)
        return MPEG4Box.box(isAAC ? "mp4a" : "alac", general, MPEG4Box.full(isAAC ? "esds" : "alac", format.cookie))
    }
}

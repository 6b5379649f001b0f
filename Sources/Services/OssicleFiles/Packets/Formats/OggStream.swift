// What streams in Ogg are.

import OssicleCodecs

/// The headers of one stream, and the lengths of its packets.
struct OggStream {
    private enum Kind { case opus, vorbis, flac }
    private let kind: Kind
    private(set) var format: PacketFormat?
    private(set) var metadata = AudioMetadata()
    private(set) var primingFrames = 0
    /// Whether all headers have come.
    private(set) var isComplete = false
    /// Frames of the longest packet.
    private(set) var longestPacket = 0
    private var headers: [[UInt8]] = []
    private var vorbis: VorbisModes?

    /// A stream whose first packet is `head`; `nil` when it is none we know.
    init?(_ head: UnsafeRawBufferPointer) {
        if head.starts(with: "OpusHead".utf8) {
            kind = .opus
        } else if head.starts(with: [1] + Array("vorbis".utf8)) {
            kind = .vorbis
        } else if head.starts(with: [0x7F] + Array("FLAC".utf8)) {
            kind = .flac
        } else {
            return nil
        }
    }

    /// The frames of a packet; `nil` when it is a header.
    mutating func frames(of packet: [UInt8], _ window: ParserWindow) throws(AudioFileError) -> Int? {
        guard isComplete else {
            try header(packet, window)
            return nil
        }
        let frames: Int
        switch kind {
        case .opus: frames = OpusHeader.frames(of: packet)
        case .vorbis: frames = vorbis?.frames(of: packet) ?? 0
        case .flac:
            frames = packet.withUnsafeBytes {
                if case .header(let header) = FlacFrameHeader.read($0, at: 0) { header.frameCount } else { 0 }
            }
        }
        longestPacket = max(longestPacket, frames)
        return frames
    }

    private mutating func header(_ packet: [UInt8], _ window: ParserWindow) throws(AudioFileError) {
        let number = headers.count
        headers.append(kind == .vorbis ? packet : [])
        switch (kind, number) {
        case (.opus, 0):
            guard let head = OpusHeader(identification: packet) else {
                throw window.damaged(
                    "an Opus head of \(packet.count) bytes", rule: "It is 19 bytes or more, with channels.")
            }
            primingFrames = head.preSkip
            format = head.format(cookie: packet)
        case (.opus, _):
            metadata = comments(packet, behind: 8)
            isComplete = true
        case (.vorbis, 0):
            guard let modes = VorbisModes(packet) else {
                throw window.damaged(
                    "a Vorbis head of \(packet.count) bytes", rule: "It tells channels, rate and block sizes.")
            }
            vorbis = modes
            format = PacketFormat(
                codec: .vorbis, sampleRate: Double(modes.sampleRate), channelCount: modes.channelCount,
                channelLabels: modes.channelCount > 2
                    ? Codecs.channelLabels(of: .vorbis, channelCount: modes.channelCount) : nil)
        case (.vorbis, 1): metadata = comments(packet, behind: 7)
        case (.vorbis, _):
            vorbis?.readSetup(packet)
            let cookie = laced(headers)
            format?.cookie = cookie
            headers = []
            isComplete = true
        case (.flac, 0):
            guard let info = FLACStreamInfo(cookie: Array(packet.dropFirst(17))) else {
                throw window.damaged(
                    "FLAC without a usable STREAMINFO block", rule: "It tells rate, channels and depth.")
            }
            format = info.format
        case (.flac, _):
            if let kind = packet.first, kind & 0x7F == 4 { metadata = comments(packet, behind: 4) }
            isComplete = packet.first.map { $0 & 0x80 != 0 } ?? true
        }
    }

    private func comments(_ packet: [UInt8], behind count: Int) -> AudioMetadata {
        packet.dropFirst(count).withUnsafeBytes { VorbisComments.read($0) }
    }

    /// Three headers in one: their count less one, the sizes of all but the last in pieces of 255, then their bytes.
    private func laced(_ headers: [[UInt8]]) -> [UInt8] {
        var laced = [UInt8(clamping: headers.count - 1)]
        for header in headers.dropLast() {
            laced.append(contentsOf: repeatElement(255, count: header.count / 255))
            laced.append(UInt8(header.count % 255))
        }
        for header in headers { laced += header }
        return laced
    }
}

/// What tells how many frames packets of Vorbis give (Vorbis I, 4.2 and 4.3).
struct VorbisModes {
    let sampleRate: Int
    let channelCount: Int
    private let blockSizes: [Int]
    /// Whether the packets of each mode are long.
    private var isLong: [Bool] = []
    private var previous = 0

    init?(_ head: [UInt8]) {
        guard head.count >= 30 else { return nil }
        channelCount = Int(head[11])
        sampleRate = (0..<4).reduce(0) { $0 | Int(head[12 + $1]) << (8 * $1) }
        blockSizes = [1 << Int(head[28] & 15), 1 << Int(head[28] >> 4)]
        guard channelCount > 0, sampleRate > 0 else { return nil }
    }

    /// Modes stand at the end of the setup header, before one last bit: each has 41 bits, of which 32 are zeros; six
    /// bits before them tell how many there are. All else would need the code books to be read.
    mutating func readSetup(_ packet: [UInt8]) {
        func bit(_ index: Int) -> Int { Int(packet[index >> 3] >> UInt8(index & 7) & 1) }
        func number(_ index: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | bit(index + $1) << $1 } }
        guard let last = packet.lastIndex(where: { $0 != 0 }) else { return }
        let end = last * 8 + 7 - packet[last].leadingZeroBitCount
        for count in 1...64 {
            let start = end - 41 * count
            guard start >= 64, number(start + 1, 32) == 0 else { return }
            if number(start - 6, 6) == count - 1 { isLong = (0..<count).map { bit(start + 41 * $0) == 1 } }
        }
    }

    /// Half of the block before and half of this one; nothing for the first.
    mutating func frames(of packet: [UInt8]) -> Int {
        guard let first = packet.first, first & 1 == 0, !isLong.isEmpty else { return 0 }
        let width = Int.bitWidth - (isLong.count - 1).leadingZeroBitCount, mode = Int(first >> 1) & (1 << width - 1)
        guard mode < isLong.count else { return 0 }
        let size = blockSizes[isLong[mode] ? 1 : 0]
        defer { previous = size }
        return previous > 0 ? (previous + size) / 4 : 0
    }
}

// Apple's Core Audio Format.

import OssicleChannels
import OssicleCodecs

/// Chunks of big-endian sizes of 64 bits, unpadded (Core Audio Format specification 1.0).
struct CafDialect: ChunkDialect {
    let container = AudioContainer.caf
    let fileHeaderSize = 8, chunkHeaderSize = 12
    let audioChunk: FourCC = "data"

    func readFileHeader(_ cursor: ByteCursor, _ window: ParserWindow) throws(AudioFileError) {
        var cursor = cursor
        cursor.skip(4)
        guard let version = cursor.big(UInt16.self), version == 1 else {
            throw window.unsupported("a CAF file of an unknown version", rule: "CAF is read in version 1.")
        }
    }

    func chunk(_ cursor: ByteCursor) -> Chunk? {
        var cursor = cursor
        guard let name = cursor.name(), let size = cursor.big(Int64.self) else { return nil }
        return Chunk(name: name, byteCount: size == -1 && name == audioChunk ? nil : size)
    }

    func limit(of name: FourCC) -> Int {
        switch name {
        case "desc", "chan", "kuki": 1 << 16
        case "info": 1 << 20
        case "pakt": 64 << 20
        default: 0
        }
    }

    func read(
        _ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, window: ParserWindow
    ) throws(AudioFileError) {
        var cursor = ByteCursor(body)
        switch name {
        case "desc": facts.format = try CafFormat.read(body, window)
        case "chan": facts.labels = LayoutChunk.labels(body)
        case "kuki": facts.cookie = CafFormat.bareCookie(Array(body))
        case "info": CafText.read(body, into: &facts.metadata)
        case "pakt":
            guard let count = cursor.big(Int64.self), cursor.skip(8), let priming = cursor.big(Int32.self),
                let remainder = cursor.big(Int32.self)
            else {
                throw window.damaged(
                    "a packet table of \(body.count) bytes", rule: "It begins with 24 bytes of counts.")
            }
            facts.packets = PacketTable(
                packetCount: count, primingFrames: Int(max(0, priming)), remainderFrames: Int(max(0, remainder)),
                entries: Array(cursor.rest()))
        default: break
        }
    }

    /// The chunk begins with a count of edits.
    func audioPrefix(_ cursor: ByteCursor) -> Int? { 4 }
}

/// The text chunk of CAF: pairs of strings that end in zeros.
enum CafText {
    static func read(_ body: UnsafeRawBufferPointer, into metadata: inout AudioMetadata) {
        var cursor = ByteCursor(body)
        guard let count = cursor.big(UInt32.self) else { return }
        for _ in 0..<count {
            guard cursor.remaining > 0 else { break }
            let key = cursor.text(), value = cursor.text()
            if let field = fields.first(where: { $0.key == key })?.field { metadata[keyPath: field] = value }
        }
    }

    /// The chunk's body; empty when there is nothing to tell.
    static func body(_ metadata: AudioMetadata) -> [UInt8] {
        var builder = ByteBuilder(), count: UInt32 = 0
        for (key, field) in fields {
            guard let text = metadata[keyPath: field] else { continue }
            for part in [key, text] {
                builder.append(part.utf8.filter { $0 != 0 })
                builder.append([0])
            }
            count += 1
        }
        var body = ByteBuilder()
        body.big(count)
        body.append(builder.bytes)
        return count > 0 ? body.bytes : []
    }

    private static var fields: [(key: String, field: WritableKeyPath<AudioMetadata, String?>)] {
        [
            ("title", \.title), ("artist", \.artist), ("album", \.album), ("comments", \.comment), ("year", \.date),
            ("genre", \.genre),
            ("track number", \.trackNumber), ("copyright", \.copyright),
            ("encoding application", \.encodingApplication),
        ]
    }
}

/// A channel layout as those chunks keep it: a tag, a mask of bits, or one description for each channel.
enum LayoutChunk {
    private static let useDescriptions: UInt32 = 0, useMask: UInt32 = 0x10000
    private static let mostChannels: UInt32 = 1024

    /// The labels of a layout; `nil` when it is none we know.
    static func labels(_ body: UnsafeRawBufferPointer) -> [UInt32]? {
        var cursor = ByteCursor(body)
        guard let tag = cursor.big(UInt32.self), let mask = cursor.big(UInt32.self), let count = cursor.big(UInt32.self)
        else { return nil }
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
        default:
            guard let labels = ChannelOrder.labels(for: tag), !labels.contains(ChannelLabel.unknown) else { return nil }
            return labels
        }
    }

    /// The layout of `labels`: a tag where there is one, which more programs understand.
    static func body(_ labels: [UInt32]) -> [UInt8] {
        var builder = ByteBuilder()
        let tag = ChannelOrder.tag(for: labels).flatMap { isWidelyKnown($0) ? $0 : nil }
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

    /// Whether programs that know few tags know this one: those of the specification's first edition, and of AAC and
    /// Ambisonics those in common use.
    private static func isWidelyKnown(_ tag: UInt32) -> Bool {
        (100...148).contains(tag >> 16) || [183, 184, 190, 191].contains(tag >> 16)
    }
}

// AIFF and AIFF-C.

import OssicleCodecs

/// Chunks of big-endian sizes at even places (Apple's AIFF 1.3 and AIFF-C draft).
struct AiffDialect: ChunkDialect {
    let isCompressed: Bool

    let container = AudioContainer.aiff
    let fileHeaderSize = 12, chunkHeaderSize = 8
    let audioChunk: FourCC = "SSND"

    init(isCompressed: Bool) { self.isCompressed = isCompressed }

    func readFileHeader(_ cursor: ByteCursor, _ window: ParserWindow) {}

    func chunk(_ cursor: ByteCursor) -> Chunk? {
        var cursor = cursor
        guard let name = cursor.name(), let size = cursor.big(UInt32.self) else { return nil }
        return Chunk(name: name, byteCount: Int64(size), padding: Int64(size & 1))
    }

    func limit(of name: FourCC) -> Int {
        name == "COMM" ? 4096 : name == "CHAN" || AiffText.field(of: name) != nil ? 1 << 16 : 0
    }

    func read(
        _ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, window: ParserWindow
    ) throws(AudioFileError) {
        var cursor = ByteCursor(body)
        switch name {
        case "COMM": facts.format = try AiffFormat.read(body, isCompressed: isCompressed, window: window)
        case "CHAN": facts.labels = LayoutChunk.labels(body)
        default:
            if let field = AiffText.field(of: name) { facts.metadata[keyPath: field] = cursor.text() }
        }
    }

    /// The chunk begins with how much of it is passed over, and a block size.
    func audioPrefix(_ cursor: ByteCursor) -> Int? {
        var cursor = cursor
        guard cursor.remaining >= 8, let offset = cursor.big(UInt32.self) else { return nil }
        return 8 + Int(offset)
    }
}

/// The text chunks of AIFF.
enum AiffText {
    static var fields: [(name: FourCC, field: WritableKeyPath<AudioMetadata, String?>)] {
        [("NAME", \.title), ("AUTH", \.artist), ("(c) ", \.copyright), ("ANNO", \.comment)]
    }

    static func field(of name: FourCC) -> WritableKeyPath<AudioMetadata, String?>? {
        fields.first { $0.name == name }?.field
    }
}

/// The chunk that describes the audio.
enum AiffFormat {
    static func read(
        _ body: UnsafeRawBufferPointer, isCompressed: Bool, window: ParserWindow
    ) throws(AudioFileError) -> StreamFormat {
        var cursor = ByteCursor(body)
        guard let channels = cursor.big(Int16.self), cursor.skip(4), let bits = cursor.big(Int16.self),
            let rate = ExtendedFloat.read(&cursor),
            channels > 0, rate > 0, rate.isFinite
        else {
            throw window.damaged(
                "a COMM chunk of \(body.count) bytes without channels or rate", rule: "AIFF tells both.")
        }
        let kind = isCompressed ? cursor.name() ?? "NONE" : "NONE", count = Int(channels)
        func pcm(_ sample: PCMFormat.Kind, _ bits: Int, big: Bool = true) -> StreamFormat {
            let size = (bits + 7) / 8
            return .pcm(
                PCMFormat(
                    sampleRate: rate, channelCount: count, kind: sample, bits: bits, bytesPerSample: size,
                    isBigEndian: big && size > 1,
                    isAlignedHigh: bits < size * 8, isInterleaved: true))
        }
        func packets(_ codec: AudioCodec, frames: Int, bytes: Int) -> StreamFormat {
            .packets(
                PacketFormat(
                    codec: codec, sampleRate: rate, channelCount: count, framesPerPacket: frames,
                    bytesPerPacket: bytes * count))
        }
        switch kind {
        case "NONE", "twos", "sowt", "in24", "in32", "42ni", "23ni":
            guard bits > 0, bits <= 32 else { break }
            return pcm(.signed, Int(bits), big: kind != "sowt" && kind != "42ni" && kind != "23ni")
        case "raw ": return pcm(.unsigned, 8)
        case "fl32", "FL32": return pcm(.float, 32)
        case "fl64", "FL64": return pcm(.float, 64)
        case "ulaw", "ULAW": return packets(.muLaw, frames: 1, bytes: 1)
        case "alaw", "ALAW": return packets(.aLaw, frames: 1, bytes: 1)
        case "ima4": return packets(.ima4, frames: 64, bytes: 34)
        default: break
        }
        throw window.unsupported(
            "compression \"\(kind)\" with \(bits) bits",
            rule: "AIFF-C is read with PCM of up to 32 bits, float, A-law, µ-law and IMA4.")
    }

    /// The chunk's body for `frames` frames; `nil` when AIFF has no such format.
    static func body(_ format: StreamFormat, frames: UInt32) -> (bytes: [UInt8], isCompressed: Bool)? {
        guard let channels = Int16(exactly: format.channelCount), channels > 0, format.sampleRate > 0,
            format.sampleRate.isFinite
        else { return nil }
        let kind: FourCC, bits: Int
        switch format {
        case .pcm(let pcm):
            guard pcm.bits == pcm.bytesPerSample * 8 || pcm.isAlignedHigh, pcm.bits > (pcm.bytesPerSample - 1) * 8
            else { return nil }
            bits = pcm.bits
            switch (pcm.kind, pcm.bytesPerSample, pcm.isBigEndian || pcm.bytesPerSample == 1) {
            case (.signed, 1...4, true): kind = "NONE"
            case (.signed, 2...4, false): kind = "sowt"
            case (.unsigned, 1, _): kind = "raw "
            case (.float, 4, true): kind = "fl32"
            case (.float, 8, true): kind = "fl64"
            default: return nil
            }
        case .packets(let packets):
            switch packets.codec {
            case .muLaw: (kind, bits) = ("ulaw", 16)
            case .aLaw: (kind, bits) = ("alaw", 16)
            case .ima4: (kind, bits) = ("ima4", 16)
            default: return nil
            }
        }
        var builder = ByteBuilder()
        builder.big(channels)
        builder.big(frames)
        builder.big(Int16(bits))
        builder.append(ExtendedFloat.bytes(format.sampleRate))
        if kind != "NONE" {
            builder.name(kind)
            builder.append([0, 0])
        }
        return (builder.bytes, kind != "NONE")
    }
}

/// Floating-point numbers of 80 bits: sign and 15 bits of exponent, then the significand with its leading one.
enum ExtendedFloat {
    static func read(_ cursor: inout ByteCursor) -> Double? {
        guard let exponent = cursor.big(UInt16.self), let significand = cursor.big(UInt64.self) else { return nil }
        return exponent & 0x8000 == 0
            ? Double(sign: .plus, exponent: Int(exponent) - 16_383 - 63, significand: Double(significand)) : nil
    }

    /// The bytes of a positive number.
    static func bytes(_ number: Double) -> [UInt8] {
        var builder = ByteBuilder()
        builder.big(UInt16(16_383 + Int(number.exponent)))
        builder.big(UInt64(number.significandBitPattern | 1 << 52) << 11)
        return builder.bytes
    }
}

// AIFF, AU and CAF to be written.

import OssicleCodecs

/// AIFF, or AIFF-C where the format needs it.
struct AiffLayout: FileLayout {
    let hasTable = false

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let common = AiffFormat.body(facts.format, frames: UInt32(clamping: facts.packetCount)) else {
            throw facts.unsupported(
                .aiff, rule: "AIFF holds signed PCM of 8 to 32 bits, float big endian, A-law, µ-law and IMA4.")
        }
        var chunks = ByteBuilder()
        func chunk(_ name: FourCC, _ body: [UInt8]) {
            chunks.name(name)
            chunks.big(UInt32(body.count))
            chunks.append(body)
            chunks.zeros(body.count & 1)
        }
        if common.isCompressed { chunk("FVER", [0xA2, 0x80, 0x51, 0x40]) }
        chunk("COMM", common.bytes)
        if let labels = facts.format.channelLabels { chunk("CHAN", LayoutChunk.body(labels)) }
        for (name, field) in AiffText.fields {
            if let text = facts.metadata[keyPath: field] { chunk(name, Array(text.utf8.prefix(1 << 15))) }
        }
        let whole = Int64(4 + chunks.count + 16) + facts.byteCount + (facts.byteCount & 1)
        guard whole <= Int64(Int32.max) else {
            throw AudioFileError(
                .tooLarge, path: facts.name, found: "\(whole) bytes", rule: "AIFF ends at 2 GB.", cure: "Write CAF.")
        }
        var head = ByteBuilder()
        head.name("FORM")
        head.big(UInt32(whole))
        head.name(common.isCompressed ? "AIFC" : "AIFF")
        head.append(chunks.bytes)
        head.name("SSND")
        head.big(UInt32(facts.byteCount + 8))
        head.zeros(8)
        return head.bytes
    }

    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] { facts.byteCount & 1 == 1 ? [0] : [] }
}

/// Sun's AU.
struct AuLayout: FileLayout {
    let hasTable = false

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let encoding = AuFormat.encoding(facts.format), let rate = UInt32(exactly: facts.format.sampleRate) else {
            throw facts.unsupported(
                .au, rule: "AU holds signed PCM and float big endian, A-law and µ-law, at whole rates.")
        }
        var head = ByteBuilder()
        head.name(".snd")
        for number in [
            24, facts.byteCount < Int64(UInt32.max) ? UInt32(facts.byteCount) : .max, encoding, rate,
            UInt32(facts.format.channelCount),
        ] { head.big(number) }
        return head.bytes
    }

    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] { [] }
}

/// CAF, with a table of packets behind the audio where they differ, or where priming is to be stated.
struct CafLayout: FileLayout {
    private let needsTable: Bool

    init(_ format: StreamFormat) { needsTable = format.bytesPerPacket == 0 || format.framesPerPacket != 1 }

    var hasTable: Bool { needsTable }

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let description = CafFormat.body(facts.format) else {
            throw facts.unsupported(
                .caf, rule: "CAF holds signed PCM and float, and packets of the codecs it has names for.")
        }
        var head = ByteBuilder()
        head.name("caff")
        head.append([0, 1, 0, 0])
        func chunk(_ name: FourCC, _ body: [UInt8]) {
            head.name(name)
            head.big(Int64(body.count))
            head.append(body)
        }
        chunk("desc", description)
        if let labels = facts.format.channelLabels { chunk("chan", LayoutChunk.body(labels)) }
        let cookie = facts.streamCookie
        if !cookie.isEmpty { chunk("kuki", cookie) }
        let text = CafText.body(facts.metadata)
        if !text.isEmpty { chunk("info", text) }
        head.name("data")
        head.big(facts.byteCount + 4)
        head.zeros(4)
        return head.bytes
    }

    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] {
        guard needsTable else { return [] }
        var table = ByteBuilder()
        for number in [facts.packetCount, facts.validFrames] { table.big(number) }
        // Readers count whole packets, also when the last is shorter.
        let nominal =
            facts.format.framesPerPacket > 0
            ? facts.packetCount * Int64(facts.format.framesPerPacket) : facts.frameCount
        for number in [Int64(facts.primingFrames), nominal - Int64(facts.primingFrames) - facts.validFrames] {
            table.big(Int32(clamping: max(0, number)))
        }
        if !facts.hasConstantPackets {
            for packet in 0..<facts.packetCount {
                table.grouped(Int64(facts.packets.size(of: packet)))
                if facts.format.framesPerPacket == 0 { table.grouped(Int64(facts.packets.framesPerPacket(of: packet))) }
            }
        }
        var chunk = ByteBuilder()
        chunk.name("pakt")
        chunk.big(Int64(table.count))
        return chunk.bytes + table.bytes
    }
}

extension WriterFacts {
    /// The cookie as files keep it: of AAC the ES descriptor.
    var streamCookie: [UInt8] {
        guard case .packets(let packets) = format, [.aac, .heAAC, .heAACv2].contains(packets.codec) else {
            return cookie
        }
        return AACConfiguration(cookie: cookie)?.elementaryStreamDescriptor ?? cookie
    }
}

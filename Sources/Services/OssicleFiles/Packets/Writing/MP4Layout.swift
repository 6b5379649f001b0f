// M4A to be written.

import OssicleCodecs

/// M4A: the sound, and behind it the box that describes it (ISO/IEC 14496-12 and 14496-14).
struct MP4Layout: FileLayout {
    let hasTable = true
    /// Samples of one chunk.
    private static let samplesPerChunk: Int64 = 32

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let rate = UInt32(exactly: facts.format.sampleRate), rate > 0,
            (1...64).contains(facts.format.channelCount), entry(facts) != nil
        else {
            throw facts.unsupported(
                .mpeg4,
                rule:
                    "M4A is written with AAC, given its AudioSpecificConfig, and Apple Lossless, given its 24 bytes, at whole rates."
            )
        }
        var head = MP4Builder()
        head.box("ftyp") { box in
            box.bytes.name("M4A ")
            box.bytes.big(UInt32(0))
            for brand: FourCC in ["M4A ", "mp42", "isom"] { box.bytes.name(brand) }
        }
        head.bytes.big(UInt32(1))
        head.bytes.name("mdat")
        head.bytes.big(facts.byteCount + 16)
        return head.bytes.bytes
    }

    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] {
        let rate = UInt32(clamping: facts.format.sampleRate.clampedToInt)
        var file = MP4Builder()
        file.box("moov") { moov in
            moov.fullBox("mvhd", version: 1) { header in
                header.zeros(16)
                header.big(rate)
                header.big(facts.validFrames)
                header.big(UInt32(0x10000))
                header.big(UInt16(0x100))
                header.zeros(10)
                header.append(Self.matrix)
                header.zeros(24)
                header.big(UInt32(2))
            }
            moov.box("trak") { track(&$0, facts, rate: rate, start: start) }
            let tags = MP4Tags.body(
                facts.metadata, priming: facts.primingFrames, remainder: facts.remainderFrames, valid: facts.validFrames
            )
            guard !tags.isEmpty else { return }
            moov.box("udta") {
                $0.box("meta") { meta in
                    meta.bytes.zeros(4)
                    meta.fullBox("hdlr") { handler in
                        handler.zeros(4)
                        handler.name("mdir")
                        handler.name("appl")
                        handler.zeros(9)
                    }
                    meta.box("ilst") { $0.bytes.append(tags) }
                }
            }
        }
        return file.bytes.bytes
    }

    private func track(_ track: inout MP4Builder, _ facts: WriterFacts, rate: UInt32, start: Int64) {
        track.fullBox("tkhd", version: 1, flags: 7) { header in
            header.zeros(16)
            header.big(UInt32(1))
            header.zeros(4)
            header.big(facts.validFrames)
            header.zeros(12)
            header.big(UInt16(0x100))
            header.zeros(2)
            header.append(Self.matrix)
            header.zeros(8)
        }
        track.box("edts") {
            $0.fullBox("elst", version: 1) { list in
                list.big(UInt32(1))
                list.big(facts.validFrames)
                list.big(Int64(facts.primingFrames))
                list.big(UInt32(0x10000))
            }
        }
        track.box("mdia") { media in
            media.fullBox("mdhd", version: 1) { header in
                header.zeros(16)
                header.big(rate)
                header.big(facts.frameCount)
                header.big(UInt16(0x55C4))
                header.zeros(2)
            }
            media.fullBox("hdlr") { handler in
                handler.zeros(4)
                handler.name("soun")
                handler.zeros(13)
            }
            media.box("minf") { info in
                info.fullBox("smhd") { $0.zeros(4) }
                info.box("dinf") {
                    $0.box("dref") { references in
                        references.bytes.big(Int64(1))
                        references.fullBox("url ", flags: 1) { _ in }
                    }
                }
                info.box("stbl") { tables(&$0, facts, start: start) }
            }
        }
    }

    private func tables(_ tables: inout MP4Builder, _ facts: WriterFacts, start: Int64) {
        tables.box("stsd") { box in
            box.bytes.big(Int64(1))
            box.bytes.append(entry(facts) ?? [])
        }
        let packets = facts.packets, count = packets.count
        tables.fullBox("stts") { table in
            var runs: [(count: UInt32, frames: Int)] = []
            for packet in 0..<count {
                let frames = packets.framesPerPacket(of: packet)
                if runs.last?.frames == frames { runs[runs.count - 1].count += 1 } else { runs.append((1, frames)) }
            }
            table.big(UInt32(runs.count))
            for run in runs {
                table.big(run.count)
                table.big(UInt32(clamping: run.frames))
            }
        }
        let chunkCount = (count + Self.samplesPerChunk - 1) / Self.samplesPerChunk, rest = count % Self.samplesPerChunk
        tables.fullBox("stsc") { table in
            var runs: [[UInt32]] = count >= Self.samplesPerChunk ? [[1, UInt32(Self.samplesPerChunk), 1]] : []
            if rest > 0 { runs.append([UInt32(clamping: chunkCount), UInt32(rest), 1]) }
            table.big(UInt32(runs.count))
            runs.flatMap { $0 }.forEach { table.big($0) }
        }
        tables.fullBox("stsz") { table in
            table.big(UInt32(0))
            table.big(UInt32(clamping: count))
            for packet in 0..<count { table.big(UInt32(clamping: packets.size(of: packet))) }
        }
        tables.fullBox("co64") { table in
            table.big(UInt32(clamping: chunkCount))
            for chunk in 0..<chunkCount { table.big(start + packets.start(of: chunk * Self.samplesPerChunk)) }
        }
    }

    /// What the samples are coded in; `nil` when M4A is not written with it.
    private func entry(_ facts: WriterFacts) -> [UInt8]? {
        guard case .packets(let format) = facts.format else { return nil }
        let isLossless = format.codec.isLossless
        switch format.codec {
        case .aac, .heAAC, .heAACv2: guard AACConfiguration(cookie: facts.cookie) != nil else { return nil }
        case .alac16, .alac20, .alac24, .alac32:
            guard CafFormat.bareCookie(facts.cookie).count >= 24 else { return nil }
        default: return nil
        }
        var builder = MP4Builder()
        builder.box(isLossless ? "alac" : "mp4a") { box in
            box.bytes.zeros(6)
            box.bytes.big(UInt16(1))
            box.bytes.zeros(8)
            box.bytes.big(UInt16(clamping: format.channelCount))
            box.bytes.big(UInt16(isLossless ? format.codec.bitDepth : 16))
            box.bytes.zeros(4)
            box.bytes.big(format.sampleRate < 65_536 ? UInt32(format.sampleRate.clampedToInt) << 16 : 0)
            box.fullBox(isLossless ? "alac" : "esds") {
                $0.append(isLossless ? Array(CafFormat.bareCookie(facts.cookie).prefix(24)) : facts.streamCookie)
            }
        }
        return builder.bytes.bytes
    }

    /// No picture is turned or moved.
    private static let matrix: [UInt8] =
        [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [
            0x40, 0, 0, 0,
        ]
}

import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Damaged streams and files of packets") struct PacketDamageTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// A file of one kind: those libsndfile writes, and our own M4A, ADTS and CAF.
    private func make(_ name: String, frames: Int = 2500) throws -> [UInt8] {
        let codings = Coding.all, path = folder.path(name)
        if let coding = codings.first(where: { $0.name == name }) {
            try write(
                OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: frames), to: path, coding.container,
                coding.codec)
            return try contents(path)
        }
        let container: AudioContainer = name == "a.m4a" || name == "aac.m4a" ? .mpeg4 : name == "a.aac" ? .adts : .caf
        let isLossless = name == "a.m4a"
        let packets = (0..<frames / 40).map { index in
            (0..<100 + index % 7).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
        }
        let cookie: [UInt8] =
            isLossless
            ? [0, 0, 16, 0, 0, 16, 40, 10, 14, 2, 0, 255] + [UInt8](repeating: 0, count: 8) + [0, 0, 0xBB, 0x80]
            : [0x11, 0x90]
        let format = PacketFormat(
            codec: isLossless ? .alac16 : .aac, sampleRate: 48_000, channelCount: 2,
            framesPerPacket: isLossless ? 4096 : 1024, cookie: cookie)
        let writer = try PacketFileWriter(path: path, container: container, format: .packets(format))
        writer.metadata.title = "Title"
        (writer.primingFrames, writer.remainderFrames) = (2112, 100)
        for packet in packets {
            try packet.withUnsafeBytes { try writer.write($0, [PacketSpan(offset: 0, byteCount: packet.count)]) }
        }
        try writer.close()
        return try contents(path)
    }

    /// An M4A file of ours with its description in front.
    private func optimized(_ file: [UInt8]) throws -> [UInt8] {
        var boxes: [FourCC: [UInt8]] = [:], position = 0
        while position < file.count {
            let head = try #require(file[position...].withUnsafeBytes { MP4BoxHead(ByteCursor($0)) })
            let size = try head.byteCount + Int(#require(head.bodySize))
            boxes[head.name] = Array(file[position..<position + size])
            position += size
        }
        var moov = try #require(boxes["moov"])
        let table = try #require((0..<moov.count - 4).first { Array(moov[$0..<$0 + 4]) == Array("co64".utf8) })
        let count = moov[table + 8..<table + 12].reduce(0) { $0 << 8 | Int($1) }
        for entry in 0..<count {
            let place = table + 12 + 8 * entry,
                offset = moov[place..<place + 8].reduce(0) { $0 << 8 | Int($1) } + moov.count
            for byte in 0..<8 { moov[place + byte] = UInt8(truncatingIfNeeded: offset >> (56 - 8 * byte)) }
        }
        return try #require(boxes["ftyp"]) + moov + #require(boxes["mdat"])
    }

    @Test(
        "M4A with its description in front gives the same packets in pieces as a file", arguments: ["a.m4a", "aac.m4a"])
    func optimizedPieces(name: String) throws {
        let bytes = try optimized(make(name, frames: 4000)), file = try Packets(PacketFileReader(MemoryBytes(bytes)))
        let ours = try Packets(PacketFileReader(MemoryBytes(make(name, frames: 4000))))
        #expect(
            file.packets == ours.packets && file.packets.count == 100 && file.leading == 2112 && file.trailing == 100)
        for size in [1, 7, 100, 4096, bytes.count] {
            let stream = try Packets(bytes, pieces: size)
            #expect(stream == file, "pieces of \(size)")
        }
    }

    static let names = Coding.all.map(\.name) + ["a.m4a", "aac.m4a", "a.aac", "aac.caf"]

    @Test(
        "A thousand spoilt files of each kind give errors or packets that lie inside the file, in order and at random",
        arguments: names)
    func spoilt(name: String) throws {
        let bytes = try make(name)
        var mutator = Mutator(seed: 4), opened = 0, memory = [UInt8](repeating: 0, count: 1 << 16)
        for round in 0..<1000 {
            let spoilt = mutator.mutate(bytes)
            var streamed = 0
            do {
                let parser = PacketStreamParser()
                for start in stride(from: 0, to: spoilt.count, by: 4096) {
                    try spoilt[start..<min(start + 4096, spoilt.count)].withUnsafeBytes { piece in
                        try parser.parse(piece) {
                            if case .packets(_, let spans) = $0 { streamed += spans.reduce(0) { $0 + $1.byteCount } }
                        }
                    }
                }
                try parser.finish {
                    if case .packets(_, let spans) = $0 { streamed += spans.reduce(0) { $0 + $1.byteCount } }
                }
            } catch let error as AudioFileError { #expect(!error.rule.isEmpty) }
            #expect(streamed <= spoilt.count)
            do {
                let reader = try PacketFileReader(MemoryBytes(spoilt))
                opened += 1
                #expect(reader.packetCount <= spoilt.count && reader.info.frameCount >= 0)
                for start in [0, reader.packetCount / 2, reader.packetCount - 1] {
                    let spans = try memory.withUnsafeMutableBytes { try reader.read(from: start, count: 50, into: $0) }
                    #expect(spans.allSatisfy { $0.offset >= 0 && $0.offset + $0.byteCount <= memory.count })
                }
                _ = try reader.packet(holdingFrame: reader.info.frameCount / 2)
                _ = try reader.byteOffset(ofPacket: reader.packetCount)
            } catch let error as AudioFileError { #expect(!error.cure.isEmpty, "round \(round)") }
        }
        #expect(opened > 100, "most mutations leave something")
    }

    @Test(
        "After garbage and lost bytes, the packets behind are found",
        arguments: ["a.mp3", "a.aac", "a.opus", "a.ogg", "16.flac"])
    func resync(name: String) throws {
        let bytes = try make(name, frames: 200_000), whole = try Packets(bytes, pieces: bytes.count)
        let cut = bytes.count * 2 / 5,
            garbage = [UInt8]((0..<777).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })
        let broken = Array(bytes[..<cut]) + garbage + bytes[(cut + 200)...]
        for size in [7, broken.count] {
            let stream = try Packets(broken, pieces: size)
            let tail = whole.packets.suffix(whole.packets.count / 4)
            let head = whole.packets.prefix(whole.packets.count / 8)
            #expect(
                stream.packets.starts(with: head) && stream.packets.suffix(tail.count).elementsEqual(tail),
                "\(stream.packets.count) of \(whole.packets.count)")
        }
    }

    @Test(
        "After a discontinuity the next packets are found",
        arguments: ["a.mp3", "a.aac", "a.opus", "16.flac", "16.wav", "a.m4a"])
    func discontinuity(name: String) throws {
        let bytes = try name == "a.m4a" ? optimized(make(name, frames: 200_000)) : make(name, frames: 200_000)
        let whole = try Packets(PacketFileReader(MemoryBytes(bytes)))
        let parser = PacketStreamParser()
        var before = Packets.none, after = Packets.none
        let half = bytes.count / 2
        try bytes[..<half].withUnsafeBytes { try parser.parse($0) { before.take($0) } }
        let packet = Int64(whole.packets.count * 3 / 4), place = try #require(parser.byteOffset(ofPacket: packet))
        #expect(place.offset > Int64(half) && place.offset < Int64(bytes.count))
        try bytes[Int(place.offset)...].withUnsafeBytes { try parser.parse($0, discontinuity: true) { after.take($0) } }
        try parser.finish { after.take($0) }
        let page = name == "a.opus" ? 50 : whole.packets.count / 20
        #expect(
            after.packets.count >= max(5, whole.packets.count / 4 - page),
            "up to a page of Ogg, which holds a second, may be lost")
        #expect(whole.packets.suffix(after.packets.count).elementsEqual(after.packets))
        if !place.isEstimate { #expect(after.packets.count == whole.packets.count - Int(packet)) }
    }

    @Test("MPEG audio in the free format, sound before its description and foreign bytes are refused in words")
    func refused() throws {
        func kind(_ bytes: [UInt8], hint: AudioContainer? = nil) -> AudioFileError.Kind? {
            do { _ = try Packets(bytes, pieces: bytes.count, container: hint) } catch {
                return (error as? AudioFileError)?.kind
            }
            return nil
        }
        #expect(kind([0xFF, 0xFB, 0x00, 0x00] + [UInt8](repeating: 0, count: 2000)) == .unsupported)
        #expect(try kind(make("a.m4a")) == .notOptimized)
        #expect(kind(Array("just some text, no sound".utf8)) == .unrecognized)
        #expect(kind([]) == .unrecognized)
        #expect(throws: AudioFileError.self) { try PacketFileReader(MemoryBytes([])) }
    }

    @Test("Texts of a CAF file end with their bytes, however many there are said to be")
    func claimedTexts() {
        var metadata = AudioMetadata()
        let body: [UInt8] = [255, 255, 255, 255] + Array("title\0Bells\0year\019".utf8)
        body.withUnsafeBytes { CafText.read($0, into: &metadata) }
        #expect(metadata.title == "Bells" && metadata.date == "19")
        #expect(metadata.artist == nil)
    }

    @Test("Checksums are those of the standards: the check values of \"123456789\"")
    func checksums() {
        let digits = Array("123456789".utf8)
        #expect(Checksum.crc8(digits) == 0xF4)
        #expect(digits.withUnsafeBytes { Checksum.crc16($0) } == 0xFEE8)
        #expect(digits.withUnsafeBytes { Checksum.ogg($0) } == 0x89A1_897F)
    }
}

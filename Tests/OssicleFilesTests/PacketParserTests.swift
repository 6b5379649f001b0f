import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Packets of files") struct PacketParserTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("The packets of a stream are those of the file, however its bytes are cut", arguments: Coding.all)
    func pieces(coding: Coding) throws {
        try write(
            Signal.tonesAndNoise(channels: 2, frames: 9_000), to: folder.path(coding.name), coding.container,
            coding.codec)
        let bytes = try contents(folder.path(coding.name))
        let file = try Packets(PacketFileReader(path: folder.path(coding.name)))
        #expect(file.packets.count >= 3)
        // Their table comes behind them.
        guard coding.container != .caf || coding.codec.isLinear || coding.codec == .muLaw || coding.codec == .aLaw
        else { return }
        for size in [1, 7, 100, 4096, bytes.count] {
            let stream = try Packets(bytes, pieces: size)
            #expect(stream == file, "pieces of \(size): \(stream.packets.count) of \(file.packets.count) packets")
        }
    }

    @Test("A file's facts are those an independent reader finds", arguments: Coding.all)
    func facts(coding: Coding) throws {
        try write(
            Signal.tonesAndNoise(channels: 2, frames: 9_123), to: folder.path(coding.name), coding.container,
            coding.codec)
        let reader = try PacketFileReader(path: folder.path(coding.name)), info = reader.info
        let other = try AudioFileReader(path: folder.path(coding.name)).info
        #expect(
            info.container == other.container && info.sampleRate == other.sampleRate
                && info.channelCount == other.channelCount)
        #expect(info.codec == other.codec && info.isBigEndian == other.isBigEndian)
        #expect(info.frameCount == other.frameCount)
    }

    @Test(
        "Priming, recording and remainder make up all packets: N is known",
        arguments: ["a.mp3", "a.opus", "alac16.caf"], [1, 1151, 40_000, 48_123])
    func lengths(name: String, frames: Int) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        try write(
            Signal.tonesAndNoise(channels: 2, frames: frames), to: folder.path(name), coding.container, coding.codec)
        let reader = try PacketFileReader(path: folder.path(name)), packets = try Packets(reader)
        #expect(reader.info.frameCount == Int64(frames))
        #expect(reader.primingFrames + frames + reader.remainderFrames == packets.frames.reduce(0, +))
        let total = Int64(packets.frames.reduce(0, +)), last = try #require(try reader.packet(holdingFrame: total - 1))
        #expect(last.packet == reader.packetCount - 1)
        #expect(try reader.firstFrame(ofPacket: reader.packetCount) == total)
        #expect(try reader.packet(holdingFrame: total) == nil)
        #expect(try reader.byteOffset(ofPacket: reader.packetCount) == reader.dataByteCount)
    }

    @Test("A tag in front of MP3 is read and passed over, whatever its text is coded in", arguments: [UInt8(0), 1, 3])
    func tagged(coding: UInt8) throws {
        try write(Signal.tonesAndNoise(channels: 2, frames: 9000), to: folder.path("a.mp3"), .mpeg, .mp3)
        let bytes = try contents(folder.path("a.mp3")), plain = try Packets(PacketFileReader(MemoryBytes(bytes)))
        let title = "Grüße"
        let text: [UInt8] =
            coding == 0
            ? title.unicodeScalars.map { UInt8($0.value) }
            : coding == 3
                ? Array(title.utf8)
                : [0xFF, 0xFE] + title.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count + 1), 0, 0, coding] + text
        let size = frame.count + 300
        let tag =
            Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 127)] + frame
            + [UInt8](repeating: 0, count: 300)
        for size in [1, 100, 100_000] {
            let stream = try Packets(tag + bytes, pieces: size)
            #expect(
                stream.packets == plain.packets && stream.metadata.title == title
                    && stream.dataOffset == plain.dataOffset.map { $0 + Int64(tag.count) })
        }
    }

    @Test(
        "Channel layouts are those an independent reader finds",
        arguments: [AudioContainer.wav, .rf64, .wave64, .aiff, .caf])
    func layouts(container: AudioContainer) throws {
        for labels: [UInt32] in [[1, 2, 3, 4, 5, 6], [1, 2, 3], [1, 2, 3, 4, 33, 34, 5, 6]] {
            if labels.count == 8, container == .aiff || container == .caf { continue }
            let isBig = container == .aiff
            let format = PCMFormat(
                sampleRate: 8000, channelCount: labels.count, kind: .signed, bits: 16, isBigEndian: isBig,
                isInterleaved: true, channelLabels: labels)
            let writer = try PacketFileWriter(path: folder.path("a"), container: container, format: .pcm(format))
            try [UInt8](repeating: 0, count: 2 * labels.count * 10).withUnsafeBytes { try writer.write($0) }
            try writer.close()
            let own = try PacketFileReader(path: folder.path("a")).info,
                other = try AudioFileReader(path: folder.path("a")).info
            #expect(own.channelLabels == labels && other.channelLabels == labels && own.frameCount == 10)
        }
    }
}

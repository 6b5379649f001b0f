import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Packets into files") struct PacketWriterTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    struct Case: Sendable, CustomTestStringConvertible {
        let container: AudioContainer, kind: PCMFormat.Kind, bits: Int, isBig: Bool
        var testDescription: String { "\(container) \(kind) \(bits) \(isBig ? "big" : "little")" }

        private static func cases(_ container: AudioContainer, _ signed: [Int], isBig: Bool) -> [Case] {
            signed.map { Case(container: container, kind: .signed, bits: $0, isBig: isBig && $0 > 8) }
                + [32, 64].map { Case(container: container, kind: .float, bits: $0, isBig: isBig) }
        }

        static let all: [Case] = {
            var all: [Case] = []
            for container in [AudioContainer.wav, .rf64, .wave64] {
                all.append(Case(container: container, kind: .unsigned, bits: 8, isBig: false))
                all += cases(container, [16, 24, 32], isBig: false)
            }
            for container in [AudioContainer.aiff, .au] { all += cases(container, [8, 16, 24, 32], isBig: true) }
            all.append(Case(container: .aiff, kind: .signed, bits: 16, isBig: false))
            return all + cases(.caf, [16, 24, 32], isBig: false) + cases(.caf, [16, 24, 32], isBig: true)
        }()

        var format: PCMFormat {
            PCMFormat(
                sampleRate: 44_100, channelCount: 2, kind: kind, bits: bits, isBigEndian: isBig, isInterleaved: true)
        }
    }

    /// Sample `index` of a slow ramp through the range, with eight bits of detail, which every width holds exactly.
    private func value(_ index: Int) -> Double { Double((index * 7) % 256 - 128) / 128 }

    private func bytes(_ format: PCMFormat, frames: Int) -> [UInt8] {
        (0..<frames * format.channelCount).flatMap { index -> [UInt8] in
            let value = value(index), word: UInt64
            switch format.kind {
            case .float: word = format.bits == 32 ? UInt64(Float(value).bitPattern) : value.bitPattern
            case .signed: word = UInt64(bitPattern: Int64(value * Double(Int64(1) << (format.bits - 1))))
            case .unsigned: word = UInt64(bitPattern: Int64(value * 128) + 128)
            }
            let little = (0..<format.bytesPerSample).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
            return format.isBigEndian ? little.reversed() : little
        }
    }

    private func write(_ packets: [[UInt8]], _ frames: [Int], to writer: PacketFileWriter) throws {
        for (packet, count) in zip(packets, frames) {
            try packet.withUnsafeBytes {
                try writer.write($0, [PacketSpan(offset: 0, byteCount: packet.count, frameCount: count)])
            }
        }
    }

    @Test(
        "Linear PCM is read back sample by sample by another reader, and byte by byte by our own", arguments: Case.all)
    func linear(test: Case) throws {
        let path = folder.path("a"), bytes = bytes(test.format, frames: 3001)
        let writer = try PacketFileWriter(path: path, container: test.container, format: .pcm(test.format))
        var start = 0
        for frames in [1, 700, 1300, 1000] {
            let count = frames * 2 * test.format.bytesPerSample
            try bytes[start..<start + count].withUnsafeBytes { try writer.write($0) }
            start += count
        }
        try writer.close()
        let own = try PacketFileReader(path: path)
        #expect(own.packetCount == 3001 && own.info.frameCount == 3001 && own.info.container == test.container)
        #expect(own.format == .pcm(test.format))
        let packets = try Packets(own)
        #expect(packets.bytes == bytes)
        let stream = try Packets(contents(path), pieces: 977)
        #expect(stream == packets)
        let other = try AudioFileReader(path: path)
        #expect(
            other.info.frameCount == 3001 && other.info.sampleRate == 44_100 && other.info.container == test.container)
        let planes = (0..<2).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: 3001) }
        defer { planes.forEach { $0.deallocate() } }
        let count = try other.read(into: planes, frames: 3001)
        #expect(count == 3001)
        #expect((0..<3001).allSatisfy { planes[0][$0] == value(2 * $0) && planes[1][$0] == value(2 * $0 + 1) })
    }

    /// A coding and a container that holds its packets.
    static let moves: [(Coding, AudioContainer)] = [
        "alac16.caf", "alac24.caf", "16.flac", "24.flac", "a.mp3", "a.opus", "ulaw.wav", "ima.wav",
    ].flatMap { name in
        let coding = Coding.all.first { $0.name == name }
        let containers: [AudioContainer] =
            switch name {
            case "alac16.caf", "alac24.caf": [.caf, .mpeg4]
            case "16.flac", "24.flac": [.flac, .caf]
            case "a.mp3": [.mpeg, .caf]
            case "a.opus": [.ogg, .caf]
            case "ulaw.wav": [.wav, .aiff, .au, .caf]
            default: [.wav]
            }
        return containers.compactMap { container in coding.map { ($0, container) } }
    }

    @Test("Packets moved into another file stay the same, with priming and length", arguments: moves.indices)
    func moved(index: Int) throws {
        let (coding, container) = Self.moves[index]
        let source = folder.path(coding.name), target = folder.path("moved")
        try OssicleFilesTests.write(
            OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 48_123), to: source, coding.container,
            coding.codec)
        let reader = try PacketFileReader(path: source), packets = try Packets(reader)
        let writer = try PacketFileWriter(path: target, container: container, format: reader.format)
        writer.metadata.title = "A title"
        writer.primingFrames = reader.primingFrames
        writer.remainderFrames = reader.remainderFrames
        try write(packets.packets, packets.frames, to: writer)
        try writer.close()
        let movedReader = try PacketFileReader(path: target), moved = try Packets(movedReader)
        #expect(
            moved.packets == packets.packets,
            "\(coding.name) in \(container): \(moved.packets.count) of \(packets.packets.count) packets")
        guard container != .mpeg else { return }
        #expect(movedReader.info.frameCount == reader.info.frameCount && reader.info.frameCount >= 48_123)
        let frames = movedReader.info.frameCount + Int64(movedReader.primingFrames + movedReader.remainderFrames)
        #expect(movedReader.primingFrames == reader.primingFrames && frames == Int64(moved.frames.reduce(0, +)))
        #expect(movedReader.info.codec == reader.info.codec && movedReader.info.container == container)
        if container != .au { #expect(movedReader.metadata.title == "A title") }
    }

    @Test(
        "What was decoded before packets were moved is decoded after",
        arguments: ["alac16.caf", "16.flac", "24.flac", "a.opus"])
    func decodedTheSame(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        let source = folder.path(name), target = folder.path("moved")
        try OssicleFilesTests.write(
            OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 48_123), to: source, coding.container,
            coding.codec)
        let reader = try PacketFileReader(path: source), packets = try Packets(reader)
        let writer = try PacketFileWriter(path: target, container: coding.container, format: reader.format)
        writer.primingFrames = reader.primingFrames
        writer.remainderFrames = reader.remainderFrames
        try write(packets.packets, packets.frames, to: writer)
        try writer.close()
        let before = try ResidentAudio(path: source).arrays, after = try ResidentAudio(path: target).arrays
        #expect(after == before && after[0].count == 48_123)
    }

    @Test("Frames written over others, and on beyond the end, are where they belong")
    func overwritten() throws {
        let format = PCMFormat(sampleRate: 8000, channelCount: 1, kind: .signed, bits: 16, isInterleaved: true)
        let writer = try PacketFileWriter(path: folder.path("a.wav"), container: .wav, format: .pcm(format))
        try [UInt8](repeating: 1, count: 20).withUnsafeBytes { try writer.write($0) }
        try [UInt8](repeating: 2, count: 8).withUnsafeBytes { try writer.write($0, at: 8) }
        try [UInt8](repeating: 3, count: 2).withUnsafeBytes { try writer.write($0, at: 0) }
        #expect(writer.packetCount == 12)
        #expect(throws: AudioFileError.self) {
            try [UInt8](repeating: 2, count: 8).withUnsafeBytes { try writer.write($0, at: 13) }
        }
        try writer.close()
        let packets = try Packets(PacketFileReader(path: folder.path("a.wav")))
        #expect(packets.bytes == [3, 3] + [UInt8](repeating: 1, count: 14) + [UInt8](repeating: 2, count: 8))
        #expect(throws: AudioFileError.self) {
            try [UInt8](repeating: 2, count: 8).withUnsafeBytes { try writer.write($0) }
        }
    }

    @Test(
        "A recording that is never closed holds all but the last quarter of a second",
        arguments: [AudioContainer.wav, .rf64, .wave64, .aiff, .caf, .au])
    func killed(container: AudioContainer) throws {
        let isBig = container == .aiff || container == .au
        let format = PCMFormat(
            sampleRate: 8000, channelCount: 1, kind: .signed, bits: 16, isBigEndian: isBig, isInterleaved: true)
        let writer = try PacketFileWriter(path: folder.path("a"), container: container, format: .pcm(format))
        for _ in 0..<99 { try [UInt8](repeating: 5, count: 200).withUnsafeBytes { try writer.write($0) } }
        let frames = try PacketFileReader(path: folder.path("a")).info.frameCount
        let others = try AudioFileReader(path: folder.path("a")).info.frameCount
        #expect(frames > 9900 - 2000 && frames <= 9900)
        #expect(others >= frames && others <= 9900, "a reader may go by the file's length")
        try writer.close()
    }

    @Test(
        "A recording of packets that is never closed holds all but the last quarter of a second",
        arguments: [AudioContainer.caf, .mpeg4])
    func killedPackets(container: AudioContainer) throws {
        let coding = try #require(Coding.all.first { $0.name == "alac16.caf" })
        try OssicleFilesTests.write(
            OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 96_000), to: folder.path("a.caf"),
            coding.container, coding.codec)
        let reader = try PacketFileReader(path: folder.path("a.caf")), packets = try Packets(reader)
        let writer = try PacketFileWriter(path: folder.path("b"), container: container, format: reader.format)
        try write(packets.packets, packets.frames, to: writer)
        let copy = try Packets(PacketFileReader(MemoryBytes(contents(folder.path("b")))))
        #expect(copy.packets.elementsEqual(packets.packets.prefix(copy.packets.count)))
        #expect((packets.packets.count - 3...packets.packets.count).contains(copy.packets.count))
        try writer.close()
    }

    @Test(
        "What is said about the content is read back, by our reader",
        arguments: [AudioContainer.wav, .aiff, .caf, .flac, .ogg, .mpeg4])
    func metadata(container: AudioContainer) throws {
        let name = container == .flac ? "16.flac" : container == .ogg ? "a.opus" : "alac16.caf",
            coding = try #require(Coding.all.first { $0.name == name })
        try OssicleFilesTests.write(
            OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 9000), to: folder.path(name), coding.container,
            coding.codec)
        let reader = try PacketFileReader(path: folder.path(name)), packets = try Packets(reader)
        let isLinear = container == .wav || container == .aiff
        let format =
            isLinear
            ? .pcm(
                PCMFormat(
                    sampleRate: 8000, channelCount: 1, kind: .signed, bits: 16, isBigEndian: container == .aiff,
                    isInterleaved: true)) : reader.format
        let writer = try PacketFileWriter(path: folder.path("a"), container: container, format: format)
        var metadata = AudioMetadata()
        (metadata.title, metadata.artist, metadata.copyright, metadata.comment) = (
            "Ein Lied, gut für Gäste", "B", "C", "D"
        )
        if container != .aiff {
            (metadata.album, metadata.genre, metadata.date, metadata.trackNumber, metadata.encodingApplication) = (
                "E", "F", "2020", "7", "G"
            )
        }
        writer.metadata = metadata
        if isLinear {
            try [UInt8](repeating: 1, count: 20).withUnsafeBytes { try writer.write($0) }
        } else {
            try write(packets.packets, packets.frames, to: writer)
        }
        try writer.close()
        #expect(try PacketFileReader(path: folder.path("a")).metadata == metadata)
    }
}

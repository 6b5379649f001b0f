import Foundation
import OssicleCodecs
import OssicleMessages
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Files whose header and bytes differ") struct FileIntegrityTests {
    private static let frames = 3000
    private static let sound = Signal.tonesAndNoise(channels: 2, frames: frames).map { $0.map(Double.init) }
    private static let chunked = Coding.all.filter {
        ["16.wav", "16be.wav", "f32.wav", "16.rf64", "16.w64", "16.aiff", "16.caf", "16le.caf"].contains($0.name)
    }

    /// Where the audio's size stands: the coding's own chunk, or `ds64` of RF64.
    private static func sizePlaces(_ bytes: [UInt8], _ coding: Coding) throws -> [Range<Int>] {
        func behind(_ name: String, _ distance: Int, _ count: Int) throws -> Range<Int> {
            let start = try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound + distance
            return start..<start + count
        }
        switch coding.container {
        case .rf64: return try [behind("ds64", 16, 8)]
        case .wave64: return try [behind("data", 16, 8)]
        case .aiff: return try [behind("SSND", 4, 4)]
        case .caf: return try [behind("data", 4, 8)]
        default: return try [behind("data", 4, 4)]
        }
    }

    private static func setting(_ bytes: [UInt8], _ coding: Coding, size: Int) throws -> [UInt8] {
        var bytes = bytes
        for place in try sizePlaces(bytes, coding) {
            let isBig = [.aiff, .caf].contains(coding.container) || coding.isBigEndian == true
            for index in 0..<place.count {
                bytes[place.lowerBound + index] = UInt8(
                    truncatingIfNeeded: size >> (8 * (isBig ? place.count - 1 - index : index)))
            }
        }
        return bytes
    }

    @Test(
        "A size of 0, or one that a killed recorder left behind, is read to the end of the file, with a warning",
        arguments: chunked)
    func unfinished(coding: Coding) throws {
        let whole = try encoded(Self.sound, coding), expected = try decoded(whole)
        #expect(expected[0].count == Self.frames)
        // W64 counts the header, AIFF and CAF some bytes before the samples.
        let none = coding.container == .wave64 ? 24 : coding.container == .aiff ? 8 : coding.container == .caf ? 4 : 0
        for size in [none, none + 400] {
            let reader = try AudioFileReader(source: MemoryBytes(Self.setting(whole, coding, size: size)))
            #expect(reader.info.frameCount == Int64(Self.frames), "size \(size)")
            #expect(try decoded(reader) == expected, "size \(size)")
            #expect(reader.warnings.contains { $0.text.contains("not finished") }, "size \(size)")
        }
        #expect(try AudioFileReader(source: MemoryBytes(whole)).warnings.isEmpty)
    }

    @Test("Packets of a WAVE file that was not finished are all there")
    func packets() throws {
        let coding = try #require(Coding.all.first { $0.name == "16.wav" }), whole = try encoded(Self.sound, coding)
        let file = try PacketFileReader(MemoryBytes(Self.setting(whole, coding, size: 0)))
        #expect(file.packetCount == Int64(Self.frames))
    }

    @Test("Chunks and tags behind the audio are no audio", arguments: ["LIST", "bext", "id3 ", "abcd", "TAG"])
    func trailers(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == "16.wav" }), whole = try encoded(Self.sound, coding)
        let tail =
            Array(name.utf8)
            + (name == "TAG" ? [UInt8](repeating: 65, count: 125) : [8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        let reader = try AudioFileReader(source: MemoryBytes(whole + tail))
        #expect(reader.info.frameCount == Int64(Self.frames) && reader.warnings.isEmpty)
        #expect(try decoded(reader) == decoded(whole))
        // An empty recording with a list behind it stays empty.
        let empty =
            try encoded([[], []], coding) + Array("LIST".utf8) + [12, 0, 0, 0] + Array("INFOINAM".utf8) + [0, 0, 0, 0]
        #expect(try AudioFileReader(source: MemoryBytes(empty)).info.frameCount == 0)
    }

    static let names = ["16.wav", "16.w64", "16.aiff", "16.caf", "16.au", "16.flac", "a.ogg", "a.opus", "a.mp3"]

    @Test("A file that is cut off says so, and gives what is there", arguments: names)
    func cut(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        let long = OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 48_000).map { $0.map(Double.init) }
        let whole = try encoded(long, coding), all = try decoded(whole)[0].count
        let reader = try AudioFileReader(source: MemoryBytes(Array(whole[..<(whole.count * 3 / 5 + 1)])))
        let got = try decoded(reader)[0].count
        #expect(got > all / 4 && got < all, "\(got) of \(all)")
        #expect(reader.warnings.contains { $0.text.contains("cut short") }, "\(reader.warnings)")
        #expect(try AudioFileReader(source: MemoryBytes(whole)).warnings.isEmpty)
    }

    @Test("Links of a chained Ogg file are read as one recording", arguments: ["a.ogg", "a.opus"])
    func chained(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        let parts = [3000, 5000, 1000].map { count in
            OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: count).map { $0.map(Double.init) }
        }
        let files = try parts.enumerated().map { index, part in
            Self.withSerial(UInt8(index + 1), try encoded(part, coding))
        }
        let expected = try files.map { try decoded($0) }
        let reader = try AudioFileReader(source: MemoryBytes(files.flatMap { $0 }))
        #expect(reader.info.frameCount == Int64(expected.reduce(0) { $0 + $1[0].count }))
        let got = try decoded(reader)
        for channel in 0..<2 { #expect(got[channel] == expected.flatMap { $0[channel] }) }
        let first = Int64(expected[0][0].count)
        try reader.seek(to: first + 17)
        #expect(try decoded(reader, limit: 100)[0] == Array(expected[1][0][17..<117]))
        try reader.seek(to: first - 5)
        #expect(try decoded(reader, limit: 10)[0] == Array(expected[0][0].suffix(5) + expected[1][0].prefix(5)))
        #expect(reader.warnings.isEmpty)
    }

    /// The same pages as another stream.
    private static func withSerial(_ serial: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for start in 0..<bytes.count - 27 where bytes[start..<start + 4].elementsEqual("OggS".utf8) {
            bytes[start + 14] = serial
        }
        return OggPages.withRightChecksums(bytes)
    }

    @Test(
        "Tags of the kind ID3 before a WAVE, AIFF or CAF file are passed over",
        arguments: ["16.wav", "16.aiff", "16.caf", "a.ogg"])
    func tagged(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name }), whole = try encoded(Self.sound, coding)
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
        let reader = try AudioFileReader(source: MemoryBytes(tag + whole))
        #expect(try decoded(reader) == decoded(whole))
        #expect(reader.warnings.isEmpty)
    }

    @Test("Samples that are not finite are 0, counted, and one warning")
    func notFinite() throws {
        let coding = try #require(Coding.all.first { $0.name == "f32.wav" })
        var bytes = try encoded([[0.5, 0.25, -0.5, 1]], coding)
        let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound + 4
        bytes.replaceSubrange(data + 4..<data + 8, with: [0, 0, 0xC0, 0x7F])
        bytes.replaceSubrange(data + 8..<data + 12, with: [0, 0, 0x80, 0x7F])
        let reader = try AudioFileReader(source: MemoryBytes(bytes))
        #expect(try decoded(reader) == [[0.5, 0, 0, 1]])
        #expect(reader.nonFiniteCount == 2 && reader.warnings.map(\.kind) == [.notFinite])
        #expect(reader.warnings.first?.text.hasPrefix("2 of its samples") == true)
    }
}

@Suite("Files that a full disk keeps from being finished") struct FullDiskTests {
    /// In a process of its own, which closes its standard error: the next file that is opened would have its number.
    @Test("Messages of a program without standard error do not go into its sound files")
    func closedError() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(),
                sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 1, frames: 1000).map { $0.map(Double.init) }
            let coding = try #require(Coding.all.first { $0.name == "16.wav" }), expected = try encoded(sound, coding)
            for standard: Int32 in 0..<3 { close(standard) }
            let writer = try AudioFileWriter(coding.request(folder.path("a.wav"), channels: 1))
            try write(sound, writer)
            StandardError.write("a message")
            try writer.finish()
            try #require(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))) == expected)
        }
    }

    @Test("Writing or finishing throws, wherever the disk ends", arguments: Coding.all)
    func full(coding: Coding) throws {
        let sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 5000).map { $0.map(Double.init) }
        let size = try encoded(sound, coding).count
        for limit in [size - 1, size / 2, 100] {
            let sink = MemorySink(limit: limit)
            let error = #expect(throws: AudioFileError.self, "\(limit) of \(size) bytes") {
                let writer = AudioFileWriter(
                    coding.request("memory", channels: 2),
                    try FileRouter.makeEncoder(coding.request("memory", channels: 2)) { sink })
                defer { try? writer.finish() }
                try write(sound, writer)
                try writer.finish()
            }
            #expect(error?.kind == .writeFailed, "\(limit) of \(size) bytes: \(error.map { "\($0)" } ?? "")")
        }
    }

    #if FFmpeg
    /// In a process of its own, whose files cannot grow beyond the limit.
    @Test("M4A whose table finds no room throws when it is finished, and its fragments can be read")
    func table() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(), path = folder.path("a.m4a"),
                sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 1, frames: 48_000).map { $0.map(Double.init) }
            let request = FileEncoderRequest(
                path: path, container: .mpeg4, codec: .aac, sampleRate: 48_000, channelCount: 1)
            let whole = try AudioFileWriter(request)
            try write(sound, whole)
            try whole.finish()
            let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(size - 10), rlim_max: rlim_t(size - 10))
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let writer = try AudioFileWriter(request)
            try write(sound, writer)
            let error = #expect(throws: AudioFileError.self) { try writer.finish() }
            try #require(error?.kind == .writeFailed)
            try #require(try decoded(AudioFileReader(path: path))[0].count > 40_000)
        }
    }
    #endif
}

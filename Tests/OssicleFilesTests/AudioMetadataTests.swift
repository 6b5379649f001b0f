import Foundation
import OssicleCodecs
import Testing
@testable import OssicleFiles

@Suite("Metadata of files") struct AudioMetadataTests {
    private static let metadata: AudioMetadata = {
        var metadata = AudioMetadata()
        metadata.title = "Für Elise"
        metadata.artist = "Ludwig van Beethoven"
        metadata.album = "Bagatellen"
        metadata.comment = "played slowly"
        metadata.date = "1867"
        metadata.genre = "Classical"
        metadata.trackNumber = "7"
        metadata.copyright = "none"
        metadata.encodingApplication = "Ossicle"
        return metadata
    }()

    @Test(
        "All of it survives in WAV, RF64, CAF, FLAC, Vorbis and Opus",
        arguments: ["16.wav", "16be.wav", "16.rf64", "16.caf", "alac16.caf", "16.flac", "a.ogg", "a.opus"])
    func whole(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        let read = try AudioFileReader(source: MemoryBytes(encoded([[0.1, 0.2]], coding, metadata: Self.metadata)))
            .metadata
        #expect(read == Self.metadata)
    }

    @Test("AIFF and MP3 carry what they have a place for, AU and W64 nothing")
    func parts() throws {
        func read(_ name: String) throws -> AudioMetadata {
            let coding = try #require(Coding.all.first { $0.name == name })
            let sound = [[Double](repeating: 0.1, count: 3000)]
            return try AudioFileReader(source: MemoryBytes(encoded(sound, coding, metadata: Self.metadata))).metadata
        }
        let aiff = try read("16.aiff"), mp3 = try read("a.mp3")
        #expect(
            aiff.title == Self.metadata.title && aiff.artist == Self.metadata.artist
                && aiff.comment == Self.metadata.comment)
        #expect(
            mp3.title == Self.metadata.title && mp3.artist == Self.metadata.artist && mp3.album == Self.metadata.album)
        #expect(mp3.date == "1867" && mp3.genre == "Classical" && mp3.trackNumber == "7")
        #expect(try read("16.au").isEmpty && read("16.w64").isEmpty)
    }

    @Test("Texts that no header holds are left out")
    func tooLong() throws {
        var metadata = AudioMetadata()
        metadata.title = String(repeating: "long ", count: 100_000)
        metadata.artist = "a\0b"
        metadata.album = "fits"
        let coding = try #require(Coding.all.first { $0.name == "16.wav" })
        let reader = try AudioFileReader(source: MemoryBytes(encoded([[0.5]], coding, metadata: metadata)))
        #expect(reader.metadata.title == nil && reader.metadata.artist == nil && reader.metadata.album == "fits")
        #expect(try decoded(reader) == [[0.5]])
    }

    @Test("ID3v2 texts of MP3 files by others are read, in UTF-16 and UTF-8")
    func id3() throws {
        func frame(_ id: String, _ encoding: UInt8, _ text: [UInt8]) -> [UInt8] {
            let size = text.count + 1
            let head: [UInt8] = [0, 0, UInt8(size >> 7), UInt8(size & 0x7F), 0, 0, encoding]
            return Array(id.utf8) + head + text
        }
        let utf16: [UInt8] =
            [0xFF, 0xFE]
            + "Étude".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let frames =
            frame("TIT2", 1, utf16) + frame("TPE1", 3, Array("Frédéric".utf8)) + frame("TDRC", 0, Array("1833".utf8))
        let size: [UInt8] = [4, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)]
        let tag = Array("ID3".utf8) + size + frames
        let coding = try #require(Coding.all.first { $0.codec == .mp3 })
        let reader = try AudioFileReader(
            source: MemoryBytes(tag + encoded([[Double](repeating: 0.1, count: 5000)], coding)))
        #expect(
            reader.metadata.title == "Étude" && reader.metadata.artist == "Frédéric" && reader.metadata.date == "1833")
        #expect(reader.info.frameCount == 5000)
    }
}

import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("The choice of a library") struct FileRouterTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func failure(_ bytes: [UInt8], _ name: String) throws -> AudioFileError? {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        do { _ = try AudioFileReader(path: folder.path(name)) } catch { return error }
        return nil
    }

    @Test("MPEG-4, ADTS and MPEG audio are known by their first bytes, whatever the file is called")
    func signatures() throws {
        func signature(_ bytes: [UInt8]) throws -> FileSignature { try FileSignature(MemoryBytes(bytes)) }
        #expect(try signature([0, 0, 0, 32] + Array("ftypM4A ".utf8)) == .mpeg4)
        #expect(try signature([0xFF, 0xF1, 0x50, 0x80, 0, 0, 0]) == .adts)
        #expect(try signature(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 9, 9, 0xFF, 0xF9, 0x4C, 0x80]) == .adts)
        #expect(try signature([0xFF, 0xFB, 0x90, 0x64]) == .mpeg)
        #expect(try signature(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 9, 9] + Array("fLaC".utf8)) == .other)
        #expect(try signature(Array("caff".utf8)) == .caf)
        #expect(try signature([1]) == .other)
    }

    @Test("A text file is not recognised, and a beginning of MPEG-4 is no sound file either")
    func refusals() throws {
        #expect(try failure(Array("just some text, no sound".utf8), "a.m4a")?.kind == .unrecognized)
        #expect(try failure([0, 0, 0, 12] + Array("ftypM4A ".utf8), "a.wav") != nil)
    }

    @Test("AAC in memory says that it needs a file")
    func memory() {
        #expect(throws: AudioFileError.self) {
            try AudioFileReader(source: MemoryBytes([0, 0, 0, 12] + Array("ftypM4A ".utf8)))
        }
    }

    @Test("A source that fails passes its error on")
    func failingSource() throws {
        final class Broken: ByteSource {
            let name = "broken"
            let byteCount: Int64 = 1000
            func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
                throw AudioFileError(.damaged, path: name, found: "nothing", rule: "", cure: "")
            }
        }
        #expect(throws: AudioFileError(.damaged, path: "broken", found: "nothing", rule: "", cure: "")) {
            try AudioFileReader(source: Broken())
        }
    }
}

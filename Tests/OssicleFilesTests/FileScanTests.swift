import Foundation
import Synchronization
import Testing
@testable import OssicleFiles

@Suite("What a look at a whole file found is shared by those who read it")
struct FileScanTests {
    /// Frames of MPEG-1 layer III at 44.1 kHz: 417 bytes at 128 kbit/s, 208 at 64.
    private static func frames(_ count: Int, isWide: Bool = true) -> [UInt8] {
        let frame: [UInt8] =
            [0xFF, 0xFB, isWide ? 0x90 : 0x50, 0] + [UInt8](repeating: 0, count: (isWide ? 417 : 208) - 4)
        return (0..<count).flatMap { _ in frame }
    }

    /// A file's bytes that count what is read of them, and look as if they had been written long ago.
    private final class CountedBytes: ByteSource {
        let identity: FileIdentity?
        private(set) var readCount = 0
        private let file: FileBytes

        init(_ path: String) throws {
            var status = stat()
            guard stat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
            identity = FileIdentity(status, now: time(nil) + 10)
            file = try FileBytes(path: path)
        }

        var name: String { file.name }
        var byteCount: Int64 { file.byteCount }

        func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
            readCount += memory.count
            return try file.read(into: memory, at: offset)
        }
    }

    private func withFile(frames: Int = 1000, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("scan-\(UUID().uuidString).mp3").path
        defer { unlink(path) }
        try Data(Self.frames(frames)).write(to: URL(fileURLWithPath: path))
        try body(path)
    }

    @Test("A second reader of a file looks at its head only, and reads the same packets")
    func second() throws {
        try withFile { path in
            let (one, other) = (try CountedBytes(path), try CountedBytes(path))
            let first = try PacketFileReader(one)
            #expect(one.readCount >= 417_000)
            let second = try PacketFileReader(other)
            #expect(other.readCount < 200)
            #expect(second.packetCount == 1000)
            let (packets, same) = (try Packets(first), try Packets(second))
            #expect(packets == same)
        }
    }

    @Test("A file that is written again is looked at again, while others have the old one open and afterwards")
    func again() throws {
        try withFile { path in
            let first = try PacketFileReader(CountedBytes(path))
            try Data(Self.frames(500, isWide: false)).write(to: URL(fileURLWithPath: path))
            let second = try PacketFileReader(CountedBytes(path))
            #expect(first.packetCount == 1000)
            #expect(second.packetCount == 500)
            #expect(second.maximumPacketSize == 208)
        }
    }

    @Test("A file written in this second has no identity, and is looked at by each of its readers")
    func fresh() throws {
        try withFile { path in
            let file = try FileBytes(path: path)
            #expect(file.identity == nil)
        }
    }

    @Test("Nothing is kept of files that are not read any more")
    func released() throws {
        try withFile { path in
            _ = try PacketFileReader(CountedBytes(path))
            let later = try CountedBytes(path)
            _ = try PacketFileReader(later)
            #expect(later.readCount >= 417_000)
        }
    }

    @Test("Readers of one file begin and end in many threads at once")
    func concurrent() throws {
        try withFile(frames: 20) { path in
            let failures = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<2000 where (try? PacketFileReader(CountedBytes(path)))?.packetCount != 20 {
                    failures.add(1, ordering: .relaxed)
                }
            }
            #expect(failures.load(ordering: .relaxed) == 0)
        }
    }
}

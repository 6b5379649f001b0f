import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Long files") struct LongFileTests {
    /// Few frames a second, so that ten hours of them pass in seconds.
    private static let rate = 2000
    private static let frames = Int64(10 * 3600 * rate)

    /// 16-bit mono in RF64, all a hole but for the header: a short file's, with the sizes of the long one.
    private static func makeSparse(_ path: String, frames: Int64) throws {
        let coding = Coding(name: "16.rf64", container: .rf64, codec: .pcm16)
        var header = Array(try encoded([[0]], coding, rate: Double(rate)).dropLast(2))
        let data = try #require(header.firstRange(of: Array("ds64".utf8))).upperBound + 4
        for (place, value) in [(0, Int64(header.count) - 8 + 2 * frames), (8, 2 * frames), (16, frames)] {
            for index in 0..<8 { header[data + place + index] = UInt8(truncatingIfNeeded: value >> Int64(8 * index)) }
        }
        try Data(header).write(to: URL(fileURLWithPath: path))
        #expect(truncate(path, off_t(Int64(header.count) + 2 * frames)) == 0)
    }

    /// In a process of its own, because the tests that run beside this one would be counted as well.
    @Test("Ten hours stream through meter and encoder in memory that does not grow")
    func tenHours() async {
        await #expect(processExitsWith: .success) { try LongFileTests.streamTenHours() }
    }

    private static func streamTenHours() throws {
        let folder = try TemporaryFolder()
        try makeSparse(folder.path("long.rf64"), frames: frames)
        let reader = try AudioFileReader(path: folder.path("long.rf64"))
        #expect(reader.info.frameCount == frames && reader.info.duration == 36_000)
        let meter = try #require(LoudnessMeter(channelCount: 1, sampleRate: Double(rate), findsTruePeaks: false))
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: folder.path("long.flac"), container: .flac, codec: .flac16, sampleRate: Double(rate),
                channelCount: 1))
        let chunk = 16_000, plane = UnsafeMutablePointer<Float>.allocate(capacity: chunk)
        defer { plane.deallocate() }
        let before = try HeapUse.bytes()
        while true {
            let count = try reader.read(into: [plane], frames: chunk)
            guard count > 0 else { break }
            meter.add([UnsafePointer(plane)], frames: count)
            try writer.write([UnsafePointer(plane)], frames: count)
        }
        try writer.finish()
        let growth = try HeapUse.bytes() - before
        // The sound in single precision takes 288 MB.
        #expect(growth < 64 << 20, "\(growth) bytes")
        #expect(meter.frameCount == frames && meter.integrated == -.infinity)
        let written = try AudioFileProbe.probe(path: folder.path("long.flac")).frameCount
        #expect(written == frames)
    }

    @Test("Frames beyond four and eight gigabytes can be reached")
    func beyondFourGigabytes() throws {
        let folder = try TemporaryFolder(), frames: Int64 = 5 << 30
        try Self.makeSparse(folder.path("long.rf64"), frames: frames)
        let mark = FileHandle(forUpdatingAtPath: folder.path("long.rf64"))
        let size = try #require(try mark?.seekToEnd())
        try mark?.seek(toOffset: size - 4)
        try mark?.write(contentsOf: [0, 0x40, 0, 0xC0])
        let reader = try AudioFileReader(path: folder.path("long.rf64"))
        #expect(reader.info.frameCount == frames)
        try reader.seek(to: frames - 3)
        #expect(try decoded(reader) == [[0, 0.5, -0.5]])
    }
}

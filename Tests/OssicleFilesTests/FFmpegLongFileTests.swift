#if FFmpeg
import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Ten hours of AAC") struct FFmpegLongFileTests {
    private static let rate = 8000.0, packetCount = 10 * 3600 * 8000 / 1024

    /// The table of 281 000 packets takes 7 MB in FFmpeg's memory, some more while it grows, and an unfinished file has
    /// it twice; decoded, the sound would take 2.3 GB. In processes of their own, because the tests that run beside
    /// these would be counted as well.
    @Test("A long file opens in little memory and seeks without reading through")
    func finished() async {
        await #expect(processExitsWith: .success) { try FFmpegLongFileTests.openTenHours(isFinished: true) }
    }

    @Test("So does one that was never finished")
    func unfinished() async {
        await #expect(processExitsWith: .success) { try FFmpegLongFileTests.openTenHours(isFinished: false) }
    }

    private static func openTenHours(isFinished: Bool) throws {
        let folder = try TemporaryFolder(), path = folder.path("long.m4a")
        try write(path, isFinished: isFinished)
        let before = try HeapUse.bytes(), decoder = try FFmpegFileDecoder(path: path),
            frames = Int64((packetCount - 1) * 1024)
        #expect(decoder.info.frameCount == frames)
        let targets: [Int64] = [frames - 10, frames / 2, 5, frames / 3 * 2, 128 * 1024 * 9 - 1025]
        for target in targets {
            let read = decoder.packetsRead
            try decoder.seek(to: target)
            let part = try FFmpegFile.read(decoder, frames: 3000)[0]
            #expect(part.count == Int(min(3000, frames - target)) && part.contains { abs($0) > 0.1 })
            let cost = decoder.packetsRead - read
            #expect(
                cost <= FFmpegTimeline.grid + 2 * FFmpegTimeline.preroll, "\(cost) packets to come to frame \(target)")
        }
        let growth = try HeapUse.bytes() - before
        #expect(growth < 100 << 20, "\(growth) bytes")
    }

    /// The packets of a tone's middle, again and again.
    private static func write(_ path: String, isFinished: Bool) throws {
        let encoder = try Codecs.makeEncoder(
            .aac, sampleRate: rate, channelCount: 1, settings: EncoderSettings(bitRate: 8000))
        var packets: [[UInt8]] = []
        let tone = [(0..<16 * 1024).map { 0.5 * sin(2 * .pi * 750 * Double($0) / rate) }]
        try tone.withPlanes { planes in
            try encoder.encode(planes, frames: 16 * 1024) { bytes, _ in packets.append(Array(bytes)) }
        }
        var track = MPEG4Track(format: encoder.format, bits: 0)
        track.primingFrames = encoder.primingFrames
        let writer = try MPEG4Writer(FileSink(path: path), track: track, metadata: AudioMetadata())
        for number in 0..<packetCount {
            packets[8 + number % 4].withUnsafeBytes { writer.add($0, frames: 1024) }
            if number % 32 == 31 { try writer.flush() }
        }
        try writer.flush()
        if isFinished { try writer.finish(primingFrames: encoder.primingFrames, remainderFrames: 0) }
    }
}
#endif

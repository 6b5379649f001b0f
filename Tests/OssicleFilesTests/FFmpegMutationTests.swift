#if FFmpeg
import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Damaged M4A and ADTS files") struct FFmpegMutationTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let container: AudioContainer
        let codec: AudioCodec
        var isClosed = true
        var testDescription: String { name }
    }

    /// Each of these files is some kilobytes long and its sound half a megabyte. The limit leaves room for what the
    /// allocator keeps and for the tests that run beside this one; a table that a file's numbers alone had made large
    /// could be 256 MB.
    @Test(
        "A spoilt file is a typed error or plain samples, and takes little memory",
        arguments: [
            Kind(name: "AAC in M4A", container: .mpeg4, codec: .aac),
            Kind(name: "AAC in fragments", container: .mpeg4, codec: .aac, isClosed: false),
            Kind(name: "Apple Lossless in M4A", container: .mpeg4, codec: .alac16),
            Kind(name: "AAC in ADTS", container: .adts, codec: .aac),
        ])
    func mutate(kind: Kind) throws {
        let folder = try TemporaryFolder(), path = folder.path("a.m4a"), spoilt = folder.path("b.m4a")
        let request = FileEncoderRequest(
            path: path, container: kind.container, codec: kind.codec, sampleRate: 16_000, channelCount: 1)
        try FFmpegFile.write(TestSound.tones(channels: 1, frames: 9000, rate: 16_000), request, close: kind.isClosed)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var mutator = Mutator(seed: 4), readable = 0
        let before = try HeapUse.bytes()
        var growth = 0
        for round in 0..<1000 {
            try Data(mutator.mutate(bytes)).write(to: URL(fileURLWithPath: spoilt))
            do throws(AudioFileError) {
                let decoder = try FFmpegFiles.makeDecoder(path: spoilt), info = decoder.info
                #expect(
                    info.frameCount >= 0 && info.frameCount < 2_000_000 && info.channelCount > 0 && info.sampleRate > 0,
                    "round \(round): \(info)")
                try visit(decoder, info)
                readable += 1
                growth = max(growth, ((try? HeapUse.bytes()) ?? .max) - before)
            } catch {
                #expect(!error.found.isEmpty && error.kind != .tooLarge, "round \(round)")
            }
        }
        #expect(growth < 200 << 20, "\(growth) bytes")
        #expect(readable > 100, "damage to packets leaves the rest: \(readable) of 1000 can be read")
    }

    /// Reads a file once from the middle and once in order.
    private func visit(_ decoder: any FileDecoder, _ info: AudioFileInfo) throws(AudioFileError) {
        let plane = UnsafeMutablePointer<Double>.allocate(capacity: 4096)
        defer { plane.deallocate() }
        for start in [info.frameCount / 2, 0] {
            try decoder.seek(to: start)
            var count: Int64 = 0
            while true {
                let got = try decoder.read(into: [plane], frames: 4096)
                if got == 0 { break }
                count += Int64(got)
            }
            #expect(count <= info.frameCount - start)
        }
    }
}
#endif

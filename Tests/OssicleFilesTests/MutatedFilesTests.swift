import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Mutated files") struct MutatedFilesTests {
    /// More than any decoder makes of a file this small: a header may claim anything, reading stops where the bytes
    /// end.
    private static let mostFrames = 400_000

    private static let codings =
        Coding.wave.filter { $0.container == .wav || ["16", "ima"].contains($0.name.split(separator: ".").first) }
        + Coding.apple.filter {
            ["16.aiff", "ima4.aifc", "f32.aifc", "16le.caf", "alac16.caf", "alac24.caf"].contains($0.name)
        }
        + Coding.others.filter { ["16.au", "16.flac", "24.flac", "a.mp3", "a.ogg", "a.opus"].contains($0.name) }

    @Test("A thousand spoilt files of every kind give an error or plain samples", arguments: codings)
    func mutated(coding: Coding) throws {
        let sound = Signal.tonesAndNoise(channels: 2, frames: 1200).map { $0.map(Double.init) }
        var metadata = AudioMetadata()
        metadata.title = "A title"
        metadata.comment = "A comment"
        let whole = try encoded(sound, coding, labels: [1, 2], metadata: metadata)
        #expect(whole.count <= 20_480)
        var mutator = Mutator(seed: 1)
        var readable = 0
        for round in 0..<1000 {
            let spoilt = mutator.mutate(whole, most: round % 2 == 0 ? 1 : 6)
            // Checksums would keep most mutations of Ogg from the decoders.
            let bytes = coding.container == .ogg && round % 4 > 1 ? OggPages.withRightChecksums(spoilt) : spoilt
            let channels: [[Double]]
            do {
                let reader = try AudioFileReader(source: MemoryBytes(bytes))
                channels = try decoded(reader, limit: Self.mostFrames)
                try reader.seek(to: 500)
                _ = try decoded(reader, limit: 10)
            } catch let error as AudioFileError {
                #expect(!error.rule.isEmpty && !error.cure.isEmpty)
                continue
            }
            readable += 1
            #expect(channels.allSatisfy { $0.count < Self.mostFrames }, "round \(round)")
            #expect(channels.allSatisfy { $0.allSatisfy(\.isFinite) }, "round \(round)")
        }
        #expect(readable > 50, "some mutations leave something to read; \(readable) did")
    }
}

import OssicleAVFAudio
import OssicleCodecs
import OssicleFiles
import Testing
@testable import OssicleAVFoundation

@Suite("Assets")
struct AVAssetTests {
    /// A second and a half at 44.1 kHz that says who it is.
    private func sound(_ name: String, _ container: AudioContainer, _ codec: AudioCodec) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)-\(name)")
        var request = FileEncoderRequest(
            path: url.path, container: container, codec: codec, sampleRate: 44_100, channelCount: 1)
        request.metadata.title = "Anvil"
        request.metadata.artist = "Hammer & Stirrup"
        let writer = try AudioFileWriter(request)
        let plane = [Double](repeating: 0.25, count: 66_150)
        try plane.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            try writer.write([start], frames: samples.count)
        }
        writer.close()
        return url
    }

    @Test(
        "Duration, title and artist are those of the file",
        arguments: [("a.flac", AudioContainer.flac, AudioCodec.flac16), ("a.wav", .wav, .pcm16)])
    func facts(_ name: String, _ container: AudioContainer, _ codec: AudioCodec) async throws {
        let url = try sound(name, container, codec)
        defer { try? FileManager.default.removeItem(at: url) }
        let asset = AVURLAsset(url: url)
        let (duration, items) = try await asset.load(.duration, .commonMetadata)
        #expect(duration == CMTime(value: 66_150, timescale: 44_100) && asset.duration.seconds == 1.5)
        let title = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierTitle).first
        let text = try await title?.load(.stringValue)
        #expect(text == "Anvil" && title?.commonKey == .commonKeyTitle && title?.value as? String == "Anvil")
        #expect(asset.commonMetadata.first { $0.commonKey?.rawValue == "artist" }?.stringValue == "Hammer & Stirrup")
    }

    @Test("A file that cannot be read has no duration, and loading tells why")
    func missing() async throws {
        let asset = AVAsset(url: URL(fileURLWithPath: "/nowhere/a.wav"))
        #expect(!asset.duration.isValid && asset.metadata.isEmpty && !asset.isPlayable)
        do {
            _ = try await asset.load(.duration)
            Issue.record("loading succeeded")
        } catch let error as OssicleError {
            #expect(error.code == Int(kAudio_FileNotFoundError) && error.description.contains("/nowhere/a.wav"))
        }
    }
}

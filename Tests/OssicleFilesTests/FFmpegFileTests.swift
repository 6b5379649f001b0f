#if FFmpeg
import Foundation
import OssicleCodecs
import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("M4A and ADTS files") struct FFmpegFileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func request(
        _ name: String, _ codec: AudioCodec = .aac, _ container: AudioContainer = .mpeg4, channels: Int = 2,
        rate: Double = 48_000,
        labels: [UInt32]? = nil, bitRate: Int? = nil
    ) -> FileEncoderRequest {
        FileEncoderRequest(
            path: folder.path(name), container: container, codec: codec, sampleRate: rate, channelCount: channels,
            channelLabels: labels,
            settings: EncoderSettings(bitRate: bitRate))
    }

    @Test("AAC in M4A keeps the length exactly", arguments: [0, 1, 1023, 1024, 1025, 48_000, 100_003])
    func length(frames: Int) throws {
        let request = request("a.m4a")
        try FFmpegFile.write(TestSound.tones(channels: 2, frames: frames), request)
        let (info, channels) = try FFmpegFile.read(request.path)
        #expect(info.frameCount == Int64(frames))
        #expect(channels.map(\.count) == [frames, frames])
        #expect(
            info.container == .mpeg4 && info.codec == .aac && info.sampleRate == 48_000 && info.channelLabels == [1, 2])
    }

    /// At 128 kbit/s a channel there are 2.7 bits a sample, which is 16 dB if they are spread evenly; five tones take a
    /// few of 1024 lines and leave the bits to those. The noise beside them is 37 dB below, and encoders drop or
    /// substitute it: more than that cannot be asked for. What is left of it is the encoder's choice, which goes by
    /// what can be heard: with the same options the `ffmpeg` command leaves 29 ... 39 dB, and 24 dB are asked for.
    @Test("AAC comes back in its place and near the original", arguments: [44_100.0, 48_000])
    func likeness(rate: Double) throws {
        let request = request("a.m4a", rate: rate, bitRate: 256_000),
            sound = TestSound.tones(channels: 2, frames: 60_000, rate: rate)
        try FFmpegFile.write(sound, request)
        let channels = try FFmpegFile.read(request.path).channels
        for (original, decoded) in zip(sound, channels) {
            let part = Array(original[20_000..<30_000]), other = Array(decoded[20_000..<30_000])
            #expect(bestLag(part, other, range: 40) == 0)
            #expect(signalToNoise(original, decoded) > 24, "\(signalToNoise(original, decoded)) dB")
        }
    }

    @Test("FFmpeg, left to itself, decodes the same samples")
    func reference() throws {
        let request = request("a.m4a"), sound = TestSound.tones(channels: 2, frames: 60_000)
        try FFmpegFile.write(sound, request)
        let ours = try FFmpegFile.read(request.path).channels, theirs = try ffmpegDecode(request.path)
        #expect(theirs[0].count == 60_416, "it leaves out the priming, but not what is behind the end")
        for (a, b) in zip(ours, theirs) { #expect(signalToNoise(a, Array(b.prefix(a.count))) > 100) }
    }

    @Test("A seek gives the samples that reading in order gives, bit by bit", arguments: [AudioContainer.mpeg4, .adts])
    func seek(container: AudioContainer) throws {
        let request = request("a.m4a", .aac, container, bitRate: 96_000)
        try FFmpegFile.write(TestSound.tones(channels: 2, frames: 400_000), request, piece: 30_000)
        try checkSeeks(request.path)
    }

    @Test("A seek is exact in Apple Lossless", arguments: [true, false])
    func seekLossless(close: Bool) throws {
        let request = request("a.m4a", .alac16)
        try FFmpegFile.write(TestSound.tones(channels: 2, frames: 700_000), request, close: close)
        try checkSeeks(request.path)
    }

    func checkSeeks(_ path: String) throws {
        let whole = try FFmpegFile.read(path).channels, length = whole[0].count,
            decoder = try FFmpegFiles.makeDecoder(path: path)
        var state: UInt32 = 5
        let fixed = [0, length - 1, length, 128 * 1024 - 1024, 128 * 1024 - 1025, 256 * 1024, 1, 1023]
        for step in 0..<30 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let start = step < fixed.count ? min(max(0, fixed[step]), length) : Int(state >> 4) % length,
                count = min(3000, length - start)
            try decoder.seek(to: Int64(start))
            let part = try FFmpegFile.read(decoder, frames: 3000)
            #expect(part == whole.map { Array($0[start..<start + count]) }, "seek to \(start)")
        }
    }

    @Test(
        "Six channels stay who they are, in whatever order they come",
        arguments: [[3, 1, 2, 5, 6, 4], [1, 2, 3, 4, 5, 6], [4, 6, 5, 3, 2, 1]])
    func identity(labels: [UInt32]) throws {
        let request = request("a.m4a", channels: 6, labels: labels, bitRate: 384_000)
        let tones: [UInt32: Double] = [1: 1000, 2: 2000, 3: 3000, 4: 60, 5: 4000, 6: 5000]
        let sound = labels.map { label in
            (0..<24_000).map { 0.5 * sin(2 * .pi * (tones[label] ?? 0) * Double($0) / 48_000) }
        }
        try FFmpegFile.write(sound, request)
        let (info, channels) = try FFmpegFile.read(request.path)
        #expect(info.channelLabels == [3, 1, 2, 5, 6, 4], "the order of AAC")
        for (label, decoded) in zip(info.channelLabels ?? [], channels) {
            let original = try #require(labels.firstIndex(of: label).map { sound[$0] })
            #expect(signalToNoise(original, decoded) > 20, "label \(label): \(signalToNoise(original, decoded)) dB")
        }
    }

    @Test("Apple Lossless of six channels is put into its own order")
    func losslessOrder() throws {
        let request = request("a.m4a", .alac16, channels: 6, labels: [1, 2, 3, 4, 5, 6]),
            steps = SampleQuantizer(bits: 16)
        let sound = TestSound.tones(channels: 6, frames: 5000).map { $0.map { steps.sample(steps.quantize($0)) } }
        try FFmpegFile.write(sound, request)
        let (info, channels) = try FFmpegFile.read(request.path)
        #expect(info.channelLabels == [3, 1, 2, 5, 6, 4])
        #expect(channels == [2, 0, 1, 4, 5, 3].map { sound[$0] })
    }

    @Test("Apple Lossless is exact", arguments: [AudioCodec.alac16, .alac24])
    func lossless(codec: AudioCodec) throws {
        let request = request("a.m4a", codec), steps = SampleQuantizer(bits: codec.bitDepth)
        let sound = TestSound.tones(channels: 2, frames: 50_001).map { $0.map { steps.sample(steps.quantize($0)) } }
        try FFmpegFile.write(sound, request)
        let (info, channels) = try FFmpegFile.read(request.path)
        #expect(info.codec == codec && info.frameCount == 50_001)
        #expect(channels == sound)
    }

    @Test("The same samples give the same bytes, in pieces of any length")
    func sameBytes() throws {
        let sound = TestSound.tones(channels: 2, frames: 30_000)
        let bytes = try ["a.m4a", "b.m4a", "c.m4a"].map { name in
            try FFmpegFile.write(sound, request(name))
            return try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        }
        #expect(bytes[0] == bytes[1] && bytes[1] == bytes[2])
    }

    @Test(
        "A file whose process was killed holds all but the encoder's last frames",
        arguments: [AudioContainer.mpeg4, .adts])
    func killed(container: AudioContainer) throws {
        let request = request("a.m4a", .aac, container), sound = TestSound.tones(channels: 2, frames: 100_000)
        try FFmpegFile.write(sound, request, close: false)
        let (info, channels) = try FFmpegFile.read(request.path), lead = container == .adts ? 1024 : 0
        #expect(channels[0].count == Int(info.frameCount))
        #expect(channels[0].count - lead > 100_000 - 3 * 1024, "\(channels[0].count)")
        #expect(signalToNoise(Array(sound[0].prefix(96_000)), Array(channels[0].dropFirst(lead))) > 20)
    }

    /// A disk that is full after some bytes.
    final class SmallDisk: ByteSink {
        let name: String
        private let file: FileSink
        private let size: Int64

        init(path: String, size: Int64) throws(AudioFileError) {
            name = path
            file = try FileSink(path: path)
            self.size = size
        }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
            guard offset + Int64(bytes.count) <= size else {
                let left = Int(max(0, size - offset))
                try file.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(left)), at: offset)
                throw AudioFileError(
                    .writeFailed, path: name, found: "no space left", rule: "The disk must take every byte.",
                    cure: "Free some space.")
            }
            try file.write(bytes, at: offset)
        }

        func close() throws(AudioFileError) { try file.close() }
    }

    @Test("What was written before the disk was full can be read", arguments: [20_000, 31_000])
    func fullDisk(size: Int64) throws {
        let request = request("a.m4a"), sound = TestSound.tones(channels: 2, frames: 100_000)
        let encoder = try MPEG4FileEncoder(request, encoder: request.makePacketEncoder()) { () throws(AudioFileError) in
            try SmallDisk(path: request.path, size: size)
        }
        #expect(throws: AudioFileError.self) {
            for start in stride(from: 0, to: 100_000, by: 4000) {
                try sound.withPlanes { planes in try encoder.write(planes.map { $0 + start }, frames: 4000) }
                encoder.keepReadable()
            }
            try encoder.close()
        }
        let decoded = try FFmpegFile.read(request.path).channels
        #expect(
            decoded[0].count > Int(size) * 48_000 / 16_500 * 8 / 10, "\(decoded[0].count) frames of 16.5 kB a second")
        #expect(signalToNoise(Array(sound[0].prefix(decoded[0].count)), decoded[0]) > 20)
        #expect(throws: AudioFileError.self) { try encoder.close() }
    }

    @Test("What a file says about itself is read again")
    func metadata() throws {
        var request = request("a.m4a")
        request.metadata.title = "Títle"
        request.metadata.artist = "An artist"
        request.metadata.album = "An album"
        request.metadata.comment = "Words"
        request.metadata.date = "2026-11-22"
        request.metadata.genre = "Field recording"
        request.metadata.trackNumber = "3/12"
        request.metadata.copyright = "Nobody"
        request.metadata.encodingApplication = "A program"
        for close in [true, false] {
            try FFmpegFile.write(TestSound.tones(channels: 2, frames: 9000), request, close: close)
            let metadata = try FFmpegFiles.makeDecoder(path: request.path).metadata
            #expect(metadata == request.metadata)
        }
    }

    @Test("Two readers on two threads read the same")
    func threads() async throws {
        let request = request("a.m4a")
        try FFmpegFile.write(TestSound.tones(channels: 2, frames: 100_000), request)
        let path = request.path, whole = try FFmpegFile.read(path).channels
        try await withThrowingTaskGroup(of: [[Double]].self) { group in
            for _ in 0..<4 { group.addTask { try FFmpegFile.read(path).channels } }
            for try await channels in group { #expect(channels == whole) }
        }
    }

    @Test("What cannot be written is refused with the reason")
    func refusals() throws {
        for (request, words) in [
            (request("a.m4a", rate: 50_000), "rates"), (request("a.m4a", channels: 9), "channels"),
            (request("a.m4a", .heAAC), "holds"),
            (request("a.m4a", channels: 3, labels: [1, 2, 7]), "labels"),
            (request("a.m4a", bitRate: 10_000_000), "takes"),
            (request("a.m4a", .alac16, .adts), "holds"), (request("nowhere/a.m4a"), "folder"),
        ] {
            let error = #expect(throws: AudioFileError.self) { try FFmpegFiles.makeEncoder(request) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }
}
#endif

#if FFmpeg
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Files that FFmpeg decodes too") struct FFmpegReferenceTests {
    static let codings = Coding.all.filter {
        ["a.mp3", "a.ogg", "a.opus", "16.flac", "24.flac", "alac16.caf", "alac24.caf", "f32.caf", "ulaw.wav"].contains(
            $0.name)
    }

    /// Decoders of one standard differ by the rounding of their arithmetic: 60 dB is what must be reached, and lossless
    /// codecs agree in every sample. Lossy files are written at their best because FFmpeg's own Opus decoder leaves
    /// libopus where bands are folded, which low bit rates do: of this sound 45 dB agree at 64 kbit/s, 66 dB at 128
    /// kbit/s and 80 dB at 256 kbit/s. What is shown for Opus is shown for high bit rates alone.
    @Test("An independent decoder finds the same frames in the same place", arguments: codings)
    func agreement(coding: Coding) throws {
        let folder = try TemporaryFolder(), path = folder.path(coding.name)
        let sound = Signal.tonesAndNoise(channels: 2, frames: 48_123).map { $0.map(Double.init) }
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: path, container: coding.container, codec: coding.codec, sampleRate: 48_000, channelCount: 2,
                settings: EncoderSettings(quality: 1)))
        try sound.withPlanes { try writer.write($0, frames: 48_123) }
        writer.close()
        let ours = try ResidentAudio(path: path).arrays.map { $0.map(Double.init) }, theirs = try ffmpegDecode(path)
        #expect(ours.map(\.count) == theirs.map(\.count))
        for (a, b) in zip(ours, theirs) {
            let lag = bestLag(Array(a[10_000..<14_000]), Array(b[10_000..<14_000]), range: 2500)
            #expect(lag == 0)
            #expect(signalToNoise(a, b) >= (coding.codec.isLossless ? 140 : 60), "\(signalToNoise(a, b)) dB")
        }
    }
}
#endif

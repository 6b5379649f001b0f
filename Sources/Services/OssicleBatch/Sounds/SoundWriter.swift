import Foundation
import OssicleCodecs
import OssicleFiles

/// Sounds as the bytes of files; the same samples give the same bytes.
enum SoundWriter {
    /// - Parameter scratch: a path for what can be written to a file only.
    static func bytes(of sound: RowSound, sampleRate: Int, format: SoundFormat, scratch: String) throws -> [UInt8] {
        guard format != .wav else {
            guard let wave = WaveFile(channels: sound.channels, sampleRate: sampleRate) else {
                throw BatchError(
                    "its \(sound.holds.rawValue)", "has \(sound.frameCount) frames of \(sound.channels.count) channels",
                    rule: "a WAVE file has up to 4 GB", cure: "make it shorter")
            }
            return wave.bytes
        }
        // The greatest number of 24 or 16 bits is one step below 1.
        let limit = format == .flac ? 1 - Float(0x1p-23) : 1 - Float(0x1p-15)
        guard sound.peak <= limit else {
            throw BatchError(
                "its \(sound.holds.rawValue)", "has a peak of \(sound.peak)", rule: "FLAC holds samples below 1",
                cure: "give a level of −0.01 or less, or the format wav")
        }
        guard sound.channels.count <= 8 else {
            throw BatchError(
                "its \(sound.holds.rawValue)", "has \(sound.channels.count) channels", rule: "FLAC holds up to 8",
                cure: "give the format wav")
        }
        defer { unlink(scratch) }
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: scratch, container: .flac, codec: format == .flac ? .flac24 : .flac16,
                sampleRate: Double(sampleRate), channelCount: sound.channels.count))
        try write(sound.channels, to: writer)
        try writer.finish()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch)))
    }

    private static func write(_ channels: [[Float]], to writer: AudioFileWriter) throws {
        let frames = channels.first?.count ?? 0
        let planes = channels.map { channel in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: max(frames, 1))
            plane.initialize(from: channel, count: frames)
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        try writer.write(planes.map { UnsafePointer($0) }, frames: frames)
    }
}

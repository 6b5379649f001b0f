import Foundation

/// The files that are converted, in a temporary folder: `in.wav`, `in.flac`, `in.mp3`, `in.m4a`. Made when they are
/// first wanted.
final class SoundFiles {
    let seconds: Double
    private var folder: URL?

    init(seconds: Double) { self.seconds = seconds }

    func path(_ name: String) throws -> String { try (folder ?? make()).appendingPathComponent(name).path }

    func remove() { if let folder { try? FileManager.default.removeItem(at: folder) } }

    private func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-conversion-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        try Self.wave(seconds: seconds).write(to: folder.appendingPathComponent("in.wav"))
        for name in ["in.flac", "in.mp3", "in.m4a"] {
            _ = try? Command.seconds(Command.ossicle, ["convert", path("in.wav"), path(name)])
        }
        return folder
    }

    /// 16-bit stereo at 44.1 kHz: chords that swell, and a little noise, so that codecs have work to do.
    private static func wave(seconds: Double) -> Data {
        let frames = Int(seconds * 44_100), size = frames * 4
        var data =
            Data("RIFF".utf8) + bytes(UInt32(36 + size)) + Data("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(1))
            + bytes(UInt16(2))
        data +=
            bytes(UInt32(44_100)) + bytes(UInt32(44_100 * 4)) + bytes(UInt16(4)) + bytes(UInt16(16)) + Data("data".utf8)
            + bytes(UInt32(size))
        var samples = [Int16](repeating: 0, count: frames * 2), state: UInt32 = 1
        let tones = (0..<4096).map { Float(sin(2 * Double.pi * Double($0) / 4096)) }
        for frame in 0..<frames {
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Float(state >> 16) / 65_536 - 0.5, root = 20 + 5 * (frame / 44_100 % 7)
            let chord =
                tones[frame * root & 4095] + 0.7 * tones[frame * root * 5 / 4 & 4095] + 0.5
                * tones[frame * root * 3 / 2 & 4095]
            let swell = 0.6 + 0.4 * tones[frame / 50 & 4095]
            samples[2 * frame] = Int16(6000 * chord * swell + 800 * noise)
            samples[2 * frame + 1] = Int16(6000 * chord * (1.2 - swell) - 500 * noise)
        }
        return data + samples.withUnsafeBytes { Data($0) }
    }

    private static func bytes<Value: FixedWidthInteger>(_ value: Value) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
}

import Foundation

/// What it costs to decode, resample and encode ten minutes of stereo with `ossicle convert`, beside `ffmpeg` and `sox`
/// with the same work: one thread each, the same resampler at its very high quality where a rate changes, samples
/// rounded without noise. Each program starts anew and reads and writes files.
enum Conversion {
    private static let seconds = 600.0

    private struct Case {
        let title, input, output: String
        let ours, ffmpeg: [String]
        /// Effects behind the output's name; nil where it cannot read the input.
        let sox: [String]?
    }

    private static let cases = [
        Case(
            title: "WAV 44.1 → 48 kHz", input: "in.wav", output: "48k.wav", ours: ["--rate", "48000"],
            ffmpeg: ["-af", "aresample=48000:resampler=soxr:precision=28"], sox: ["rate", "-v", "48000"]),
        Case(title: "FLAC → WAV", input: "in.flac", output: "out.wav", ours: [], ffmpeg: [], sox: []),
        Case(title: "WAV → FLAC", input: "in.wav", output: "out.flac", ours: [], ffmpeg: [], sox: []),
        Case(
            title: "MP3 → WAV, 16 kHz mono", input: "in.mp3", output: "16k.wav",
            ours: ["--rate", "16000", "--channels", "1"],
            ffmpeg: ["-ac", "1", "-af", "aresample=16000:resampler=soxr:precision=28"],
            sox: ["remix", "-", "rate", "-v", "16000"]),
        Case(title: "M4A → WAV", input: "in.m4a", output: "m4a.wav", ours: [], ffmpeg: [], sox: nil),
    ]

    /// Prints a line for each case and one for each rival.
    static func print() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-conversion-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try wave().write(to: folder.appendingPathComponent("in.wav"))
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        for input in ["in.flac", "in.mp3", "in.m4a"] {
            _ = try? Command.seconds(Command.ossicle, ["convert", path("in.wav"), path(input)])
        }
        for work in cases {
            let (input, output) = (path(work.input), path(work.output))
            guard let ours = speed(Command.ossicle, ["convert", input, output, "--overwrite"] + work.ours) else {
                line(work.title, "not measured (build with --traits FFmpeg)")
                continue
            }
            line(work.title, "\(number(ours)) × real time, one core")
            rival(
                "ffmpeg",
                ["-y", "-v", "error", "-threads", "1", "-i", input, "-threads", "1"] + work.ffmpeg + [output], ours)
            if let effects = work.sox { rival("sox", ["-D", "--single-threaded", input, output] + effects, ours) }
        }
    }

    private static func rival(_ name: String, _ arguments: [String], _ ours: Double) {
        guard let program = Command.find(name), let theirs = speed(program, arguments) else {
            return line("  " + name, "not measured (Debian: \(name == "sox" ? "sox libsox-fmt-all" : name))")
        }
        line("  " + name, "\(number(theirs)) × real time: ours is \(number(ours / theirs)) × as fast")
    }

    /// Seconds of sound per second of processor time, of three runs the fastest; nil when the program refuses.
    private static func speed(_ program: URL, _ arguments: [String]) -> Double? {
        try? (0..<3).map { _ in Conversion.seconds / (try Command.seconds(program, arguments)) }.max()
    }

    private static func line(_ title: String, _ words: String) {
        Swift.print(title.padding(toLength: 25, withPad: " ", startingAt: 0) + words)
    }

    private static func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.0f", value) }

    /// 16-bit stereo at 44.1 kHz: chords that swell, and a little noise, so that codecs have work to do.
    private static func wave() -> Data {
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

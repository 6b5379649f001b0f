import Foundation

/// What it costs to decode, resample and encode stereo with `ossicle convert`, beside `ffmpeg` and `sox`
/// with the same work: one thread each, the same resampler at its very high quality where a rate changes, samples
/// rounded without noise. Each program starts anew and reads and writes files.
enum Conversion {
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

    static func works(_ files: SoundFiles) -> [Work] {
        cases.map { work in
            func speed(_ name: String?, _ arguments: (_ input: String, _ output: String) -> [String]) throws -> Double?
            {
                guard let program = name.map(Command.find) ?? Command.ossicle else { return nil }
                let (input, output) = (try files.path(work.input), try files.path(work.output))
                return files.seconds / (try Command.seconds(program, arguments(input, output)))
            }
            let ffmpeg = Work.Rival(name: "ffmpeg", packages: "Debian: ffmpeg") {
                try speed("ffmpeg") { input, output in
                    ["-y", "-v", "error", "-threads", "1", "-i", input, "-threads", "1"] + work.ffmpeg + [output]
                }
            }
            let sox = work.sox.map { effects in
                Work.Rival(name: "sox", packages: "Debian: sox libsox-fmt-all") {
                    try speed("sox") { ["-D", "--single-threaded", $0, $1] + effects }
                }
            }
            return Work(
                title: work.title,
                run: { try speed(nil) { ["convert", $0, $1, "--overwrite"] + work.ours } },
                rivals: [ffmpeg] + (sox.map { [$0] } ?? []))
        }
    }
}

import AVFAudio
import Foundation

/// What a measured room of 2 s costs, stereo, beside ffmpeg's `afir` with partitions from 128 frames up. Both read the
/// same files; what ffmpeg needs to start and to read is in its time.
enum Convolution {
    private static let seconds = 2.0

    static func work(_ effort: Effort) -> Work {
        let length = max(effort.renderedSeconds * 60, 30)
        return Work(
            title: "A measured room of 2 s, stereo",
            run: { try EngineGraphs.measuredRoom(seconds: seconds, for: length) },
            rivals: [
                Work.Rival(name: "ffmpeg afir", packages: "Debian: ffmpeg") {
                    guard let program = Command.find("ffmpeg") else { return nil }
                    let noise = "anoisesrc=r=48000:c=white:a=0.1:d="
                    let stereo = { (seed: Int, length: Double) in
                        "\(noise)\(length):s=\(seed)[a\(seed)];\(noise)\(length):s=\(seed + 1)[b\(seed)];"
                            + "[a\(seed)][b\(seed)]join=inputs=2:channel_layout=stereo[s\(seed)];"
                    }
                    let graph =
                        stereo(1, length) + stereo(3, seconds)
                        + "[s1][s3]afir=dry=1:wet=1:minp=128:maxp=8192"
                    return length
                        / (try Command.seconds(
                            program,
                            [
                                "-v", "error", "-filter_complex_threads", "1", "-filter_complex", graph, "-f", "null",
                                "-",
                            ]))
                }
            ])
    }

    /// What each of the 64 quanta costs in which the longest partitions do their work: the least of many rounds, so
    /// that what else the machine does is left out.
    static func printSpread() throws {
        for seconds in [0.3, 2, 10] {
            let microseconds = try EngineGraphs.measuredRoomBlocks(seconds: seconds, rounds: 100).map { $0 * 1e6 }
            let mean = microseconds.reduce(0, +) / Double(microseconds.count)
            Report.lines(
                "A measured room of \(seconds) s, stereo, in blocks of 128 frames: \(Report.number(mean)) µs on average, "
                    + "\(Report.number(microseconds.min() ?? 0)) … \(Report.number(microseconds.max() ?? 0)), the costliest "
                    + "\(Report.number((microseconds.max() ?? 0) / mean)) times the mean")
        }
    }
}

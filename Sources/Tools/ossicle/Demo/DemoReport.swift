import Foundation

/// What `ossicle demo` prints.
struct DemoReport {
    let recording: Recording
    let seed: UInt64
    let elapsed: Duration
    let soundPath, picturePath: String
    let hash: String

    var text: String { (table + [""] + facts).joined(separator: "\n") }

    private var table: [String] {
        ["  time     direct   reverb   on the way to the listener (loss at 1 kHz)"] + SecondSummary.all(of: recording).map { second in
            let span = Text.right("\(second.second)–\(second.second + 1) s", width: 6)
            let levels = [second.direct, second.reverb].map { Text.right(Text.number($0, decimals: 1), width: 6) + " dB" }
            return (["\(span)"] + levels).joined(separator: "") + "   " + second.paths.joined(separator: "; ")
        }
    }

    private var facts: [String] {
        let wall = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        return [
            "duration   \(Text.number(recording.seconds, decimals: 3)) s, \(recording.left.count) frames at \(recording.sampleRate) Hz, binaural, 24 bits",
            "speed      \(Text.number(recording.seconds / max(wall, 1e-9), decimals: 1)) × real time",
            "seed       \(seed)",
            "sound      \(soundPath)",
            "picture    \(picturePath)",
            "sha-256    \(hash)",
        ]
    }
}

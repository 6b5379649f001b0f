import Foundation
import OssicleCore

/// What `ossicle demo` prints.
struct DemoReport {
    let recording: Recording
    let seed: UInt64
    let elapsed: Duration
    let soundPath, picturePath: String
    let hash: String

    var text: String { (table + [""] + facts).joined(separator: "\n") }

    private var table: [String] {
        ["  time     direct   reverb   on the way to the listener (loss at 1 kHz)"]
            + SecondSummary.all(of: recording).map { second in
                let span = Text.right("\(second.second)–\(second.second + 1) s", width: 6)
                let levels = [second.direct, second.reverb].map {
                    Text.right(Text.number($0, decimals: 1), width: 6) + " dB"
                }
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

/// One line of the report: a second of the recording.
struct SecondSummary: Sendable, Equatable {
    let second: Int
    /// dB relative to full scale, mean over both ears; −∞ for silence.
    let direct, reverb: Double
    /// Per source, in the engine's order: what hid it, in words.
    let paths: [String]

    static func all(of recording: Recording) -> [SecondSummary] {
        Dictionary(grouping: recording.moments) { Int($0.time) }
            .sorted { $0.key < $1.key }
            .map { second, moments in SecondSummary(second: second, moments: moments) }
    }

    init(second: Int, moments: [Recording.Moment]) {
        self.second = second
        let frames = Double(moments.reduce(0) { $0 + $1.frames })
        func level(_ energy: (Recording.Moment) -> Double) -> Double {
            Decibels.of(energy: moments.reduce(0) { $0 + energy($1) * Double($1.frames) } / max(frames, 1))
        }
        direct = level(\.directEnergy)
        reverb = level(\.reverbEnergy)
        let sources = moments.first?.paths.map(\.source) ?? []
        paths = sources.map { source in
            SecondSummary.words(for: source, in: moments.flatMap(\.paths).filter { $0.source == source })
        }
    }

    /// "voice 40 % visible, cardboard box −11 dB": the mean share and each obstacle's greatest loss at 1 kHz.
    private static func words(for source: String, in states: [PathState]) -> String {
        let visible = states.reduce(0) { $0 + $1.visibleShare } / Double(max(states.count, 1))
        var names: [String] = []
        var losses: [String: Double] = [:]
        for obstacle in states.flatMap(\.obstacles) {
            if losses[obstacle.name] == nil { names.append(obstacle.name) }
            losses[obstacle.name] = max(losses[obstacle.name] ?? 0, obstacle.loss)
        }
        let obstacles = names.map { "\($0) −\(Text.number(losses[$0] ?? 0, decimals: 0)) dB" }
        return
            ([source + " " + (obstacles.isEmpty ? "free" : "\(Text.number(visible * 100, decimals: 0)) % visible")]
            + obstacles)
            .joined(separator: ", ")
    }
}

import Foundation
import OssicleCore
import OssicleRendering

/// What `ossicle demo` prints.
struct DemoReport {
    let recording: Recording
    let seed: UInt64
    let elapsed: Duration
    let soundPath, picturePath: String
    let hash: String

    var text: String { (table + [""] + facts).joined(separator: "\n") }

    private var table: [String] {
        ["  time     direct  diffuse   on the way to the listener (loss at 1 kHz)"]
            + SecondSummary.all(of: recording).map { second in
                let span = Text.right("\(second.second)–\(second.second + 1) s", width: 6)
                let levels = [second.direct, second.reverb].map {
                    Text.right(Text.number($0, decimals: 1), width: 6) + " dB"
                }
                return (["\(span)"] + levels).joined(separator: "") + "   " + second.paths.joined(separator: "; ")
            }
    }

    private var timesRealTime: Double { recording.seconds / max(elapsed / .seconds(1), 1e-9) }

    private var facts: [String] {
        [
            "duration   \(Text.number(recording.seconds, decimals: 3)) s, \(recording.left.count) frames at \(recording.sampleRate) Hz, binaural, 24 bits",
            "speed      \(Text.number(timesRealTime, decimals: 1)) × real time",
            "seed       \(seed)",
            "sound      \(soundPath)",
            "picture    \(picturePath)",
            "sha-256    \(hash)",
        ]
    }
}

extension DemoReport {
    private struct Document: Encodable {
        struct Second: Encodable {
            let second: Int
            /// dBFS; nil for silence.
            let direct, diffuse: Double?
            let paths: [String]
        }

        let sound, picture, sha256: String
        let seed: UInt64
        let seconds, timesRealTime: Double
        let frames, sampleRate: Int
        let course: [Second]
    }

    var json: String {
        get throws {
            try JSONText.document(
                Document(
                    sound: soundPath, picture: picturePath, sha256: hash, seed: seed, seconds: recording.seconds,
                    timesRealTime: timesRealTime, frames: recording.left.count, sampleRate: recording.sampleRate,
                    course: SecondSummary.all(of: recording).map {
                        Document.Second(
                            second: $0.second, direct: $0.direct.known, diffuse: $0.reverb.known, paths: $0.paths)
                    }))
        }
    }
}

/// One line of the report: a second of the recording.
struct SecondSummary: Sendable, Equatable {
    let second: Int
    /// dB relative to full scale, mean over both ears; −∞ for silence. Direct is what has a direction of its own: also
    /// what comes around edges.
    let direct, reverb: Double
    /// Per source, in the engine's order: what hid it and how its sound got around that, in words.
    let paths: [String]

    static func all(of recording: Recording) -> [SecondSummary] {
        Dictionary(grouping: recording.moments) { Int($0.time) }
            .sorted { $0.key < $1.key }
            .map { second, moments in SecondSummary(second: second, moments: moments) }
    }

    init(second: Int, moments: [SceneMoment]) {
        self.second = second
        let frames = Double(moments.reduce(0) { $0 + $1.frames })
        func level(_ power: (SceneMoment) -> Double) -> Double {
            Decibels.of(energy: moments.reduce(0) { $0 + power($1) * Double($1.frames) } / max(frames, 1))
        }
        direct = level(\.directPower)
        reverb = level(\.reverbPower)
        let sources = moments.first?.paths.map(\.source) ?? []
        paths = sources.map { source in
            SecondSummary.words(for: source, in: moments.flatMap(\.paths).filter { $0.source == source })
        }
    }

    /// "voice 40 % visible, cardboard box −11 dB, around 1 edge −6 dB": the mean share, each obstacle's greatest loss
    /// and the least loss of another path, at 1 kHz.
    private static func words(for source: String, in states: [PathState]) -> String {
        let visible = states.reduce(0) { $0 + $1.visibleShare } / Double(max(states.count, 1))
        var names: [String] = []
        var losses: [String: Double] = [:]
        for obstacle in states.flatMap(\.obstacles) {
            if losses[obstacle.name] == nil { names.append(obstacle.name) }
            losses[obstacle.name] = max(losses[obstacle.name] ?? 0, obstacle.loss)
        }
        guard !names.isEmpty else { return source + " free" }
        let obstacles = names.map { "\($0) −\(Text.number(losses[$0] ?? 0, decimals: 0)) dB" }
        let detour = states.compactMap(\.detour).min { $0.loss < $1.loss }.map {
            "\($0.course) \(Text.number(-$0.loss, decimals: 0)) dB"
        }
        return
            (["\(source) \(Text.number(visible * 100, decimals: 0)) % visible"] + obstacles
            + (detour.map { [$0] } ?? []))
            .joined(separator: ", ")
    }
}

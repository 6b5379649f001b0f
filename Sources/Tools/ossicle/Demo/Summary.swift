import OssicleCore

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
        return ([source + " " + (obstacles.isEmpty ? "free" : "\(Text.number(visible * 100, decimals: 0)) % visible")] + obstacles)
            .joined(separator: ", ")
    }
}

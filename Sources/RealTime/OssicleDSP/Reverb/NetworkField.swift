import OssicleCore

/// The octaves in which arrangements are looked at, and the network's outputs there.
struct NetworkField: ~Copyable {
    /// An octave, with as many groups of sixteen frequencies as resolve the modes where there are few, and the decay
    /// time it is looked at for: two where modes are so few that it matters.
    struct Part {
        let centre: Double
        let groups: Int
        var time = 1.0
        /// How an error of 10 % in power counts for ears re one of 0.1 in correlation, squared: in low octaves they are
        /// correlated anyway, in high ones many modes make the power right.
        let level: Float

        var count: Int { 16 * groups }

        func frequency(_ place: Int) -> Double {
            let share = 0.7071 * (Double(place) + 0.5) / Double(count)
            return centre * (0.7071 + share)
        }
    }

    /// Of a part the correlation of both sides in an isotropic field, their power in one of the outputs' mean power,
    /// and how an error of that counts.
    struct Wanted {
        let correlation: Float
        let power: Float
        let level: Float
    }

    private static let all =
        [0.6, 1.7].flatMap { time in
            [
                Part(centre: 62.5, groups: 4, time: time, level: 0.6),
                Part(centre: 125, groups: 4, time: time, level: 0.25),
            ]
        } + [Part(centre: 250, groups: 8, level: 0.12), Part(centre: 500, groups: 16, level: 0.04)]
        + [1000, 2000, 4000, 8000].map { Part(centre: $0, groups: 24, level: 0.04) }

    /// Those below half the sample rate.
    let parts: [Part]
    let sampleRate: Double
    private let answer: NetworkAnswer
    private let meanFreeTime: Double

    init(_ settings: FeedbackDelayNetwork.Settings) {
        (sampleRate, meanFreeTime) = (settings.sampleRate, settings.meanFreeTime)
        parts = Array(Self.all.prefix { $0.centre * 1.42 < settings.sampleRate / 2 })
        answer = NetworkAnswer(FeedbackDelayNetwork.Plan(settings), settings)
    }

    /// Calls `take` with the outputs at four frequencies after another, and the number of the first.
    func outputs(_ part: Part, _ take: (_ first: Int, _ outputs: UnsafePointer<NetworkAnswer.Number>) -> Void) {
        let (delays, gains) = (answer.delays, answer.gains(part.time))
        let passes = Int(0.5 * part.time / (2 * meanFreeTime)) + 1
        // From a group's first frequency on phases turn by equal steps.
        let step = part.frequency(1) - part.frequency(0)
        let steps = (0..<4).map { quarter in
            NetworkAnswer.turns(delays) { Double(4 * quarter + $0) * step }
        }
        for first in stride(from: 0, to: part.count, by: 16) {
            let start = NetworkAnswer.turns(delays) { _ in part.frequency(first) }
            for quarter in steps.indices {
                var turns = start
                for line in delays.indices {
                    let (a, b) = (start[line], steps[quarter][line])
                    turns[line] = (a.cos * b.cos - a.sin * b.sin, a.cos * b.sin + a.sin * b.cos)
                }
                take(first + 4 * quarter, answer.outputs(turns, gains, passes: passes))
            }
        }
    }
}

import Foundation

/// One piece of work, done by us and by rivals in turns, so that a busy machine slows all of them.
struct Work {
    /// Does the work once: seconds of sound per second of processor time; nil where it cannot run here.
    typealias Run = () throws -> Double?

    struct Rival {
        let name: String
        /// What to install where it is missing.
        let packages: String
        let run: Run
    }

    let title: String
    /// Sounds at a time: with it, what one costs is stated as well.
    var voices: Int?
    let run: Run
    var rivals: [Rival] = []

    func measure(rounds: Int) -> Result {
        var ours: [Double] = []
        var theirs = rivals.map { _ in [Double]() }
        for _ in 0..<rounds {
            guard let speed = try? run() else { break }
            ours.append(speed)
            for (index, rival) in rivals.enumerated() {
                if let speed = try? rival.run() { theirs[index].append(speed) }
            }
        }
        let beside = zip(rivals, theirs).map { rival, speeds in
            let ratios = speeds.count == ours.count ? zip(speeds, ours).map { $0 / $1 } : []
            return Result.Beside(
                name: rival.name, packages: rival.packages, speed: Spread(speeds), cost: Spread(ratios))
        }
        return Result(title: title, voices: voices, speed: Spread(ours), beside: beside)
    }

    struct Result {
        struct Beside {
            let name, packages: String
            let speed: Spread?
            /// Our cost over theirs, round by round: below 1, ours is the cheaper.
            let cost: Spread?
        }

        let title: String
        let voices: Int?
        let speed: Spread?
        let beside: [Beside]

        /// Microseconds for one voice and 1,024 frames at 48 kHz.
        var voiceCost: Double? {
            guard let voices, let speed else { return nil }
            return 1024 / 48_000 / speed.median / Double(voices) * 1e6
        }

        var words: String {
            guard let speed else { return "\(title): not measured" }
            let each = voiceCost.map { ", \(Report.number($0)) µs a voice and 1,024 frames" } ?? ""
            let lines = beside.map { rival in
                guard let speed = rival.speed, let cost = rival.cost else {
                    return "  \(rival.name): not measured (\(rival.packages))"
                }
                return "  \(rival.name): \(Report.number(speed.median)) × real time; "
                    + "our cost over theirs \(cost.words)"
            }
            return (["\(title): \(Report.number(speed.median)) × real time\(each)"] + lines).joined(separator: "\n")
        }
    }
}

/// What several rounds gave.
struct Spread {
    let median, least, most: Double

    /// nil without values.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        (median, least, most) = (sorted[sorted.count / 2], first, last)
    }

    var words: String { "\(Report.number(median)) (\(Report.number(least)) … \(Report.number(most)))" }
}

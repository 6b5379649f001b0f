import Foundation

/// What more threads bring: the same work on one and on two, by turns, in time of the wall. It needs that many cores to
/// itself.
enum Cores {
    static func run(_ effort: Effort, threads: Int) throws {
        WallTime.isUsed = true
        let seconds = effort.renderedSeconds
        let works: [(title: String, run: () throws -> Double)] = [
            ("64 moving binaural voices", { try MovingVoices.measure(count: 64, seconds: seconds) }),
            ("256 moving binaural voices", { try MovingVoices.measure(count: 256, seconds: seconds) }),
            ("1024 moving binaural voices", { try MovingVoices.measure(count: 1024, seconds: seconds / 2) }),
            (
                "32 changes of speed and pitch",
                { try EngineGraphs.timePitch((0..<32).map(SoundWork.change), seconds: seconds) }
            ),
        ]
        for work in works {
            var ratios: [Double] = []
            for _ in 0..<max(effort.rounds, 5) {
                setenv("OSSICLE_THREADS", "1", 1)
                let one = try work.run()
                setenv("OSSICLE_THREADS", "\(threads)", 1)
                ratios.append(try work.run() / one)
            }
            guard let spread = Spread(ratios) else { continue }
            print("\(work.title): \(threads) threads \(spread.words) times as fast as one")
        }
    }
}

/// The clock of the works.
enum WallTime {
    /// Whether it goes on while others have the processor.
    nonisolated(unsafe) static var isUsed = false

    /// Seconds of this process's processor time, or of the wall.
    static var seconds: Double {
        guard isUsed else { return Double(clock()) / Double(CLOCKS_PER_SEC) }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

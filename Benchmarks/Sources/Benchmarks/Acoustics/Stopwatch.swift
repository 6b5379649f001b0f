import Foundation

/// Processor time of work on this thread.
enum Stopwatch {
    /// Seconds, of `runs` the fastest: what disturbs a run only slows it down.
    static func least(of runs: Int = 9, _ work: () -> Void) -> Double {
        (0..<runs).map { _ in seconds(work) }.min() ?? 0
    }

    /// The same for two pieces of work by turns, so that a busy machine slows both.
    static func least(of runs: Int = 15, _ first: () -> Void, beside second: () -> Void) -> (Double, Double) {
        let times = (0..<runs).map { _ in (seconds(first), seconds(second)) }
        return (times.map(\.0).min() ?? 0, times.map(\.1).min() ?? 0)
    }

    private static func seconds(_ work: () -> Void) -> Double {
        let start = now
        work()
        return max(now - start, 1e-9)
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Takes a result from the optimiser's sight, so that it has to be computed.
@inline(never)
func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }

import Foundation

/// Counts frames by the clock, for devices that have no other.
struct Pace {
    private let begin = HostClock.now
    private let sampleRate: Double

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    func time(ofFrame frame: Int) -> UInt64 { HostClock.time(begin, movedBy: Double(frame) / sampleRate) }

    /// Sleeps until `frame` is due; not at all when it is overdue.
    func wait(untilFrame frame: Int) {
        let (due, now) = (time(ofFrame: frame), HostClock.now)
        if due > now { Thread.sleep(forTimeInterval: Double(due - now) / 1e9) }
    }
}

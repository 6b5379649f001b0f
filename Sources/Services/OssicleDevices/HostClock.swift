import Foundation

/// The clock devices stamp their blocks with: nanoseconds that never jump and stand still while the machine sleeps.
package enum HostClock {
    /// Nanoseconds. From any thread; never waits.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// `time` moved by `seconds`, which may be negative: no further back than to the clock's start, and nowhere by what
    /// is not a number.
    package static func time(_ time: UInt64, movedBy seconds: Double) -> UInt64 {
        guard seconds.isFinite else { return time }
        let nanoseconds = UInt64(min(abs(seconds) * 1e9, 1e18).rounded())
        if seconds < 0 { return time - min(nanoseconds, time) }
        return time + min(nanoseconds, UInt64.max - time)
    }

    /// When the machine's calendar showed `moment`.
    static func time(ofCalendar moment: timeval) -> UInt64 {
        var calendar = timespec()
        clock_gettime(CLOCK_REALTIME, &calendar)
        let fraction = Double(calendar.tv_nsec) * 1e-9 - Double(moment.tv_usec) * 1e-6
        return time(now, movedBy: -(Double(calendar.tv_sec - moment.tv_sec) + fraction))
    }

    /// Not at all for a time that is over.
    static func sleep(until time: UInt64) {
        let now = now
        if time > now { Thread.sleep(forTimeInterval: Double(time - now) / 1e9) }
    }
}

// Clocks.

import Foundation

/// A source of time. There is one: the host's.
public final class CMClock: NSObject, Sendable {
    static let host = CMClock()

    private override init() { super.init() }
}

/// The clock of host times.
@discardableResult
public func CMClockGetHostTimeClock() -> CMClock { .host }

/// What `clock` shows, in nanoseconds since the machine started.
@discardableResult
public func CMClockGetTime(_ clock: CMClock) -> CMTime {
    CMTime(value: Int64(clamping: DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000)
}

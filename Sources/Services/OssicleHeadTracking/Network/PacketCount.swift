/// How many packets came, of what kind and how fast.
package struct PacketCount: Hashable, Sendable {
    /// That held a pose, that were about something else, and that were cut off or held what no head does.
    package private(set) var poses = 0
    package private(set) var others = 0
    package private(set) var malformed = 0
    /// Poses in a second, smoothed over about the last eight; 0 before the second.
    package private(set) var rate = 0.0
    /// When the newest pose came, in seconds of `MonotonicClock`.
    package private(set) var lastArrival: Double?

    private var interval = 0.0
    /// What stays of the old interval with each new one.
    private static let memory = 0.875

    package init() {}

    mutating func add(_ verdict: PacketVerdict, at time: Double) {
        switch verdict {
        case .pose: addPose(at: time)
        case .other: others += 1
        case .malformed: malformed += 1
        }
    }

    private mutating func addPose(at time: Double) {
        poses += 1
        if let lastArrival, time > lastArrival {
            let gap = time - lastArrival
            interval = interval == 0 ? gap : Self.memory * interval + (1 - Self.memory) * gap
            rate = 1 / interval
        }
        lastArrival = time
    }

    /// The same, with a rate that sinks while nothing comes.
    func seen(at time: Double) -> PacketCount {
        guard let lastArrival, interval > 0, time - lastArrival > interval else { return self }
        var seen = self
        seen.rate = 1 / (time - lastArrival)
        return seen
    }
}

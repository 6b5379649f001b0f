import Synchronization

/// How late an engine is asked for the frames of its device: noted on the device's thread, read from any.
package final class DeviceLag: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)

    package init() {}

    /// A block begins to be rendered. Takes no lock and allocates nothing.
    /// - Parameter due: when the device takes its first frame, as in `OutputBlock.hostTime`.
    package func note(due: UInt64, now: UInt64 = HostClock.now) {
        nanoseconds.store(now > due ? now - due : 0, ordering: .relaxed)
    }

    /// The device stands still.
    package func clear() { nanoseconds.store(0, ordering: .relaxed) }

    /// Seconds by which the last block came too late; 0 while the device is served in time.
    package var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
}

/// Whether an engine keeps up with its device. One that is late for a moment and catches up does; one that stays
/// behind, or leaves the device without sound again and again, does not.
package struct OverloadWatch: Sendable {
    /// Seconds behind which count as late.
    private static let late = 0.1
    /// Seconds of being late after which it is overload, and without dropouts after which it is over.
    private static let patience = 1.0

    /// Seconds behind, as of the last look.
    package private(set) var lag = 0.0
    /// Dropouts in the present run of them.
    package private(set) var dropouts = 0
    package private(set) var isOverloaded = false
    private var lateSince: Double?
    private var lastDropout = -Double.infinity
    private var knownDropouts = 0

    package init() {}

    /// - Parameters:
    ///   - lag: seconds, of `DeviceLag`.
    ///   - dropouts: since the device was started.
    ///   - time: seconds of a steady clock.
    /// - Returns: whether an overload begins.
    package mutating func follow(lag: Double, dropouts count: Int, at time: Double) -> Bool {
        self.lag = lag
        lateSince = lag < Self.late ? nil : lateSince ?? time
        // A device that was started anew counts from 0.
        let new = count - min(knownDropouts, count)
        knownDropouts = count
        if time - lastDropout > Self.patience { dropouts = 0 }
        if new > 0 { (dropouts, lastDropout) = (dropouts + new, time) }
        let isLate = lateSince.map { time - $0 >= Self.patience } ?? false
        let begins = !isOverloaded && (isLate || dropouts > 1)
        if begins { isOverloaded = true } else if lateSince == nil && dropouts == 0 { isOverloaded = false }
        return begins
    }

    /// What an error says of it: by how much, and the cure.
    package var finding: String {
        dropouts > 1
            ? "it was too late for its device \(dropouts) times within a second"
            : "it is \((lag * 1000).rounded() / 1000) s behind its device, and falls behind further or does not catch up"
    }
}

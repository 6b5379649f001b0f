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

/// How long the blocks of a device take to render: noted on the device's thread, read from any.
package final class DeviceLoad: Sendable {
    private let busy = Atomic<UInt64>(0)
    private let frames = Atomic<UInt64>(0)
    /// Nanoseconds a frame of the block that took longest, since it was last taken.
    private let worst = Atomic<UInt64>(0)

    package init() {}

    /// A block is rendered. Takes no lock and allocates nothing; from one thread at a time.
    package func note(nanoseconds: UInt64, frames count: Int) {
        guard count > 0 else { return }
        busy.store(busy.load(ordering: .relaxed) &+ nanoseconds, ordering: .relaxed)
        frames.store(frames.load(ordering: .relaxed) &+ UInt64(count), ordering: .relaxed)
        let share = nanoseconds / UInt64(count)
        if share > worst.load(ordering: .relaxed) { worst.store(share, ordering: .relaxed) }
    }

    /// Totals since it was made, in nanoseconds and frames.
    package var totals: (busy: UInt64, frames: UInt64) {
        (busy.load(ordering: .relaxed), frames.load(ordering: .relaxed))
    }

    /// Nanoseconds a frame of the slowest block since the last call.
    package func takeWorst() -> UInt64 { worst.exchange(0, ordering: .relaxed) }
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

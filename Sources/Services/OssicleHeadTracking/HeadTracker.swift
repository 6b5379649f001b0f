import Foundation

/// Follows one head: a source, whether anything comes from it, and what counts as straight ahead. Any thread.
package final class HeadTracker: @unchecked Sendable {
    package enum Connection: Sendable {
        /// Not started, or nothing has come yet.
        case waiting
        /// A pose came within the last second.
        case connected
        /// Poses came, and none for a second.
        case lost
    }

    private enum Feed {
        case receiver(PoseReceiver, PoseReceiver.Endpoint)
        case recording(MotionRecording)
        case supplied
    }

    package let source: HeadTrackingSource
    private let lock = NSLock()
    private var feed: Feed?
    private var supplied: HeadPose?
    private var suppliedCount = PacketCount()
    private var origin: HeadPose?
    /// The next pose becomes straight ahead.
    private var recentresNext = false

    /// Without a pose for this many seconds a source is lost.
    package static let patience = 1.0

    package init(_ source: HeadTrackingSource) { self.source = source }

    deinit { stop() }

    // MARK: Life

    package var isRunning: Bool { lock.withLock { feed != nil } }

    /// Opens the port or reads the file. Does nothing on a tracker that runs.
    package func start() throws(HeadTrackingError) {
        lock.lock()
        defer { lock.unlock() }
        guard feed == nil else { return }
        switch source {
        case .network(let endpoint): feed = .receiver(try PoseReceiver.join(endpoint), endpoint)
        case .recording(let url): feed = .recording(try MotionRecording(contentsOf: url))
        case .supplied: feed = .supplied
        }
    }

    /// Closes the port, unless others in this program listen to it; it is free when this returns. May be started again.
    package func stop() {
        lock.lock()
        defer { lock.unlock() }
        if case .receiver(let receiver, let endpoint) = feed { PoseReceiver.leave(receiver, endpoint) }
        (feed, supplied, suppliedCount) = (nil, nil, PacketCount())
    }

    /// The port that is listened to; nil for other sources and while stopped.
    package var port: UInt16? {
        lock.withLock { if case .receiver(let receiver, _) = feed { receiver.port } else { nil } }
    }

    /// A pose from the program itself. Only with the source `.supplied`, while running.
    package func supply(_ pose: HeadPose, at time: Double = MonotonicClock.now) {
        lock.withLock {
            guard case .supplied = feed else { return }
            supplied = pose
            suppliedCount.add(.pose, at: time)
        }
    }

    // MARK: Following

    /// The pose at `time` of the recording, or the newest that came; relative to straight ahead. nil while there is
    /// none.
    package func pose(at time: Double) -> HeadPose? {
        lock.withLock {
            guard let pose = rawPose(at: time) else { return nil }
            if recentresNext { (origin, recentresNext) = (pose, false) }
            return origin.map { pose.relative(to: $0) } ?? pose
        }
    }

    private func rawPose(at time: Double) -> HeadPose? {
        switch feed {
        case .receiver(let receiver, _): receiver.pose
        case .recording(let recording): recording.pose(at: time)
        case .supplied: supplied
        case nil: nil
        }
    }

    /// Makes the next pose that is asked for straight ahead and the place it is at the origin: normally the present
    /// one.
    package func recentre() { lock.withLock { recentresNext = true } }

    // MARK: Health

    package func count(at time: Double = MonotonicClock.now) -> PacketCount {
        lock.withLock {
            switch feed {
            case .receiver(let receiver, _): receiver.count(at: time)
            case .supplied: suppliedCount.seen(at: time)
            case .recording, nil: PacketCount()
            }
        }
    }

    /// A recording is connected while it runs.
    package func connection(at time: Double = MonotonicClock.now) -> Connection {
        if lock.withLock({ if case .recording = feed { true } else { false } }) { return .connected }
        guard let last = count(at: time).lastArrival else { return .waiting }
        return time - last <= Self.patience ? .connected : .lost
    }

    /// Seconds a recording spans: its first and last time; nil for other sources.
    package var recordedSpan: ClosedRange<Double>? {
        lock.withLock {
            if case .recording(let recording) = feed { recording.startTime...recording.endTime } else { nil }
        }
    }
}

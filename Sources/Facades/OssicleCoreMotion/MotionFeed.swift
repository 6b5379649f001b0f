import Dispatch
import OssicleHeadTracking

/// Asks a tracker a hundred times a second and hands what is new to the manager, on a queue of its own.
final class MotionFeed: @unchecked Sendable {
    private let tracker: HeadTracker
    private let frame: CMHeadphoneMotionManager.MotionFrame
    private weak var manager: CMHeadphoneMotionManager?
    private let timer: any DispatchSourceTimer
    /// Before the first tick; afterwards the queue's.
    private var begin = 0.0
    private var sampler = MotionSampler()
    private var lastTime: Double?

    private static let interval = 0.01

    init(_ source: HeadTrackingSource, frame: CMHeadphoneMotionManager.MotionFrame, manager: CMHeadphoneMotionManager) {
        (tracker, self.frame, self.manager) = (HeadTracker(source), frame, manager)
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ossicle.headphone-motion"))
        timer.schedule(deadline: .now(), repeating: Self.interval)
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.activate()
    }

    /// Once.
    func start() throws(HeadTrackingError) { try tracker.start() }

    /// For good. From any thread; a tick under way may still deliver.
    func stop() {
        timer.cancel()
        tracker.stop()
    }

    func recentre() { tracker.recentre() }

    private func tick() {
        guard tracker.isRunning else { return }
        let now = MonotonicClock.now
        if begin == 0 { begin = now }
        switch tracker.connection(at: now) {
        case .waiting: break
        case .lost: manager?.disconnect()
        case .connected: deliver(at: now)
        }
    }

    private func deliver(at now: Double) {
        guard let span = tracker.recordedSpan else { return deliverPose(at: now, timestamp: nil) }
        let time = span.lowerBound + now - begin
        // One sample at the very end; then the headphones are taken off.
        guard time - Self.interval < span.upperBound else { return manager?.disconnect() ?? () }
        deliverPose(at: min(time, span.upperBound), timestamp: now)
    }

    /// - Parameter timestamp: nil for the time the pose arrived at.
    private func deliverPose(at time: Double, timestamp: Double?) {
        guard let pose = tracker.pose(at: time) else { return }
        let stamp = timestamp ?? pose.time
        guard stamp != lastTime else { return }
        lastTime = stamp
        manager?.deliver(sampler.sample(of: pose.orientation, at: stamp, frame: frame))
    }
}

import Dispatch
import Foundation
import OssicleCore
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

/// Makes samples out of orientations, one after another: how fast the head turns follows from two of them.
struct MotionSampler {
    private var last: (orientation: Rotation, time: Double)?

    mutating func sample(
        of orientation: Rotation, at time: Double, frame: CMHeadphoneMotionManager.MotionFrame,
        acceleration: CMAcceleration = CMAcceleration(), field: CMMagneticField? = nil
    ) -> CMDeviceMotion {
        let rate = last.map { $0.orientation.speed(to: orientation, in: time - $0.time) } ?? .zero
        last = (orientation, time)
        return CMDeviceMotion(
            timestamp: time, attitude: CMAttitude(quaternion: orientation.quaternion(in: frame)),
            rotationRate: rate.rate(in: frame),
            userAcceleration: acceleration,
            magneticField: field.map { CMCalibratedMagneticField(field: $0, accuracy: .high) }
                ?? CMCalibratedMagneticField())
    }
}

// The head's axes are +X right, +Y up, +Z back; a device's +X right, +Y ahead, +Z up.

extension Rotation {
    /// nil if the quaternion is no rotation.
    init?(device q: CMQuaternion) { self.init(x: q.x, y: q.z, z: -q.y, w: q.w) }

    func quaternion(in frame: CMHeadphoneMotionManager.MotionFrame) -> CMQuaternion {
        switch frame {
        case .device: CMQuaternion(x: quaternion.x, y: -quaternion.z, z: quaternion.y, w: quaternion.w)
        // `CMAttitude.rotationMatrix` leads from the frame to the device: the inverse of its quaternion.
        case .listener: CMQuaternion(x: -quaternion.x, y: -quaternion.y, z: -quaternion.z, w: quaternion.w)
        }
    }
}

extension SIMD3<Double> {
    fileprivate func rate(in frame: CMHeadphoneMotionManager.MotionFrame) -> CMRotationRate {
        switch frame {
        case .device: CMRotationRate(x: x, y: -z, z: y)
        case .listener: CMRotationRate(x: x, y: y, z: z)
        }
    }
}

/// Updates of one kind of sample: whether they run, how often they come, and where they go. Any thread.
final class SensorUpdates<Sample: CMLogItem>: @unchecked Sendable {
    typealias Handler = (Sample?, (any Error)?) -> Void

    private struct State {
        var interval = 0.0
        var isActive = false
        var queue: OperationQueue?
        var handler: Handler?
        /// Grows with every start and stop, so that a sample on its way to the queue does not outlive a stop.
        var session = 0
        /// Timestamps: the last sample's, and from which on the next is due.
        var last = -Double.infinity
        var due = -Double.infinity
    }

    private let lock = NSLock()
    private var state = State()

    var isActive: Bool { lock.withLock { state.isActive } }

    /// Seconds; what is negative or not finite counts as 0, which is every sample.
    var interval: TimeInterval {
        get { lock.withLock { state.interval } }
        set { lock.withLock { (state.interval, state.due) = (newValue.isFinite ? max(newValue, 0) : 0, -.infinity) } }
    }

    func start(_ queue: OperationQueue? = nil, _ handler: Handler? = nil) {
        lock.withLock {
            (state.isActive, state.queue, state.handler) = (true, queue, handler)
            (state.last, state.due) = (-.infinity, -.infinity)
            state.session += 1
        }
    }

    func stop() {
        lock.withLock {
            (state.isActive, state.queue, state.handler) = (false, nil, nil)
            state.session += 1
        }
    }

    func deliver(_ sample: Sample) {
        let route = lock.withLock { isDue(sample.timestamp) ? state.queue.map { ($0, state.session) } : nil }
        // A sample is immutable, which is what lets it go to the client's queue.
        nonisolated(unsafe) let sample = sample
        if let (queue, session) = route { queue.addOperation { self.call(sample, nil, session: session) } }
    }

    func deliver(_ error: any Error) {
        let route = lock.withLock { state.queue.map { ($0, state.session) } }
        if let (queue, session) = route { queue.addOperation { self.call(nil, error, session: session) } }
    }

    /// Under the lock. The interval is kept on the average: a sample that comes a little late does not put off those
    /// behind it.
    private func isDue(_ time: TimeInterval) -> Bool {
        if time < state.last { state.due = time }
        state.last = time
        guard time >= state.due else { return false }
        let next = state.due + state.interval
        state.due = next > time ? next : time + state.interval
        return true
    }

    private func call(_ sample: Sample?, _ error: (any Error)?, session: Int) {
        let handler = lock.withLock { state.session == session ? state.handler : nil }
        handler?(sample, error)
    }
}

import Foundation
import OssicleCore
import OssicleHeadTracking

/// Additions of Ossicle: what takes the place of headphones.
extension CMHeadphoneMotionManager {
    /// Where motion comes from (an addition of Ossicle). Ports are UDP; 127.0.0.1 hears this machine only, 0.0.0.0
    /// every network it is on.
    public enum MotionSource: Hashable, Sendable {
        /// The program calls `supplyMotion(orientation:timestamp:)`.
        case supplied
        /// OSC messages of common head trackers; see “Head tracking” in the documentation. `inverting`: angles the
        /// sender counts the other way round.
        case osc(port: UInt16, address: String = "127.0.0.1", inverting: Set<Angle> = [])
        /// opentrack's “UDP over network”.
        case opentrack(port: UInt16 = 4242, address: String = "127.0.0.1", inverting: Set<Angle> = [])
        /// A text file of poses, played from its beginning when updates start.
        case recording(URL)
    }

    /// One of the three angles a head is described by (an addition of Ossicle).
    public enum Angle: Int, Sendable {
        /// Around the vertical.
        case yaw
        /// Around the axis through the ears.
        case pitch
        /// Around the axis straight ahead.
        case roll
    }

    /// Which axes the attitude is given in (an addition of Ossicle).
    public enum MotionFrame: Sendable {
        /// As Apple's headphones are understood to: X to the right ear, Y ahead, Z up, against a frame whose Z axis is
        /// vertical. Positive yaw is to the left, pitch up, roll with the right ear down; gravity is (0, 0, −1) while
        /// the head is upright.
        case device
        /// The axes of a `PHASEListener` (X right, Y up, Z back), the other way round, so that the columns (m11, m21,
        /// m31), (m12, m22, m32) and (m13, m23, m33) of the rotation matrix are the first three of a transform that
        /// turns a listener as the head is turned. Yaw, pitch, roll and gravity then speak of other axes than their
        /// names say.
        case listener
    }

    /// Where motion comes from (an addition of Ossicle). Default: what the environment variable `OSSICLE_HEAD_TRACKING`
    /// names (`osc:8000`, `opentrack:4242`, `file:/path`), `.supplied` if it is not set. May be changed while updates
    /// run.
    public var motionSource: MotionSource {
        get { lock.withLock { state.source } }
        set {
            let old = lock.withLock {
                (state.source, state.sourceError) = (newValue, nil)
                return takeFeed()
            }
            old?.stop()
            startFeed()
        }
    }

    /// Default `.device`. Holds for updates that start after it is set (an addition of Ossicle).
    public var motionFrame: MotionFrame {
        get { lock.withLock { state.frame } }
        set { lock.withLock { state.frame = newValue } }
    }

    /// Why `motionSource`, or what the environment names, could not be used: nil if nothing is wrong (an addition of
    /// Ossicle). The handler hears of it as well.
    public var motionSourceError: CMMotionSourceError? { lock.withLock { state.sourceError } }

    /// Makes the head's next pose straight ahead: normally the present one (an addition of Ossicle). While updates run
    /// from a source.
    public func recentreMotion() { lock.withLock { state.feed }?.recentre() }

    /// One sample from the program itself, with the source `.supplied` (an addition of Ossicle). Connects the
    /// headphones, if they are not.
    ///
    /// - Parameters:
    ///   - orientation: from the head's coordinates to the frame's, in the axes of `MotionFrame.device`. Passed over if
    ///     it is no rotation.
    ///   - timestamp: seconds; later than the sample before. The rotation rate follows from both.
    public func supplyMotion(orientation: CMQuaternion, timestamp: TimeInterval) {
        supply(orientation, CMAcceleration(), nil, timestamp)
    }

    /// The headphones are taken away, with the source `.supplied` (an addition of Ossicle).
    public func endSuppliedMotion() {
        guard motionSource == .supplied else { return }
        disconnect()
    }
}

// MARK: Feeding

extension CMHeadphoneMotionManager {
    func supply(
        _ orientation: CMQuaternion, _ acceleration: CMAcceleration, _ field: CMMagneticField?,
        _ timestamp: TimeInterval
    ) {
        let motion: CMDeviceMotion? = lock.withLock {
            guard state.source == .supplied, timestamp.isFinite, let rotation = Rotation(device: orientation) else {
                return nil
            }
            return state.supplied.sample(
                of: rotation, at: timestamp, frame: state.frame, acceleration: acceleration, field: field)
        }
        if let motion { deliver(motion) }
    }

    func takeSourceFromEnvironment() {
        do {
            guard let source = try HeadTrackingSource.fromEnvironment() else { return }
            state.source = MotionSource(source)
        } catch {
            state.sourceError = CMMotionSourceError(error)
        }
    }

    /// Listens to the source, if updates run and nobody listens yet.
    func startFeed() {
        let feed: MotionFeed? = lock.withLock {
            guard state.isActive || state.isReportingConnections, state.feed == nil, let source = state.source.tracked
            else { return nil }
            state.feed = MotionFeed(source, frame: state.frame, manager: self)
            return state.feed
        }
        do {
            try feed?.start()
        } catch {
            let error = CMMotionSourceError(error)
            lock.withLock {
                state.sourceError = error
                if state.feed === feed { state.feed = nil }
            }
            deliver(error)
        }
    }

    func stopFeedIfIdle() {
        let idle = lock.withLock { state.isActive || state.isReportingConnections ? nil : takeFeed() }
        idle?.stop()
    }

    /// Under the lock. What it was connected to is gone with it.
    private func takeFeed() -> MotionFeed? {
        guard let feed = state.feed else { return nil }
        (state.feed, state.isConnected) = (nil, false)
        return feed
    }
}

extension CMHeadphoneMotionManager.MotionSource {
    init(_ source: HeadTrackingSource) {
        switch source {
        case .supplied: self = .supplied
        case .recording(let url): self = .recording(url)
        case .network(let endpoint):
            let inverting = Set(endpoint.inverted.compactMap { CMHeadphoneMotionManager.Angle(rawValue: $0.rawValue) })
            switch endpoint.format {
            case .osc: self = .osc(port: endpoint.port, address: endpoint.address, inverting: inverting)
            case .opentrack: self = .opentrack(port: endpoint.port, address: endpoint.address, inverting: inverting)
            }
        }
    }

    /// What a tracker can follow by itself; nil for `.supplied`.
    var tracked: HeadTrackingSource? {
        func angles(_ inverting: Set<CMHeadphoneMotionManager.Angle>) -> Set<HeadAngle> {
            Set(inverting.compactMap { HeadAngle(rawValue: $0.rawValue) })
        }
        return switch self {
        case .supplied: nil
        case .osc(let port, let address, let inverting):
            .network(PoseReceiver.Endpoint(.osc, address: address, port: port, inverted: angles(inverting)))
        case .opentrack(let port, let address, let inverting):
            .network(PoseReceiver.Endpoint(.opentrack, address: address, port: port, inverted: angles(inverting)))
        case .recording(let url): .recording(url)
        }
    }
}

/// Additions of Ossicle: what takes the place of the device's sensors.
extension CMMotionManager {
    /// Where motion comes from (an addition of Ossicle), as `CMHeadphoneMotionManager.motionSource`. May be changed
    /// while updates run.
    public var motionSource: CMHeadphoneMotionManager.MotionSource {
        get { device.motionSource }
        set { device.motionSource = newValue }
    }

    /// Why `motionSource`, or what the environment names, could not be used: nil if nothing is wrong (an addition of
    /// Ossicle). Handlers receive it as well.
    public var motionSourceError: CMMotionSourceError? { device.motionSourceError }

    /// Makes the next pose straight ahead: normally the present one (an addition of Ossicle). While updates run from a
    /// source.
    public func recentreMotion() { device.recentreMotion() }

    /// One sample from the program itself, with the source `.supplied` (an addition of Ossicle).
    ///
    /// - Parameters:
    ///   - orientation: from the device's coordinates to the frame's (X right, Y ahead, Z up). Passed over if it is no
    ///     rotation.
    ///   - userAcceleration: beyond gravity, in units of standard gravity, in the device's frame.
    ///   - magneticField: in microtesla, in the device's frame; nil where nothing measures it.
    ///   - timestamp: seconds; later than the sample before. The rotation rate follows from both.
    public func supplyMotion(
        orientation: CMQuaternion, userAcceleration: CMAcceleration = CMAcceleration(),
        magneticField: CMMagneticField? = nil,
        timestamp: TimeInterval
    ) {
        device.supply(orientation, userAcceleration, magneticField, timestamp)
    }
}

import OssicleCore
import OssicleHeadTracking

/// The tracked head that listeners follow, as of the last update. Under the engine's lock.
final class FollowedHead {
    weak var control: EngineControl?
    private(set) var tracking: PHASEHeadTracking?
    private(set) var pose: HeadPose?
    /// In a replay: the poses are those of a recording, and nothing else is followed.
    private var replayed: HeadPose??
    /// The engine started `tracking`, and stops it.
    private var isOurs = false
    /// That nothing tracks the head is recorded once.
    private var hasHinted = false
    private var listeners: [Follower] = []

    private struct Follower {
        weak var listener: PHASEListener?
    }

    /// Listeners with tracking flags.
    private var followers: [PHASEListener] { listeners.compactMap(\.listener).filter { !$0.followedFlags.isEmpty } }

    func join(_ listener: PHASEListener) {
        listeners.removeAll { $0.listener == nil || $0.listener === listener }
        listeners.append(Follower(listener: listener))
    }

    /// Follows another head from now on.
    func set(_ new: PHASEHeadTracking?) {
        guard let control, new !== tracking else { return }
        stop()
        tracking = new
        forget()
        control.note(.otherHead)
        guard control.renderingState != .stopped else { return }
        do { try start() } catch { control.record(error) }
    }

    private func forget() {
        pose = nil
        if let control { followers.forEach(control.poseChanged) }
    }

    // MARK: Replay

    /// From now on poses are given, and none to begin with.
    func beginReplay() { replayed = .some(nil) }

    /// What the next update finds.
    func replay(_ pose: HeadPose?) { replayed = .some(pose) }

    func replayOther() {
        replayed = .some(nil)
        forget()
    }

    // MARK: Life

    /// What the client chose has to work; without it the source is the one the environment names, if any, which may
    /// fail.
    func start() throws {
        if replayed != nil { return }
        let isChosen = tracking != nil
        do { try startTracking() } catch {
            if isChosen { throw error }
            control?.record((error as? HeadTrackingError).map { PHASEError($0) as any Error } ?? error)
        }
    }

    private func startTracking() throws {
        if let tracking {
            guard !tracking.isRunning else { return }
            try tracking.start()
        } else {
            guard let source = try HeadTrackingSource.fromEnvironment() else { return }
            let new = PHASEHeadTracking(HeadTracker(source))
            try new.start()
            tracking = new
        }
        isOurs = true
    }

    /// What the client started itself continues.
    func stop() {
        if isOurs { tracking?.stop() }
        isOurs = false
    }

    /// Once per update: where the head is now, for all listeners that follow it.
    func follow() {
        let followers = followers
        guard let control, !followers.isEmpty else { return }
        if let hint = hint() { control.record(hint) }
        if update(at: control.now) { followers.forEach(control.poseChanged) }
    }

    /// Reads the head's pose at engine time `now`, in seconds.
    /// - Returns: whether it has moved.
    private func update(at now: Double) -> Bool {
        let new = replayed ?? tracking?.tracker.pose(at: now)
        defer { pose = new }
        let hasMoved = new?.orientation != pose?.orientation || new?.position != pose?.position
        if hasMoved { control?.note(.head(new.map(PHASECommand.Head.init))) }
        return hasMoved
    }

    /// What is wrong where a listener wants to follow and nothing tracks the head; nil if that has been recorded.
    private func hint() -> PHASEError? {
        guard tracking == nil, replayed == nil, !hasHinted, let listener = followers.first else { return nil }
        hasHinted = true
        return PHASEError(
            .invalidObject, object: listener.reportName,
            value: "automaticHeadTrackingFlags are set and nothing tracks the head",
            rule: "A head is followed if the engine has a source for it; without one the flags have no effect.",
            cure: "Set engine.headTracking, or the environment variable \(HeadTrackingSource.variable).")
    }
}

extension Pose {
    /// This pose with a head on it: the head's position in metres along the object's axes, whatever their scale, and
    /// its orientation re them.
    ///
    /// The axes are rounded to single precision, so that the result has the same bytes as if the client had turned the
    /// object by such a matrix.
    func applying(_ head: HeadPose, _ flags: PHASEAutomaticHeadTrackingFlags) -> Pose {
        var pose = self
        if flags.contains(.position) { pose.position += direction(head.position) }
        if flags.contains(.orientation) {
            let axes = head.orientation.axes
            pose.right = direction(Vector(SIMD3<Float>(axes.right))).direction ?? right
            pose.up = direction(Vector(SIMD3<Float>(axes.up))).direction ?? up
            pose.back = direction(Vector(SIMD3<Float>(axes.back))).direction ?? back
        }
        return pose
    }

    private func direction(_ local: Vector) -> Vector { right * local.x + up * local.y + back * local.z }
}

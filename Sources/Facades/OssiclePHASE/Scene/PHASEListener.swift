import OssicleCore
import OssicleSIMD

/// The ears: where the scene is heard from. Looks along −Z of its transform.
open class PHASEListener: PHASEObject, @unchecked Sendable {
    private var linearGain = 1.0
    private var headTrackingFlags: PHASEAutomaticHeadTrackingFlags = []

    public override init(engine: PHASEEngine) { super.init(engine: engine) }
    override init(core: EngineCore) { super.init(core: core) }

    override var kind: String { "Listener" }

    /// Linear gain of everything heard through this listener. Default 1; clamped to 0…1 (NaN is taken as 0).
    open var gain: Double {
        get { core.locked { linearGain } }
        set { core.locked { linearGain = newValue.clamped(0, 1); core.valuesChanged() } }
    }

    /// What of the real head this listener follows, on top of its own transform, which stays as it is. Default: none.
    ///
    /// The head is that of `engine.headTracking` (an addition of Ossicle), read once per update. Without one the flags have no effect, which is recorded
    /// once as the engine's `lastError`.
    open var automaticHeadTrackingFlags: PHASEAutomaticHeadTrackingFlags {
        get { core.locked { headTrackingFlags } }
        set { core.locked { follow(newValue) } }
    }

    private func follow(_ flags: PHASEAutomaticHeadTrackingFlags) {
        guard flags != headTrackingFlags else { return }
        headTrackingFlags = flags
        core.trackedHead.join(self)
        core.poseChanged(of: self)
    }

    /// The flags, for those who hold the lock.
    var followedFlags: PHASEAutomaticHeadTrackingFlags { headTrackingFlags }

    /// Where the head is and how it is turned: the object's pose, and on top of it what a head tracker says.
    var headPose: Pose { core.trackedHead.pose.map { worldPose.wearing($0, headTrackingFlags) } ?? worldPose }

    override func makeCopy() -> PHASEObject {
        let copy = PHASEListener(core: core)
        copy.linearGain = linearGain
        copy.follow(headTrackingFlags)
        return copy
    }
}

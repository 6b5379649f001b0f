import OssicleCore
import OssicleSIMD

/// The ears: where the scene is heard from. Looks along −Z of its transform.
open class PHASEListener: PHASEObject, @unchecked Sendable {
    private struct Settings {
        var gain = 1.0
        var headTrackingFlags: PHASEAutomaticHeadTrackingFlags = []
    }

    private var requestedSettings = Settings()
    /// What the simulation works with. Under the engine's lock.
    private var currentSettings = Settings()

    public override init(engine: PHASEEngine) { super.init(engine: engine) }
    override init(core: EngineCore) { super.init(core: core) }

    override var kind: String { "Listener" }

    /// Linear gain of everything heard through this listener. Default 1; clamped to 0…1 (NaN is taken as 0).
    open var gain: Double {
        get { core.requested { requestedSettings.gain } }
        set { core.post(self) { requestedSettings.gain = newValue.clamped(0, 1) } }
    }

    /// What of the real head this listener follows, on top of its own transform, which stays as it is. Default: none.
    ///
    /// The head is that of `engine.headTracking` (an addition of Ossicle), read once per update. Without one the flags have no effect, which is recorded
    /// once as the engine's `lastError`.
    open var automaticHeadTrackingFlags: PHASEAutomaticHeadTrackingFlags {
        get { core.requested { requestedSettings.headTrackingFlags } }
        set { core.post(self) { requestedSettings.headTrackingFlags = newValue } }
    }

    override func applyRequested(_ core: EngineCore) {
        super.applyRequested(core)
        let joins = requestedSettings.headTrackingFlags != currentSettings.headTrackingFlags
        currentSettings = requestedSettings
        guard joins else { return }
        core.trackedHead.join(self)
        core.poseChanged(of: self)
    }

    // MARK: What the simulation works with, under the engine's lock

    var currentGain: Double { currentSettings.gain }
    var followedFlags: PHASEAutomaticHeadTrackingFlags { currentSettings.headTrackingFlags }

    /// Where the head is and how it is turned: the object's pose, and on top of it what a head tracker says.
    var headPose: Pose { core.trackedHead.pose.map { worldPose.wearing($0, followedFlags) } ?? worldPose }

    override func makeCopy() -> PHASEObject {
        let copy = PHASEListener(core: core)
        copy.gain = gain
        copy.automaticHeadTrackingFlags = automaticHeadTrackingFlags
        return copy
    }
}

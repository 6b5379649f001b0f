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

    /// Stored; has no effect until a head-tracking source is attached. Default: none.
    open var automaticHeadTrackingFlags: PHASEAutomaticHeadTrackingFlags {
        get { core.locked { headTrackingFlags } }
        set { core.locked { headTrackingFlags = newValue } }
    }

    override func makeCopy() -> PHASEObject {
        let copy = PHASEListener(core: core)
        copy.linearGain = linearGain
        copy.headTrackingFlags = headTrackingFlags
        return copy
    }
}

extension OssicleAdditions where Self: PHASEEngine {
    /// Whose head the listeners with `automaticHeadTrackingFlags` follow (an addition of Ossicle).
    ///
    /// Starts and stops with the engine, at once if the engine runs; a failure is then recorded as `lastError`. Default nil: when the engine starts,
    /// the source the environment variable `OSSICLE_HEAD_TRACKING` names, if any.
    public var headTracking: PHASEHeadTracking? {
        get { core.locked { core.trackedHead.tracking } }
        set { core.setHeadTracking(newValue) }
    }
}

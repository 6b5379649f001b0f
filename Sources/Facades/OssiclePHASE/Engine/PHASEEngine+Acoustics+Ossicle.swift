/// Where reflections and reverb come from (additions of Ossicle).
extension PHASEEngine {
    public enum AcousticsMode: Sendable {
        /// The reverb preset, as in PHASE.
        case preset
        /// The geometry of the scene.
        case geometry
    }
}

extension OssicleAdditions where Self: PHASEEngine {
    /// Default `.preset`. In `.geometry` the occluders in the scene mirror sound, bend it around their edges and make the reverb, and
    /// `defaultReverbPreset` is not heard; in the open there is none. May change while sounds play: rooms ring out, ways fade.
    public var acousticsMode: PHASEEngine.AcousticsMode {
        get { core.requested { core.settings.requested.acousticsMode } }
        set { core.set { $0.acousticsMode = newValue } }
    }

    /// How much work goes into `.geometry`, and into reverb zones that are computed. Default `.medium`.
    public var acousticsQuality: PHASEAcousticsQuality {
        get { core.locked { PHASEAcousticsQuality(core.quality) } }
        set { core.locked { core.take(newValue) } }
    }

    /// Seconds that one simulation of the late field may take while somebody listens; there are up to ten a second. Nil is 0.05. Where simulations
    /// take longer, less is done (`acousticsReport` says what), and the audio thread never waits. Offline nothing is left out.
    ///
    /// Anything that is not above 0 and finite is taken as nil.
    public var acousticsBudget: Double? {
        get { core.locked { core.askedBudget } }
        set { core.locked { core.askedBudget = newValue.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } } }
    }

    /// What the simulation does at present.
    public var acousticsReport: PHASEAcousticsReport {
        core.locked { PHASEAcousticsReport(core.budget, reflections: core.paths.heardPaths.reduce(0) { $0 + $1.path.acoustics.reflections.count }) }
    }

    /// T60, clarity, intelligibility and so on for a source and a listener where they are now, from the scene's geometry whatever the mode is. Rays at
    /// quality `.high`: takes tenths of a second, on the caller's thread and the workers; the engine plays on meanwhile.
    /// - Throws: `PHASEError.invalidObject` if one of the two is not in this engine's scene.
    public func roomMetrics(from source: PHASESource, to listener: PHASEListener) throws -> PHASERoomMetrics {
        try core.roomMetrics(from: source, to: listener)
    }
}

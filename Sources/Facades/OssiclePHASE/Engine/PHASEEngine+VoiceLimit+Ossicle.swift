/// A limit to what sounds at once.
extension OssicleAdditions where Self: PHASEEngine {
    /// The most voices (leaves of sound events) that are heard at once; nil, the default, for 512, and `Int.max` for as many as there are (an addition
    /// of Ossicle). Where the default is met, that is recorded once as the engine's `lastError`.
    ///
    /// Where more want to sound, those are heard whose generator has the higher `priority`, then the louder at the listener (in steps of 3 dB, so that
    /// two alike do not take turns), then the newer; a voice too quiet to be heard at all comes last. The others go on unheard in real time and at next
    /// to no cost, in time and in memory: they end when they would have ended, and fade in again where there is room. Paused and culled voices do not count. Less
    /// than 0 counts as 0.
    public var maximumVoiceCount: Int? {
        get { core.requested { core.settings.requested.maximumVoiceCount } }
        set { core.set { $0.maximumVoiceCount = newValue.map { max($0, 0) } } }
    }
}

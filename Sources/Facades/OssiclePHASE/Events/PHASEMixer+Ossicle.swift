import OssicleAVFAudio

/// Additions of Ossicle: insert effects, and taps.
extension PHASEMixer: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEMixer {
    /// Effects the sound of this mixer passes, in order, before it is placed: one channel for a spatial mixer, the bed's for others (an
    /// addition of Ossicle).
    ///
    /// Any `AVAudioUnitEffect` that is built in. Set it before playback or during it: the sound fades over to the new row within 10 ms, with
    /// the next update. Parameters and bypass act from the next render call on, in manual update mode too. The event sounds on until
    /// its effects have rung out, a minute at most; after that the chain is empty and its units are free. A unit that is attached to an
    /// engine, in another chain, or no such effect, is recorded as an error, and the chain stays as it was.
    public var insertEffects: [AVAudioUnit] {
        get { core.locked { inserts.units } }
        set { core.locked { inserts.set(newValue, at: "mixer “\(identifier)”") } }
    }

    /// As `PHASEEngine.installTap`, on what leaves this mixer: its direct sound in the engine's channels, placed and scaled (an addition
    /// of Ossicle). Times are engine times. Data come while the event plays and until it has rung out.
    public func installTap(bufferSize: AVAudioFrameCount, format: AVAudioFormat? = nil, block: @escaping AVAudioNodeTapBlock) throws {
        try core.locked { try taps.install(core, at: "mixer “\(identifier)”", bufferSize, format, block) }
    }

    /// Ends all taps on this mixer. What they had collected is handed over, though it fills no buffer (an addition of Ossicle).
    public func removeTap() { core.locked { taps.removeAll(core) } }

    /// Frames that the taps on this mixer lost at a device, because they came faster than they were taken (an addition of Ossicle).
    public var droppedTapFrames: Int { core.locked { taps.droppedFrames } }
}

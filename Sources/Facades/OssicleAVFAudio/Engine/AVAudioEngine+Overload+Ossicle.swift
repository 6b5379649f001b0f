/// Whether the machine is fast enough (additions of Ossicle).
extension OssicleAdditions where Self: AVAudioEngine {
    /// Whether the engine does not keep up with the device it plays to: it has been more than 0.1 s late for a second,
    /// or the device ran out of sound more than once within one (an addition of Ossicle). Each time this begins it is
    /// recorded as `lastError`. False in manual rendering.
    public var isOverloaded: Bool { machine.locked { machine.isAtDevice && machine.session.overload.isOverloaded } }

    /// Seconds by which rendering is behind the device at present, 0 where it is in time (an addition of Ossicle).
    public var secondsBehindDevice: Double { machine.locked { machine.isAtDevice ? machine.session.overload.lag : 0 } }
}

/// Whether the machine is fast enough (additions of Ossicle).
extension OssicleAdditions where Self: PHASEEngine {
    /// Whether the engine does not keep up with the device it plays to: it has been more than 0.1 s late for a second, or the device ran out of sound
    /// more than once within one (an addition of Ossicle). Each time this begins it is recorded as `lastError`. False in manual rendering.
    public var isOverloaded: Bool { core.locked { core.device != nil && core.overload.isOverloaded } }

    /// Seconds by which rendering is behind the device at present, 0 where it is in time (an addition of Ossicle). `lastRenderTime` lags by as much.
    public var secondsBehindDevice: Double { core.locked { core.device == nil ? 0 : core.overload.lag } }
}

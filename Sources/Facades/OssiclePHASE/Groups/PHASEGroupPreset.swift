import Foundation

/// Gains and rates of several groups that are taken up together. An engine has one active preset at most; it keeps that one.
///
/// The settings multiply the groups' own gains and rates. A group that both the old and the new preset name goes straight from the one to the
/// other in the new one's time; one that only the old preset names goes back in the old one's. Any thread; takes effect at the next update.
open class PHASEGroupPreset: NSObject, @unchecked Sendable {
    private let core: EngineCore
    /// By the identifier of the group. A group that is not registered follows once it is.
    public let settings: [String: PHASEGroupPresetSetting]
    /// How long the groups take to get there, and back to 1; divided by the engine's `unitsPerSecond`. 0 or more.
    public let timeToTarget: Double
    public let timeToReset: Double

    /// Times that are negative or not finite count as 0.
    public init(engine: PHASEEngine, settings: [String: PHASEGroupPresetSetting], timeToTarget: Double, timeToReset: Double) {
        core = engine.core
        self.settings = settings
        self.timeToTarget = timeToTarget.usableDuration
        self.timeToReset = timeToReset.usableDuration
    }

    /// Replaces the active preset. Settings for groups that are not registered are recorded as the engine's `lastError`.
    open func activate() { core.activate(self, duration: timeToTarget) }

    /// As `activate()`, in another time than `timeToTarget`.
    open func activate(timeToTargetOverride: Double) { core.activate(self, duration: timeToTargetOverride) }

    /// Takes the groups back to 1. Does nothing unless this is the active preset.
    open func deactivate() { core.deactivate(self, duration: timeToReset) }

    /// As `deactivate()`, in another time than `timeToReset`.
    open func deactivate(timeToResetOverride: Double) { core.deactivate(self, duration: timeToResetOverride) }
}

extension Double {
    /// A client's duration, 0 where it is negative or not finite.
    var usableDuration: Double { isFinite ? Swift.max(self, 0) : 0 }
}

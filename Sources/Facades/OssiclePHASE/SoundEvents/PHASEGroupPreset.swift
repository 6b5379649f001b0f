import Foundation
import OssicleSoundEvents
import OssicleSpatial

/// Gains and rates of several groups that are taken up together. An engine has one active preset at most; it keeps that
/// one.
///
/// The settings multiply the groups' own gains and rates. A group that both the old and the new preset name goes
/// straight from the one to the other in the new one's time; one that only the old preset names goes back in the old
/// one's. Any thread; takes effect at the next update.
open class PHASEGroupPreset: NSObject, @unchecked Sendable {
    private let control: EngineControl
    /// By the identifier of the group. A group that is not registered follows once it is.
    public let settings: [String: PHASEGroupPresetSetting]
    /// How long the groups take to get there; divided by the engine's `unitsPerSecond`. 0 or more.
    public let timeToTarget: Double
    /// How long the groups take back to 1; divided by the engine's `unitsPerSecond`. 0 or more.
    public let timeToReset: Double

    /// Times that are negative or not finite count as 0.
    public init(
        engine: PHASEEngine, settings: [String: PHASEGroupPresetSetting], timeToTarget: Double, timeToReset: Double
    ) {
        control = engine.control
        self.settings = settings
        self.timeToTarget = timeToTarget.usableDuration
        self.timeToReset = timeToReset.usableDuration
    }

    /// Replaces the active preset. Settings for groups that are not registered are recorded as the engine's
    /// `lastError`.
    open func activate() { activate(timeToTargetOverride: timeToTarget) }

    /// As `activate()`, in another time than `timeToTarget`.
    open func activate(timeToTargetOverride: Double) {
        control.locked {
            guard control.engine != nil else { return }
            control.note(self) { .activatePreset($0, seconds: timeToTargetOverride) }
            let unknown = settings.keys.filter { control.store.groups[$0] == nil }.sorted()
            if !unknown.isEmpty {
                control.record(
                    PHASEAssetError(
                        .badParameters,
                        """
                        A group preset was activated that names \(unknown.quotedList), which the engine has no group of; register the group before. \
                        The other groups follow the preset, and this one will once it is registered.
                        """))
            }
            let unit = control.settings.current.unitsPerSecond
            control.spatial.levels.groups.activate(
                values, at: control.now, duration: (timeToTargetOverride / unit).usableDuration, unitsPerSecond: unit)
            control.spatial.valuesChanged()
        }
    }

    /// Takes the groups back to 1. Does nothing unless this is the active preset.
    open func deactivate() { deactivate(timeToResetOverride: timeToReset) }

    /// As `deactivate()`, in another time than `timeToReset`.
    open func deactivate(timeToResetOverride: Double) {
        control.locked {
            let groups = control.spatial.levels.groups
            guard groups.preset?.owner === self else { return }
            control.note(self) { .deactivatePreset($0, seconds: timeToResetOverride) }
            groups.deactivate(
                at: control.now,
                duration: (timeToResetOverride / control.settings.current.unitsPerSecond).usableDuration)
            control.spatial.valuesChanged()
        }
    }
}

/// What a group preset does to one group.
open class PHASEGroupPresetSetting: NSObject, @unchecked Sendable {
    /// Linear; multiplies the group's gain. Clamped to 0…1.
    public let gain: Double
    /// Multiplies the group's rate. Clamped to 0.25…4; the product is as well.
    public let rate: Double
    /// How the group's gain gets there, and back.
    public let gainCurveType: PHASECurveType
    /// How the group's rate gets there, and back.
    public let rateCurveType: PHASECurveType

    /// A gain that is not a number counts as 0, such a rate as 1.
    public init(gain: Double, rate: Double, gainCurveType: PHASECurveType, rateCurveType: PHASECurveType) {
        self.gain = gain.clamped(0, 1)
        self.rate = rate.isNaN ? 1 : rate.clamped(Generator.rates.lowerBound, Generator.rates.upperBound)
        self.gainCurveType = gainCurveType
        self.rateCurveType = rateCurveType
    }
}

extension PHASEGroupPreset {
    /// As the engine takes it.
    fileprivate var values: GroupPreset {
        let targets = settings.mapValues { setting in
            GroupPreset.Target(
                gain: setting.gain, rate: setting.rate, gainCurve: setting.gainCurveType.curve,
                rateCurve: setting.rateCurveType.curve)
        }
        return GroupPreset(owner: self, targets: targets, timeToReset: timeToReset)
    }
}

import Foundation
import OssicleSpatial

/// Turns groups down while others sound, as music under speech.
///
/// A group sounds while one of its voices plays: levels are not looked at. Voices that are paused, culled, finished, or
/// unheard because of the engine's `maximumVoiceCount` do not count. Several duckers on one group multiply. Any thread;
/// takes effect at the next update.
open class PHASEDucker: NSObject, @unchecked Sendable {
    private let control: EngineControl
    private let ducking: Ducking
    /// The groups whose sound turns the others down.
    public let sourceGroups: Set<PHASEGroup>
    /// The groups that are turned down.
    public let targetGroups: Set<PHASEGroup>
    private let levels: (gain: Double, attackTime: Double, releaseTime: Double)
    private let curves: (attack: PHASECurveType, release: PHASECurveType)

    /// A ducker that is not active.
    ///
    /// - Parameters:
    ///   - engine: where the groups are registered.
    ///   - sourceGroups: whose sound turns the others down.
    ///   - targetGroups: that are turned down.
    ///   - gain: of the target groups while a source group sounds; linear, clamped to 0…1.
    ///   - attackTime: how long it takes to turn down, divided by the engine's `unitsPerSecond`; what is negative or
    ///     not finite counts as 0. It begins wherever the gain is at that moment.
    ///   - releaseTime: how long it takes to turn up again, likewise.
    ///   - attackCurve: the shape of turning down.
    ///   - releaseCurve: the shape of turning up.
    public init(
        engine: PHASEEngine, sourceGroups: Set<PHASEGroup>, targetGroups: Set<PHASEGroup>, gain: Double,
        attackTime: Double,
        releaseTime: Double, attackCurve: PHASECurveType, releaseCurve: PHASECurveType
    ) {
        let control = engine.control
        self.control = control
        (self.sourceGroups, self.targetGroups) = (sourceGroups, targetGroups)
        levels = (gain.clamped(0, 1), attackTime.usableDuration, releaseTime.usableDuration)
        curves = (attackCurve, releaseCurve)
        let number = control.locked { control.spatial.levels.groups.nextDuckerNumber() }
        ducking = Ducking(
            identifier: "Ducker \(number)", sources: sourceGroups.map(\.identifier).sorted(),
            targets: Set(targetGroups.map(\.identifier)),
            settings: Ducking.Settings(
                gain: levels.gain, attackTime: levels.attackTime, releaseTime: levels.releaseTime,
                attackCurve: attackCurve.curve, releaseCurve: releaseCurve.curve))
        super.init()
        control.locked {
            ducking.owner = self
            control.spatial.levels.groups.add(ducking)
            control.note(
                .ducker(
                    ducking.identifier,
                    PHASECommand.Ducker(
                        sources: sourceGroups.map(\.identifier).sorted(),
                        targets: targetGroups.map(\.identifier).sorted(), gain: levels.gain, attack: levels.attackTime,
                        release: levels.releaseTime, attackCurve: attackCurve.rawValue,
                        releaseCurve: releaseCurve.rawValue)))
        }
    }

    /// What it has ducked comes up again, in the release time.
    deinit { setActive(false) }

    /// Groups that are not registered with the engine are recorded as its `lastError`; they count once they are.
    open func activate() {
        control.locked {
            let unknown = sourceGroups.union(targetGroups).map(\.identifier).filter { control.store.groups[$0] == nil }
                .sorted()
            if !unknown.isEmpty {
                control.record(
                    PHASEAssetError(
                        .badParameters,
                        "“\(identifier)” was activated with \(unknown.quotedList), which the engine has no group of; register the group before."
                    ))
            }
            setActive(true)
        }
    }

    /// Releases what it has ducked.
    open func deactivate() { setActive(false) }

    private func setActive(_ isActive: Bool) {
        control.locked {
            control.note(.duck(ducking.identifier, isActive))
            ducking.isActive = isActive
            control.spatial.valuesChanged()
        }
    }

    /// Whether it waits for its source groups, or ducks. Default false.
    open var isActive: Bool { control.locked { ducking.isActive } }
    /// Of the target groups while a source group sounds; linear, 0…1.
    open var gain: Double { levels.gain }
    /// How long it takes to turn down; divided by the engine's `unitsPerSecond`, 0 or more.
    open var attackTime: Double { levels.attackTime }
    /// How long it takes to turn up again; divided by the engine's `unitsPerSecond`, 0 or more.
    open var releaseTime: Double { levels.releaseTime }
    /// The shape of turning down.
    open var attackCurve: PHASECurveType { curves.attack }
    /// The shape of turning up.
    open var releaseCurve: PHASECurveType { curves.release }
    /// Generated: “Ducker 1”, “Ducker 2” …, in the order in which they are made.
    open var identifier: String { ducking.identifier }
}

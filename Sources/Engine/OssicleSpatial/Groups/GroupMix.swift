import OssicleSoundEvents

/// What a client sets of one group, as the simulation works with it.
package struct GroupControls {
    /// Linear, 0…1, and the fade on top of it.
    package var gain = 1.0
    package var gainFade = CurvedFade(settledAt: 1)
    /// Speed factor, 0.25…4, and the fade on top of it.
    package var rate = 1.0
    package var rateFade = CurvedFade(settledAt: 1)
    package var isMuted = false
    package var isSoloed = false

    package init() {}

    /// Brings fades to their end.
    package mutating func arrive() { (gainFade, rateFade) = (gainFade.arrived, rateFade.arrived) }

    /// What the group does by itself to its voices.
    /// - Parameter soloed: identifiers of the soloed groups.
    fileprivate func level(
        _ identifier: String, gainAt gainTime: Double, rateAt rateTime: Double, soloed: [String]
    ) -> GroupLevel {
        var level = GroupLevel()
        level.identifier = identifier
        level.base = gain
        level.fade = gainFade.value(at: gainTime)
        level.isMuted = isMuted
        level.silencedBy = isSoloed ? [] : soloed
        level.rate = (rate * rateFade.value(at: rateTime)).clamped(0.25, 4)
        return level
    }
}

/// What a group, the active preset and the duckers do to the voices of the group, factor by factor.
package struct GroupLevel {
    /// nil for a voice whose group is none, or is not registered.
    package var identifier: String?
    /// The group's own gain, and the fade on top of it.
    package var base = 1.0
    package var fade = 1.0
    package var isMuted = false
    /// The soloed groups, where this one is not among them: in order of their identifiers.
    package var silencedBy: [String] = []
    package var preset = 1.0
    /// In the order in which the duckers were made.
    package var duckers: [(identifier: String, gain: Double)] = []
    /// The group's rate with its fade, times the preset's, 0.25…4.
    package var rate = 1.0

    package init() {}

    fileprivate func isSame(as other: GroupLevel) -> Bool {
        (base, fade, preset, rate, isMuted) == (other.base, other.fade, other.preset, other.rate, other.isMuted)
            && identifier == other.identifier && silencedBy == other.silencedBy
            && duckers.elementsEqual(other.duckers, by: ==)
    }

    package var gain: Double {
        isMuted || !silencedBy.isEmpty ? 0 : duckers.reduce(base * fade * preset) { $0 * $1.gain }
    }
}

/// Gains and rates that several groups take together.
package struct GroupPreset {
    package struct Target {
        let gain: Double
        let rate: Double
        let gainCurve: CurveType
        let rateCurve: CurveType

        package init(gain: Double, rate: Double, gainCurve: CurveType, rateCurve: CurveType) {
            self.gain = gain
            self.rate = rate
            self.gainCurve = gainCurve
            self.rateCurve = rateCurve
        }
    }

    /// The client's object, which is what makes two presets the same.
    package let owner: AnyObject
    /// By the identifier of the group.
    let targets: [String: Target]
    /// In the client's units.
    let timeToReset: Double

    package init(owner: AnyObject, targets: [String: Target], timeToReset: Double) {
        self.owner = owner
        self.targets = targets
        self.timeToReset = timeToReset
    }
}

/// The registered groups, the active preset and the one before it on its way out, and the duckers.
///
/// Under the engine's lock.
package final class GroupMix {
    /// What presets do to one group.
    private struct Factors {
        var gain = CurvedFade(settledAt: 1)
        var rate = CurvedFade(settledAt: 1)

        mutating func head(
            for target: (gain: Double, rate: Double), _ curves: GroupPreset.Target, at time: Double, duration: Double
        ) {
            gain = gain.heading(for: target.gain, at: time, duration: duration, curves.gainCurve)
            rate = rate.heading(for: target.rate, at: time, duration: duration, curves.rateCurve)
        }
    }

    /// By identifier: the groups that are registered.
    package var groups: [String: GroupControls] = [:]
    /// By group identifier, as of the last update.
    package private(set) var levels: [String: GroupLevel] = [:]
    /// Changes whenever those do. Every voice looks at it.
    @exclusivity(unchecked) private(set) var version: UInt64 = 0
    package private(set) var preset: GroupPreset?
    private var factors: [String: Factors] = [:]
    /// In the order in which they were made.
    package private(set) var duckers: [Ducking] = []
    private var duckerCount = 0
    private var lastTime = 0.0

    package init() {}

    // MARK: Presets

    /// Takes every group of `new` towards its setting, and those that only the active preset names back to 1 in that
    /// one's time. Times in seconds.
    package func activate(_ new: GroupPreset, at time: Double, duration: Double, unitsPerSecond: Double) {
        if let preset, preset.owner !== new.owner {
            let resetDuration = (preset.timeToReset / unitsPerSecond).usableDuration
            reset(preset, except: new, at: time, duration: resetDuration)
        }
        for (identifier, target) in new.targets {
            factors[identifier, default: Factors()].head(
                for: (target.gain, target.rate), target, at: time, duration: duration)
        }
        preset = new
    }

    package func deactivate(at time: Double, duration: Double) {
        if let preset { reset(preset, except: nil, at: time, duration: duration) }
        preset = nil
    }

    private func reset(_ old: GroupPreset, except new: GroupPreset?, at time: Double, duration: Double) {
        for (identifier, target) in old.targets where new?.targets[identifier] == nil {
            factors[identifier]?.head(for: (1, 1), target, at: time, duration: duration)
        }
    }

    // MARK: Duckers

    package func nextDuckerNumber() -> Int {
        duckerCount += 1
        return duckerCount
    }

    package func add(_ ducker: Ducking) { duckers.append(ducker) }

    // MARK: Levels

    /// Finds what every registered group does to its voices until the next update.
    ///
    /// Gains glide there over `ahead` seconds, so they are looked up where the glide will end: a fade is then heard
    /// where its curve says. A rate is taken at once and holds: it is looked up in the middle.
    /// - Parameter sounding: the groups that a voice plays in.
    func update(sounding: Set<String>, at time: Double, ahead: Double, unitsPerSecond: Double) {
        for ducker in duckers { ducker.settle(sounding, at: time, unitsPerSecond: unitsPerSecond) }
        duckers.removeAll { $0.isSpent(at: time) }
        let new = groups.isEmpty ? [:] : levels(gainAt: time + ahead, rateAt: time + ahead / 2)
        if new.count == levels.count, new.allSatisfy({ levels[$0]?.isSame(as: $1) ?? false }) { return }
        levels = new
        version &+= 1
    }

    /// What the registered groups do to their voices at a time of the engine.
    package func levels(gainAt gainTime: Double, rateAt rateTime: Double) -> [String: GroupLevel] {
        let soloed = groups.filter(\.value.isSoloed).keys.sorted()
        var levels: [String: GroupLevel] = [:]
        for (identifier, group) in groups {
            var level = group.level(identifier, gainAt: gainTime, rateAt: rateTime, soloed: soloed)
            if let factors = factors[identifier] {
                level.preset = factors.gain.value(at: gainTime)
                level.rate = (level.rate * factors.rate.value(at: rateTime)).clamped(0.25, 4)
            }
            for ducker in duckers where ducker.targets.contains(identifier) {
                level.duckers.append((ducker.identifier, ducker.gain(at: gainTime)))
            }
            levels[identifier] = level
        }
        return levels
    }

    /// Brings all fades to their end where engine time has begun anew since the last call, because rendering was set up
    /// anew: a fade that was begun before would wait for a time long past.
    /// - Returns: whether it has.
    func followTime(_ time: Double) -> Bool {
        defer { lastTime = time }
        guard time < lastTime else { return false }
        for identifier in groups.keys { groups[identifier]?.arrive() }
        factors = factors.mapValues { Factors(gain: $0.gain.arrived, rate: $0.rate.arrived) }
        duckers.forEach { $0.arrive() }
        return true
    }

    /// The engine is going away.
    package func forget() {
        (groups, preset, factors, levels, duckers) = ([:], nil, [:], [:], [])
    }
}

extension Double {
    /// Moved into lowest…highest; NaN becomes the lowest.
    package func clamped(_ lowest: Double, _ highest: Double) -> Double {
        isNaN ? lowest : min(max(self, lowest), highest)
    }

    /// A client's duration, 0 where it is negative or not finite.
    package var usableDuration: Double { isFinite ? Swift.max(self, 0) : 0 }
}

import OssicleSoundEvents

/// What comes on top of the groups' own gains and rates: the active preset, the one before it on its way out, and the duckers.
///
/// Under the engine's lock.
final class GroupMix {
    /// What presets do to one group.
    private struct Factors {
        var gain = CurvedFade(settledAt: 1)
        var rate = CurvedFade(settledAt: 1)
    }

    /// By group identifier, as of the last update. Registered groups only.
    var levels: [String: GroupLevel] = [:]
    private(set) var preset: PHASEGroupPreset?
    private var factors: [String: Factors] = [:]
    /// In the order in which they were made.
    private(set) var duckers: [Ducking] = []
    private var duckerCount = 0
    private var lastTime = 0.0

    // MARK: Presets

    /// Takes every group of `new` towards its setting, and those that only the active preset names back to 1 in that one's time.
    func activate(_ new: PHASEGroupPreset, at time: Double, duration: Double, resetDuration: Double) {
        if let preset, preset !== new {
            reset(preset, except: new, at: time, duration: resetDuration)
        }
        for (identifier, setting) in new.settings {
            var factors = self.factors[identifier] ?? Factors()
            factors.gain = factors.gain.heading(for: setting.gain, at: time, duration: duration, setting.gainCurveType.curve)
            factors.rate = factors.rate.heading(for: setting.rate, at: time, duration: duration, setting.rateCurveType.curve)
            self.factors[identifier] = factors
        }
        preset = new
    }

    func deactivate(at time: Double, duration: Double) {
        if let preset { reset(preset, except: nil, at: time, duration: duration) }
        preset = nil
    }

    private func reset(_ old: PHASEGroupPreset, except new: PHASEGroupPreset?, at time: Double, duration: Double) {
        for (identifier, setting) in old.settings where new?.settings[identifier] == nil {
            guard var factors = factors[identifier] else { continue }
            factors.gain = factors.gain.heading(for: 1, at: time, duration: duration, setting.gainCurveType.curve)
            factors.rate = factors.rate.heading(for: 1, at: time, duration: duration, setting.rateCurveType.curve)
            self.factors[identifier] = factors
        }
    }

    // MARK: Duckers

    func nextDuckerNumber() -> Int {
        duckerCount += 1
        return duckerCount
    }

    func add(_ ducker: Ducking) { duckers.append(ducker) }

    /// Lets every ducker attack or release, as the groups in `sounding` want it, and forgets those that nobody holds and nothing ducks.
    func settleDuckers(_ sounding: Set<String>, at time: Double, unitsPerSecond: Double) {
        for ducker in duckers { ducker.settle(sounding, at: time, unitsPerSecond: unitsPerSecond) }
        duckers.removeAll { $0.isSpent(at: time) }
    }

    // MARK: Levels

    /// Puts preset and duckers on top of what a group says of itself.
    func complete(_ level: GroupLevel, _ identifier: String, gainAt gainTime: Double, rateAt rateTime: Double) -> GroupLevel {
        var level = level
        if let factors = factors[identifier] {
            level.preset = factors.gain.value(at: gainTime)
            level.rate = (level.rate * factors.rate.value(at: rateTime)).clamped(0.25, 4)
        }
        for ducker in duckers where ducker.targets.contains(identifier) {
            level.duckers.append((ducker.identifier, ducker.gain(at: gainTime)))
        }
        return level
    }

    /// Engine time begins anew when rendering is set up anew; a fade that was begun before would wait for a time long past.
    /// - Returns: whether it has begun anew since the last call.
    func hasTimeBegunAnew(_ time: Double) -> Bool {
        defer { lastTime = time }
        return time < lastTime
    }

    func arrive() {
        factors = factors.mapValues { Factors(gain: $0.gain.arrived, rate: $0.rate.arrived) }
        duckers.forEach { $0.arrive() }
    }

    /// The engine is going away.
    func forget() {
        (preset, factors, levels, duckers) = (nil, [:], [:], [])
    }
}

import OssicleSoundEvents

/// Groups, presets and duckers, evaluated at every update.
extension EngineCore {
    /// Finds what every registered group does to its voices until the next update.
    ///
    /// Gains glide there over `ahead` seconds, so they are looked up where the glide will end: a fade is then heard where its curve says. A rate
    /// is taken at once and holds: it is looked up in the middle.
    func settleGroups(ahead: Double) {
        if groupMix.hasTimeBegunAnew(now) {
            groups.values.forEach { $0.arrive() }
            groupMix.arrive()
        }
        groupMix.settleDuckers(soundingGroups(), at: now, unitsPerSecond: unitsPerSecond)
        groupMix.levels = groupLevels(gainAt: now + ahead, rateAt: now + ahead / 2)
    }

    /// What the registered groups do to their voices at a time of the engine.
    func groupLevels(gainAt gainTime: Double, rateAt rateTime: Double) -> [String: GroupLevel] {
        let soloed = groups.values.filter(\.isHeardAlone).map(\.identifier).sorted()
        var levels: [String: GroupLevel] = [:]
        for (identifier, group) in groups {
            let own = group.level(gainAt: gainTime, rateAt: rateTime, soloed: soloed)
            levels[identifier] = groupMix.complete(own, identifier, gainAt: gainTime, rateAt: rateTime)
        }
        return levels
    }

    /// The groups that a voice is playing in: not waiting, paused, culled, finished, or unheard for want of room.
    private func soundingGroups() -> Set<String> {
        guard !groupMix.duckers.isEmpty else { return [] }
        var sounding: Set<String> = []
        for event in events where event.stage == .playing && !event.isHalted {
            for voice in event.voices where voice.isPlaying && voice.begins <= executor.position && !voice.standing.isUnheard {
                if let group = voice.generator.group { sounding.insert(group) }
            }
        }
        return sounding
    }

    // MARK: Presets

    func activate(_ preset: PHASEGroupPreset, duration: Double) {
        locked {
            guard engine != nil else { return }
            let unknown = preset.settings.keys.filter { groups[$0] == nil }.sorted()
            if !unknown.isEmpty {
                record(PHASEAssetError(.badParameters, """
                    A group preset was activated that names \(unknown.quotedList), which the engine has no group of; register the group before. \
                    The other groups follow the preset, and this one will once it is registered.
                    """))
            }
            groupMix.activate(preset, at: now, duration: seconds(duration), resetDuration: seconds(groupMix.preset?.timeToReset ?? 0))
            valuesChanged()
        }
    }

    /// Nothing happens if another preset is active, or none.
    func deactivate(_ preset: PHASEGroupPreset, duration: Double) {
        locked {
            guard groupMix.preset === preset else { return }
            groupMix.deactivate(at: now, duration: seconds(duration))
            valuesChanged()
        }
    }

    /// A client's duration in seconds; what is negative or not finite counts as 0.
    func seconds(_ duration: Double) -> Double { (duration / unitsPerSecond).usableDuration }

    /// The same by the units that were set last. Any thread.
    func requestedSeconds(_ duration: Double) -> Double { (duration / requested { settings.requested.unitsPerSecond }).usableDuration }
}

extension [String] {
    /// “a”, “b” and “c”, for messages.
    var quotedList: String {
        let quoted = map { "“\($0)”" }
        guard let last = quoted.last, count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}

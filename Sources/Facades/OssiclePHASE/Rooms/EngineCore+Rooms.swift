import OssicleAcoustics
import OssicleCore

/// Which room is heard: the reverb preset's, the same for all, or each listener's own, of rays and zones.
extension EngineCore {
    /// Seconds between two simulations of the late field, and seconds one may take while somebody listens.
    static let simulationInterval = 0.1
    static let usualBudget = 0.05

    /// - Returns: the room of all.
    func settleRooms(_ output: OutputStage, at position: Int64) -> PHASEReverbPreset {
        if sceneIsStale { takeUpZones() }
        guard acousticsMode == .geometry || !zones.isEmpty else {
            rooms.forget()
            return reverbPreset
        }
        let heard = paths.heardPaths
        let computed = zones.filter { $0.reverb == .computed }
        if acousticsMode == .geometry || !computed.isEmpty {
            let sources = acousticsMode == .geometry ? heard : []
            trace(sources, computed, output, at: position)
        }
        rooms.settle(heard, zones.map { $0.acousticZone(traced: rooms.traced.room(at: $0.number)) },
                     around: acousticsMode == .geometry ? nil : LateField(reverbPreset))
        return .none
    }

    private func takeUpZones() {
        zones = objectsInScene()
        zonePlaces = [:]
        for zone in zones where zone.reverb == .computed { zonePlaces[zone.number] = zone.acousticZone(traced: nil).innerPoint }
    }

    /// Offline there is no clock, and no budget.
    private func trace(_ heard: [(key: ScenePaths.Key, path: HeardPath)], _ computed: [PHASEReverbZone], _ output: OutputStage, at position: Int64) {
        var places: [UInt64: LateFields.Places] = [:]
        for (key, path) in heard {
            places[key.listener, default: LateFields.Places(listener: key.listener, head: path.head.position)].sources[key.source] = path.body.position
        }
        // A zone sounds as it would to somebody well inside.
        for zone in computed { places[zone.number] = zonePlaces[zone.number].map { LateFields.Places(listener: zone.number, head: $0) } }
        let isOffline = manual?.mode == .offline
        settleBudget(isOffline: isOffline)
        let durations = rooms.traced.update(places.values.sorted { $0.listener < $1.listener }, paths.solver(budget.quality, seed: seed),
                                            sceneVersion: paths.sceneVersion, at: position, interval: Int64(budget.interval * output.sampleRate), inBackground: !isOffline)
        for seconds in durations { budget.note(seconds) }
    }

    private func settleBudget(isOffline: Bool) {
        let limit = isOffline ? nil : askedBudget ?? Self.usualBudget
        if budget.asked != quality || budget.limit != limit { budget = SimulationBudget(asked: quality, interval: Self.simulationInterval, limit: limit) }
    }

    /// In geometry mode strips have ways besides the straight one.
    /// - Returns: whether the plan has to change.
    func addWays(_ output: OutputStage) -> Bool {
        guard acousticsMode == .geometry else { return false }
        return events.flatMap(\.strips.values).reduce(false) { hasChanged, strip in
            strip.addWays { output.makeWays(playing: strip.isPlanned) } || hasChanged
        }
    }
}

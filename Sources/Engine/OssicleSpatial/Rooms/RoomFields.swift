import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// The late field around each listener, and the share of each source in it. Under the engine's lock.
///
///     rays, or the reverb preset ─┐
///     zones ──────────────────────┴─▶ one field around each listener, and the share of each source in it
package final class RoomFields {
    /// Seconds between two simulations of the late field.
    private static let interval = 0.1
    /// Seconds one simulation may take at a device where the client names no budget.
    private static let usualBudget = 0.05
    /// A source may be up to 20 dB louder in the field than one beside the listener would be.
    private static let largestShare: Float = 100

    /// Seconds one simulation may take at a device; nil for the usual.
    package var requestedBudget: Double?
    package var quality = AcousticQuality.medium {
        didSet { budget = SimulationBudget(asked: quality, interval: Self.interval, limit: budget.limit) }
    }
    package private(set) var budget = SimulationBudget(asked: .medium, interval: interval)
    /// One per listener; none where the reverb preset, or a measured room, is the one room of all.
    package private(set) var fields: [RoomField] = []
    /// The measured rooms in use.
    package private(set) var responses: [RoomResponse] = []
    @exclusivity(unchecked) private var shares: [ScenePaths.Key: OctaveBands] = [:]
    let traced = LateFields()
    private var zones: [SceneSnapshot.Zone] = []
    /// From where rays find the field of a computed zone, by number.
    private var innerPoints: [UInt64: Vector] = [:]

    package init() {}

    /// What an update goes by.
    package struct Conditions {
        /// The reverb preset's room; nil for none.
        let preset: ReverbPreset?
        /// A measured room in the preset's place.
        let response: MeasuredRoom?
        /// Whether reflections and reverberation come from the scene's geometry.
        let usesGeometry: Bool
        /// Offline there is no clock, and no budget.
        let isOffline: Bool
        let seed: UInt64
        let sampleRate: Double

        package init(
            preset: ReverbPreset?, response: MeasuredRoom? = nil, usesGeometry: Bool, isOffline: Bool, seed: UInt64,
            sampleRate: Double
        ) {
            self.preset = preset
            self.response = response
            self.usesGeometry = usesGeometry
            self.isOffline = isOffline
            self.seed = seed
            self.sampleRate = sampleRate
        }
    }

    /// The field around a listener; nil where it is that of the preset.
    package func field(at listener: UInt64) -> LateField? {
        fields.first { $0.listener == listener }?.field ?? responses.first { $0.listener == nil }?.room.field
    }

    /// Energy that a source leaves, re the energy of the field around the listener; nil where the preset is the room of
    /// all.
    package func share(of source: UInt64, at listener: UInt64) -> OctaveBands? {
        shares.isEmpty ? nil : shares[ScenePaths.Key(source: source, listener: listener)]
    }

    /// Rows of surfaces that may reflect a source's sound to a listener; nil before they have been searched for.
    package func candidates(_ key: ScenePaths.Key) -> ReflectionCandidates? {
        traced.candidates(of: key.source, at: key.listener)
    }

    /// The zones of a scene that has changed.
    package func setZones(_ new: [SceneSnapshot.Zone]) {
        zones = new
        innerPoints = [:]
        for zone in new where zone.isComputed { innerPoints[zone.number] = zone.reverbZone(traced: nil).innerPoint }
    }

    /// Simulates what is due and finds the fields and shares.
    /// - Returns: the preset that is the room of all; nil for none, or where each listener has a field of its own.
    package func update(_ paths: ScenePaths, _ conditions: Conditions, at position: Int64) -> ReverbPreset? {
        guard conditions.usesGeometry || !zones.isEmpty else {
            traced.forget()
            (fields, shares) = ([], [:])
            responses = conditions.response.map { [RoomResponse(room: $0, listener: nil, gain: 1)] } ?? []
            return conditions.response == nil ? conditions.preset : nil
        }
        let heard = paths.receivedPaths
        let computed = zones.filter(\.isComputed)
        if conditions.usesGeometry || !computed.isEmpty {
            simulate(conditions.usesGeometry ? heard : [], computed, paths, conditions, at: position)
        }
        settle(
            heard, zones.map { $0.reverbZone(traced: traced.room(at: $0.number)) },
            around: conditions.usesGeometry ? nil : conditions.response?.field ?? LateField(conditions.preset),
            measuredAround: conditions.usesGeometry ? nil : conditions.response)
        return nil
    }

    package func forget() {
        traced.forget()
        zones = []
        (fields, shares, responses) = ([], [:], [])
    }

    private func simulate(
        _ heard: [(key: ScenePaths.Key, path: ReceivedPath)], _ computed: [SceneSnapshot.Zone], _ paths: ScenePaths,
        _ conditions: Conditions, at position: Int64
    ) {
        var receivers: [UInt64: LateFields.Receiver] = [:]
        for (key, path) in heard {
            var receiver =
                receivers[key.listener] ?? LateFields.Receiver(listener: key.listener, head: path.head.position)
            receiver.sources[key.source] = path.body.position
            receiver.bodies[key.source] = paths.radiatingPlaces(of: key.source, at: path.body)
            receivers[key.listener] = receiver
        }
        // A zone sounds as it would to a listener well inside.
        for zone in computed {
            receivers[zone.number] = innerPoints[zone.number].map {
                LateFields.Receiver(listener: zone.number, head: $0)
            }
        }
        let limit = conditions.isOffline ? nil : requestedBudget ?? Self.usualBudget
        if budget.limit != limit { budget = SimulationBudget(asked: quality, interval: Self.interval, limit: limit) }
        let durations = traced.update(
            receivers.values.sorted { $0.listener < $1.listener }, paths.solver(budget.quality, seed: conditions.seed),
            sceneVersion: paths.sceneVersion, at: position, interval: Int64(budget.interval * conditions.sampleRate),
            inBackground: !conditions.isOffline)
        for seconds in durations { budget.note(seconds) }
    }

    /// - Parameters:
    ///   - preset: what is heard outside of all zones; nil for what rays have found there. - measured: where that is a
    ///     measured room.
    private func settle(
        _ heard: [(key: ScenePaths.Key, path: ReceivedPath)], _ zones: [ReverbZone], around preset: LateField?,
        measuredAround measured: MeasuredRoom?
    ) {
        let blend = ZoneBlend(zones)
        (fields, shares, responses) = ([], [:], [])
        var listeners: [UInt64: ZoneShares] = [:]
        for (key, path) in heard where listeners[key.listener] == nil {
            guard let surroundings = preset ?? traced.room(at: key.listener) else { continue }
            let here = blend.shares(at: path.head.position)
            listeners[key.listener] = here
            fields.append(
                RoomField(
                    listener: key.listener, head: path.head, field: blend.field(at: here, surroundings: surroundings),
                    share: addResponses(to: key.listener, here, measuredAround: measured)))
        }
        for (key, path) in heard {
            guard let here = listeners[key.listener], let room = field(at: key.listener),
                let surroundings = preset ?? traced.field(of: key.source, at: key.listener)
            else { continue }
            let field =
                zones.isEmpty
                ? surroundings
                : blend.field(
                    from: blend.shares(at: path.body.position), to: here, coupling: path.acoustics.passingEnergy,
                    surroundings: surroundings)
            shares[key] = Self.share(field.energy, of: room.energy)
        }
    }

    /// The measured rooms that a listener is in.
    /// - Returns: the share of the energy that is left for a network to make.
    private func addResponses(
        to listener: UInt64, _ here: ZoneShares, measuredAround measured: MeasuredRoom?
    ) -> Float {
        var left = 1.0
        func add(_ room: MeasuredRoom?, _ share: Double, gain: Double) {
            guard let room, share > 0 else { return }
            responses.append(RoomResponse(room: room, listener: listener, gain: Float(share.squareRoot() * gain)))
            left -= share
        }
        for (zone, share) in zip(zones, here.zones) { add(zone.response, share, gain: zone.gain) }
        add(measured, here.surroundings, gain: 1)
        return Float(max(left, 0))
    }

    private static func share(_ energy: OctaveBands, of room: OctaveBands) -> OctaveBands {
        var share = OctaveBands.zeros
        for band in 0..<OctaveBands.count where room[band] > 0 {
            share[band] = min(max(energy[band] / room[band], 0), largestShare)
        }
        return share
    }
}

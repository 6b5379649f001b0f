import OssicleAcoustics
import OssicleCore

/// What every listener hears of its room, and how much of it each source makes. Under the engine's lock.
///
///     rays, or the reverb preset ─┐
///     zones ──────────────────────┴─▶ one field around each listener, and the share of each source in it
final class RoomFields {
    let traced = LateFields()
    /// One per listener; none where the reverb preset is the one room of all.
    private(set) var fields: [RoomField] = []
    private var shares: [ScenePaths.Key: OctaveBands] = [:]

    /// A source may be up to 20 dB louder in the field than one beside the listener would be.
    private static let largestShare: Float = 100

    /// The field around a listener; nil where it is that of the preset.
    func field(at listener: PHASEListener) -> LateField? { fields.first { $0.listener == listener.number }?.field }

    /// Energy that a source leaves, re the energy of the field around the listener; nil where the preset is the room of all.
    func share(of source: PHASESource, at listener: PHASEListener) -> OctaveBands? {
        shares[ScenePaths.Key(source: source.number, listener: listener.number)]
    }

    /// - Parameters:
    ///   - heard: who hears whom.
    ///   - preset: what is heard outside of all zones; nil for what rays have found there.
    func settle(_ heard: [(key: ScenePaths.Key, path: HeardPath)], _ zones: [ReverbZone], around preset: LateField?) {
        let blend = ZoneBlend(zones)
        (fields, shares) = ([], [:])
        var ears: [UInt64: ZoneShares] = [:]
        for (key, path) in heard where ears[key.listener] == nil {
            guard let surroundings = preset ?? traced.room(at: key.listener) else { continue }
            let here = blend.shares(at: path.head.position)
            ears[key.listener] = here
            fields.append(RoomField(listener: key.listener, head: path.head, field: blend.field(at: here, surroundings: surroundings)))
        }
        for (key, path) in heard {
            guard let here = ears[key.listener], let room = fields.first(where: { $0.listener == key.listener })?.field,
                  let surroundings = preset ?? traced.field(of: key.source, at: key.listener) else { continue }
            let field = zones.isEmpty ? surroundings
                : blend.field(from: blend.shares(at: path.body.position), to: here, way: path.acoustics.passingEnergy, surroundings: surroundings)
            shares[key] = Self.share(field.energy, of: room.energy)
        }
    }

    func forget() {
        traced.forget()
        (fields, shares) = ([], [:])
    }

    private static func share(_ energy: OctaveBands, of room: OctaveBands) -> OctaveBands {
        var share = OctaveBands.zeros
        for band in 0..<OctaveBands.count where room[band] > 0 { share[band] = min(max(energy[band] / room[band], 0), largestShare) }
        return share
    }
}

extension SourceAcoustics {
    /// Share of the energy that comes through or around what is in the way, 0…1.
    var passingEnergy: OctaveBands {
        let energy = diffractions.reduce(direct.bandGains * direct.bandGains) { energy, path in
            let bent = path.bandGains * Float(direct.centreDistance / max(path.length, 1e-6))
            return energy + bent * bent
        }
        return energy.map { min($0, 1) }
    }
}

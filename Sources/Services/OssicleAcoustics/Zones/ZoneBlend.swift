import OssicleCore

/// The late field of a scene with reverb zones: one field for each source, however many zones meet where the listener
/// is. A pure function of its arguments.
package struct ZoneBlend: Sendable {
    package let zones: [ReverbZone]

    package init(_ zones: [ReverbZone]) { self.zones = zones }

    /// How far a place belongs to each zone.
    package func shares(at point: Vector) -> ZoneShares { ZoneShares(at: point, among: zones) }

    /// The reverb around a listener.
    /// - Parameters:
    ///   - listener: of this blend, as are all shares below.
    ///   - surroundings: what is heard where there is no zone: the engine's preset, or what rays find there.
    package func field(at listener: ZoneShares, surroundings: LateField) -> LateField {
        let parts = zip(zones, listener.zones).compactMap { zone, share in zone.field.map { (field: $0, share: share) }
        }
        return LateField.blend(parts + [(surroundings, listener.surroundings)])
    }

    /// What a source leaves in the reverb around a listener.
    ///
    /// Within one space that is the space's own field. From another the sound is reverberated there, loses `coupling`,
    /// and is reverberated again where it arrives: halfway between the two fields in level (12 dB below the one where
    /// the other is the open), with the longer decay of both, from the directions of the listener's space. Source and
    /// listener may change places. Across a border both cases blend.
    /// - Parameters:
    ///   - coupling: share of the energy in each band that comes through from one space to the other, 0…1. 1 for zones
    ///    with nothing between them; the losses of bends and walls; for an opening of S square metres between rooms of
    ///    absorption areas A and B, S/√(AB).
    ///   - surroundings: as above, for this source.
    package func field(
        from source: ZoneShares, to listener: ZoneShares, coupling: OctaveBands, surroundings: LateField
    ) -> LateField {
        let here = field(at: listener, surroundings: surroundings)
        let common = source.overlap(listener)
        guard common < 1 else { return here }
        let through = field(at: source, surroundings: surroundings).heard(through: coupling, in: here)
        return LateField.blend([(here, common), (through, 1 - common)])
    }
}

extension LateField {
    /// This field, heard from a space with the field `here`.
    fileprivate func heard(through coupling: OctaveBands, in here: LateField) -> LateField {
        var field = LateField.blend([(self, 0.5), (here, 0.5)])
        let usual = coupling.map { $0 > 0 ? min($0, 1) : 0 }
        field.energy = field.energy * usual
        for band in 0..<OctaveBands.count { field.t60[band] = max(audibleT60(band), here.audibleT60(band), 0.05) }
        (field.meanFreeTime, field.octants, field.escapedShare) = (here.meanFreeTime, here.octants, here.escapedShare)
        return field
    }

    /// What is silent has no decay.
    private func audibleT60(_ band: Int) -> Float { energy[band] > 0 ? t60[band] : 0 }
}

/// How far a place belongs to each zone of a scene, and to what surrounds them. The shares add up to 1.
package struct ZoneShares: Sendable, Hashable {
    /// In the order of the zones.
    package let zones: [Double]
    package let surroundings: Double

    /// A zone of higher priority takes its membership of the whole; those below it theirs of what is left, at most.
    /// Zones of one priority that want more than is left share it by membership. What none wants falls to the
    /// surroundings.
    package init(at point: Vector, among zones: [ReverbZone]) {
        let memberships = zones.map { $0.field == nil ? 0 : $0.membership(of: point) }
        var shares = [Double](repeating: 0, count: zones.count)
        var left = 1.0
        for priority in Set(zones.map(\.priority)).sorted(by: >) {
            let members = zones.indices.filter { zones[$0].priority == priority }
            let wanted = members.reduce(0) { $0 + memberships[$1] }
            guard wanted > 0 else { continue }
            let granted = min(1, left / wanted)
            for member in members { shares[member] = memberships[member] * granted }
            left = max(left - wanted * granted, 0)
        }
        self.zones = shares
        surroundings = left
    }

    /// How much of the same space two places are in: 1 for places that share all alike, 0 for places that have nothing
    /// in common.
    package func overlap(_ other: ZoneShares) -> Double {
        zip(zones, other.zones).reduce(min(surroundings, other.surroundings)) { $0 + min($1.0, $1.1) }
    }
}

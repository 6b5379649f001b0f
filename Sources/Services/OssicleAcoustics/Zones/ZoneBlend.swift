import OssicleCore

/// The late field of a scene with reverb zones: one field for each source, however many zones meet where the listener is. A pure function of its
/// arguments.
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
        let parts = zip(zones, listener.zones).compactMap { zone, share in zone.field.map { (field: $0, share: share) } }
        return LateField.blend(parts + [(surroundings, listener.surroundings)])
    }

    /// What a source leaves in the reverb around a listener.
    ///
    /// Within one space that is the space's own field. From another the sound is reverberated there, loses `way`, and is reverberated again where
    /// it arrives: halfway between the two fields in level (12 dB below the one where the other is the open), with the longer decay of both, from
    /// the directions of the listener's space. Source and listener may change places. Across a border both cases blend.
    /// - Parameters:
    ///   - way: share of the energy in each band that comes through from one space to the other, 0…1. 1 for zones with nothing between them; the
    ///     losses of bends and walls; for an opening of S square metres between rooms of absorption areas A and B, S/√(AB).
    ///   - surroundings: as above, for this source.
    package func field(from source: ZoneShares, to listener: ZoneShares, way: OctaveBands, surroundings: LateField) -> LateField {
        let here = field(at: listener, surroundings: surroundings)
        let common = source.overlap(listener)
        guard common < 1 else { return here }
        let through = field(at: source, surroundings: surroundings).heard(through: way, in: here)
        return LateField.blend([(here, common), (through, 1 - common)])
    }
}

extension LateField {
    /// This field, heard from a space with the field `here`.
    fileprivate func heard(through way: OctaveBands, in here: LateField) -> LateField {
        var field = LateField.blend([(self, 0.5), (here, 0.5)])
        let usual = way.map { $0 > 0 ? min($0, 1) : 0 }
        field.energy = field.energy * usual
        for band in 0..<OctaveBands.count { field.t60[band] = max(audibleT60(band), here.audibleT60(band), 0.05) }
        (field.meanFreeTime, field.octants, field.escapedShare) = (here.meanFreeTime, here.octants, here.escapedShare)
        return field
    }

    /// What is silent has no decay.
    private func audibleT60(_ band: Int) -> Float { energy[band] > 0 ? t60[band] : 0 }
}

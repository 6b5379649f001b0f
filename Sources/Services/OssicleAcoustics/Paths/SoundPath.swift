import OssicleCore

/// One way sound takes from a source to the listener other than straight: mirrored by walls, bent around edges, or both.
///
/// With p₁ the amplitude the source sends at 1 m, what arrives is p₁ · bandGains / length, `length`/c after it was sent. Air absorption,
/// directivity and distance laws are the caller's business.
package struct SoundPath: Sendable, Hashable {
    /// What happens on the way.
    package enum Kind: Sendable, Hashable {
        /// Mirrored by as many surfaces.
        case reflection(order: Int)
        /// Bent around as many edges.
        case diffraction(edges: Int)
        /// Mirrored, and bent around the last edge before the listener.
        case diffractedReflection(order: Int)
    }

    package var kind: Kind
    /// The same for the same surfaces and edges in the same order, from update to update and for any source.
    package var identity: UInt64
    /// Metres travelled.
    package var length: Double
    /// Amplitude factors; 1 for a perfect mirror.
    package var bandGains: OctaveBands
    /// Unit, from the listener to where the sound comes from.
    package var arrival: Vector
    /// Unit, from the source to where this sound leaves it.
    package var departure: Vector
    /// The corners of the way, from the source's to the listener's side, both ends left out.
    package var corners: [Vector]

    package init(kind: Kind, identity: UInt64, length: Double, bandGains: OctaveBands, arrival: Vector, departure: Vector, corners: [Vector]) {
        (self.kind, self.identity, self.length, self.bandGains) = (kind, identity, length, bandGains)
        (self.arrival, self.departure, self.corners) = (arrival, departure, corners)
    }

    /// Energy at the listener re the source's at 1 m, mean of 500 Hz, 1 and 2 kHz: what paths are ranked by.
    package var loudness: Double {
        let mid = (4...6).reduce(0.0) { $0 + Double(bandGains[$1]) * Double(bandGains[$1]) } / 3
        return mid / max(length * length, 1e-6)
    }

    /// Chains surfaces and edges into an identity.
    package static func identity(_ last: UInt64, then next: UInt64) -> UInt64 { CounterRandom.mix(last ^ CounterRandom.mix(next)) }
}

import OssicleCore

/// One path sound takes from a source to the listener other than straight: reflected by walls, diffracted at edges, or
/// both.
///
/// With p₁ the amplitude the source sends at 1 m, what arrives is p₁ · bandGains / length, `length`/c after it was
/// sent. Air absorption, directivity and distance laws are the caller's business.
package struct SoundPath: Sendable, Hashable {
    /// What happens along the path.
    package enum Kind: Sendable, Hashable {
        /// Mirrored by as many surfaces.
        case reflection(order: Int)
        /// Bent around as many edges.
        case diffraction(edges: Int)
        /// Reflected, and diffracted at an edge or two before, between or after the reflectors.
        case diffractedReflection(order: Int)
    }

    package var kind: Kind
    /// The same for the same surfaces and edges in the same order, from update to update and for any source.
    package var identity: UInt64
    /// Metres travelled.
    package var length: Double
    /// Amplitude factors; 1 for a perfect reflector.
    package var bandGains: OctaveBands
    /// Unit, from the listener to where the sound comes from.
    package var arrival: Vector
    /// Unit, from the source to where this sound leaves it.
    package var departure: Vector
    /// The corners of the path, from the source's to the listener's side, both ends left out.
    package var corners: [Vector]

    package init(
        kind: Kind, identity: UInt64, length: Double, bandGains: OctaveBands, arrival: Vector, departure: Vector,
        corners: [Vector]
    ) {
        (self.kind, self.identity, self.length, self.bandGains) = (kind, identity, length, bandGains)
        (self.arrival, self.departure, self.corners) = (arrival, departure, corners)
    }

    /// Energy at the listener re the source's at 1 m, mean of 500 Hz, 1 and 2 kHz: what paths are ranked by.
    package var loudness: Double {
        let mid = (4...6).reduce(0.0) { $0 + Double(bandGains[$1]) * Double(bandGains[$1]) } / 3
        return mid / max(length * length, 1e-6)
    }

    /// Chains surfaces and edges into an identity.
    package static func identity(_ last: UInt64, then next: UInt64) -> UInt64 {
        CounterRandom.mix(last ^ CounterRandom.mix(next))
    }
}

/// How a source reaches the listener along straight lines, relative to the same source in the open.
package struct DirectPath: Sendable, Hashable {
    /// Amplitude factor of each band: 1 where nothing is in the way. Distance and air are not part of it.
    package var bandGains: OctaveBands
    /// Share of the source, 0…1, that the listener sees.
    package var visibleShare: Double
    /// 1/√(mean of 1/r²) over a body, metres: the distance of a point as loud as the whole. For a point the centre's
    /// distance.
    package var effectiveDistance: Double
    package var centreDistance: Double
    /// Unit vector from the listener to where the energy comes from; zero where source and listener are in one place.
    package var direction: Vector
    /// What is in the way, in the order of the scene's occluders.
    package var obstacles: [Obstacle]

    /// One occluder's part in a path, for explanations.
    package struct Obstacle: Sendable, Hashable {
        package var id: UInt64
        package var name: String
        /// dB it takes from the rays that cross it.
        package var loss: OctaveBands
        /// Share of the rays, 0…1, that cross it.
        package var share: Double
    }

    /// Below −60 dB in every band the path is inaudible; rendering it can be saved.
    package var isAudible: Bool { bandGains.values.contains { $0 > 1e-3 } }

    /// Makes it that of a point that nothing hides.
    package mutating func open(from position: Vector, to listener: Vector) {
        let way = position - listener
        let distance = way.magnitude
        (bandGains, visibleShare) = (.ones, 1)
        (effectiveDistance, centreDistance) = (distance, distance)
        direction = way.direction ?? .zero
        if !obstacles.isEmpty { obstacles = [] }
    }

    /// Nothing arrives: the answer for places that are none.
    package static let silent = DirectPath(
        bandGains: .zeros, visibleShare: 0, effectiveDistance: 0, centreDistance: 0, direction: .zero, obstacles: [])
}

extension OctaveBands {
    // By mask: the library's pointwise minimum and maximum go lane by lane through memory.

    /// The smaller value in each band.
    @inline(__always) func smaller(_ other: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: lanes.replacing(with: other.lanes, where: other.lanes .< lanes))
    }

    /// The larger value in each band.
    @inline(__always) func larger(_ other: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: lanes.replacing(with: other.lanes, where: other.lanes .> lanes))
    }
}

import OssicleCore

/// How a source reaches the listener along straight lines, relative to the same source in the open.
package struct DirectPath: Sendable, Hashable {
    /// Amplitude factor of each band: 1 where nothing is in the way. Distance and air are not part of it.
    package var bandGains: OctaveBands
    /// Share of the source, 0…1, that the listener sees.
    package var visibleShare: Double
    /// 1/√(mean of 1/r²) over a body, metres: the distance of a point as loud as the whole. For a point the centre's distance.
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

    /// Below −60 dB in every band nobody hears the path; rendering it can be saved.
    package var isAudible: Bool { bandGains.values.contains { $0 > 1e-3 } }

    /// Nothing arrives: the answer for places that are none.
    package static let silent = DirectPath(bandGains: .zeros, visibleShare: 0, effectiveDistance: 0, centreDistance: 0, direction: .zero, obstacles: [])
}

import OssicleCore

/// What became of the rays over time, all chunks together.
struct RayFates {
    // In rays that left the listener.
    var met: [Double]
    var ended: [Double]
    var cut: [Double]
    var escaped = 0.0

    init(binCount: Int) {
        met = Array(repeating: 0, count: binCount)
        (ended, cut) = (met, met)
    }

    /// Bins before one ray in two hundred had run out of bounces; at least one.
    func completeBins(rays: Int) -> Int {
        var lost = 0.0
        for bin in cut.indices {
            lost += cut[bin]
            if lost * 200 > Double(rays) { return max(bin, 1) }
        }
        return cut.count
    }
}

/// What rays tell about the space around a listener, whoever sounds in it.
package struct RaySurvey: Sendable, Hashable {
    /// Metres between two surfaces, 4V/S in a room; nil where no ray met any.
    package var meanFreePath: Double?
    /// Share of the rays' energy that left for good, at 1 kHz: 0 in a closed room, 1 in the open.
    package var escapedShare: Double

    package init(meanFreePath: Double?, escapedShare: Double) {
        (self.meanFreePath, self.escapedShare) = (meanFreePath, escapedShare)
    }

    /// Moves towards what other rays found, which counts for `weight` of the whole, 0…1.
    package mutating func approach(_ other: RaySurvey, weight: Double) {
        if let path = meanFreePath, let new = other.meanFreePath, weight < 1 {
            meanFreePath = path + (new - path) * weight
        } else {
            meanFreePath = other.meanFreePath
        }
        escapedShare += (other.escapedShare - escapedShare) * weight
    }

    /// Length flown over surfaces met, up to a time all rays reach: in a common span of time each ray weighs as much as it meets,
    /// where a common number of bounces would give long ways too much weight.
    init(_ fates: RayFates, rays: Int, binLength: Double) {
        var (alive, flown, met) = (Double(rays), 0.0, 0.0)
        for bin in 0..<fates.completeBins(rays: rays) {
            let gone = fates.ended[bin] + fates.cut[bin]
            flown += (alive - gone / 2) * binLength
            alive -= gone
            met += fates.met[bin]
        }
        meanFreePath = met > 0 && flown > 0 ? flown / met : nil
        escapedShare = min(max(fates.escaped / Double(max(rays, 1)), 0), 1)
    }
}

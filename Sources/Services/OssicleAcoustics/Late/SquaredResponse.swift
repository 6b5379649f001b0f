import OssicleCore

/// The squared impulse response from a source to a listener, per octave band, in bins of 1 ms that start with the first
/// sound to arrive.
///
/// Energies are relative to that of the direct sound at 1 m. Put together from what is known path by path and from what
/// rays found of the rest; so it holds what every room-acoustic quantity is defined on (ISO 3382-1).
package struct SquaredResponse: Sendable, Hashable {
    package static let binWidth = 0.001

    /// Seconds from emission to the first sound.
    package let onset: Double
    package private(set) var bins: [OctaveBands]
    /// Whether a decay continues behind the last bin.
    package let continues: Bool

    /// - Parameters:
    ///   - arrivals: single sounds by seconds from emission; those at times that are none are left out.
    ///   - late: everything else; each bin's energy is spread evenly over it.
    ///   - continues: false in the open, where what is over is over.
    package init(arrivals: [(time: Double, energy: OctaveBands)], late: EnergyResponse, continues: Bool = true) {
        let arrivals = arrivals.filter {
            $0.time >= 0 && $0.time < SquaredResponse.longest && $0.energy.lanes.max() > 0
        }
        let complete = late.bins.prefix(max(late.completeBins, 0))
        let firstLate = complete.firstIndex { $0.lanes.max() > 0 }.map { Double($0) * late.binWidth }
        let onset = min(arrivals.map(\.time).min() ?? .infinity, firstLate ?? .infinity)
        let end = max(
            arrivals.map(\.time).max() ?? 0, min(Double(complete.count) * late.binWidth, SquaredResponse.longest))
        self.onset = onset.isFinite ? onset : 0
        self.continues = continues && firstLate != nil
        bins = Array(repeating: .zeros, count: Int(max(end - self.onset, 0) / SquaredResponse.binWidth) + 1)
        for arrival in arrivals { add(arrival.energy, from: arrival.time - self.onset, to: arrival.time - self.onset) }
        for (index, energy) in complete.enumerated() where energy.lanes.max() > 0 {
            let start = Double(index) * late.binWidth - self.onset
            add(energy, from: start, to: start + late.binWidth)
        }
        // The last bin holds less than a millisecond, which would look like the end of the decay.
        if self.continues, bins.count > 1 { bins.removeLast() }
    }

    /// A minute.
    private static let longest = 60.0

    /// Spreads energy evenly over a span; what lies before the onset counts at the onset.
    private mutating func add(_ energy: OctaveBands, from start: Double, to end: Double) {
        let (from, to) = (max(start, 0) / SquaredResponse.binWidth, max(end, 0) / SquaredResponse.binWidth)
        let (first, last) = (min(Int(from), bins.count - 1), min(Int(to), bins.count - 1))
        guard first < last, to > from else {
            bins[first] = bins[first] + energy
            return
        }
        for bin in first...last {
            let share = (min(Double(bin + 1), to) - max(Double(bin), from)) / (to - from)
            bins[bin] = bins[bin] + energy * Float(max(share, 0))
        }
    }
}

extension SquaredResponse {
    /// The response of a source: its direct sound, its early reflections, and the rest.
    ///
    /// - Parameters:
    ///   - late: traced with `specularFrom` one above the order of `paths`.
    ///   - medium: gives the speed of sound, and takes its share from direct sound and paths.
    package init(
        direct: DirectPath, paths: [SoundPath], late: EnergyResponse, medium: Medium, includesAir: Bool = true,
        continues: Bool = true
    ) {
        func arrival(
            _ gains: OctaveBands, _ length: Double, after travelled: Double
        ) -> (time: Double, energy: OctaveBands) {
            let amplitude =
                (includesAir ? gains * medium.gains(distance: travelled) : gains) * Float(1 / max(length, 0.01))
            return (travelled / medium.speedOfSound, amplitude * amplitude)
        }
        self.init(
            arrivals: [arrival(direct.bandGains, direct.effectiveDistance, after: direct.centreDistance)]
                + paths.map { arrival($0.bandGains, $0.length, after: $0.length) },
            late: late, continues: continues)
    }
}

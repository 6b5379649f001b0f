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
    /// The same energies times cos² θ and |cos θ|, θ between their arrival and the axis through the ears; empty where
    /// that is not known.
    package private(set) var sides: [OctaveBands] = []
    package private(set) var products: [OctaveBands] = []
    /// Whether a decay continues behind the last bin.
    package let continues: Bool

    /// One sound of its own.
    private struct Arrival {
        let time: Double
        let energy: OctaveBands
        let cosine: Float
    }

    /// - Parameters:
    ///   - arrivals: single sounds by seconds from emission; those at times that are none are left out.
    ///   - cosines: of each arrival, cos θ to the axis through the ears; nil where directions do not matter.
    ///   - late: everything else; each bin's energy is spread evenly over it.
    ///   - continues: false in the open, where what is over is over.
    package init(
        arrivals: [(time: Double, energy: OctaveBands)], cosines: [Double]? = nil, late: EnergyResponse,
        continues: Bool = true
    ) {
        let arrivals = arrivals.enumerated().map { index, arrival in
            Arrival(
                time: arrival.time, energy: arrival.energy,
                cosine: cosines.map { index < $0.count ? Float($0[index]) : 0 } ?? 0)
        }.filter { $0.time >= 0 && $0.time < SquaredResponse.longest && $0.energy.lanes.max() > 0 }
        let complete = late.bins.prefix(max(late.completeBins, 0))
        let firstLate = complete.firstIndex { $0.lanes.max() > 0 }.map { Double($0) * late.binWidth }
        let onset = min(arrivals.map(\.time).min() ?? .infinity, firstLate ?? .infinity)
        let end = max(
            arrivals.map(\.time).max() ?? 0, min(Double(complete.count) * late.binWidth, SquaredResponse.longest))
        let origin = onset.isFinite ? onset : 0
        (self.onset, self.continues) = (origin, continues && firstLate != nil)
        let count = Int(max(end - origin, 0) / SquaredResponse.binWidth) + 1
        // The last bin holds less than a millisecond, which would look like the end of the decay.
        let kept = self.continues && count > 1 ? count - 1 : count
        func histogram(_ late: some Sequence<OctaveBands>, _ width: Double, _ weight: (Float) -> Float) -> [OctaveBands]
        {
            var bins = [OctaveBands](repeating: .zeros, count: count)
            for arrival in arrivals {
                let place = arrival.time - origin
                SquaredResponse.add(arrival.energy * weight(arrival.cosine), from: place, to: place, in: &bins)
            }
            for (index, energy) in late.enumerated() where energy.lanes.max() > 0 {
                let start = Double(index) * width - origin
                SquaredResponse.add(energy, from: start, to: start + width, in: &bins)
            }
            return Array(bins.prefix(kept))
        }
        bins = histogram(complete, late.binWidth) { _ in 1 }
        guard cosines != nil else { return }
        sides = histogram(late.sides.prefix(complete.count), late.binWidth) { $0 * $0 }
        products = histogram(late.products.prefix(complete.count), late.binWidth) { $0.magnitude }
    }

    /// A minute.
    private static let longest = 60.0

    /// Spreads energy evenly over a span; what lies before the onset counts at the onset.
    private static func add(_ energy: OctaveBands, from start: Double, to end: Double, in bins: inout [OctaveBands]) {
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
    ///   - ears: the axis through the ears, unit, for lateral quantities; `late` is then traced with it.
    package init(
        direct: DirectPath, paths: [SoundPath], late: EnergyResponse, medium: Medium, includesAir: Bool = true,
        continues: Bool = true, ears: Vector? = nil
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
            cosines: ears.map { ears in [direct.direction.dot(ears)] + paths.map { $0.arrival.dot(ears) } },
            late: late, continues: continues)
    }
}

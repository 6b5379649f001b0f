import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// How loud the late part is, band by band and direction by direction, from sample to sample.
struct LateEnvelope: Sendable {
    private let part: LatePart
    private let sampleRate: Double

    init(_ part: LatePart, sampleRate: Double) { (self.part, self.sampleRate) = (part.spread(), sampleRate) }

    /// Seconds over which the directions' shares are taken together: rays are few, and a share is a ratio of them.
    private static let directionSpan = 0.02

    /// Amplitude of each sample of a noise of variance 1 that has the energy of `band`: the root of the energy per sample,
    /// which runs in straight lines between the middles of bins.
    func amplitudes(_ band: Int, count: Int) -> [Float] {
        let width = part.energy.binWidth * sampleRate
        let bins = part.energy.bins
        guard width > 0, width.isFinite, !bins.isEmpty else { return [Float](repeating: 0, count: count) }
        let first = Int(min(max((part.start * sampleRate).rounded(.up), 0), Double(count)))
        return (0..<count).map { sample in
            guard sample >= first else { return 0 }
            let place = (Double(sample) + 0.5) / width - 0.5
            let lower = Int(min(max(place.rounded(.down), -1), Double(bins.count)))
            func energy(_ bin: Int) -> Double { bins.indices.contains(bin) ? max(Double(bins[bin][band]), 0) : 0 }
            let share = min(max(place - Double(lower), 0), 1)
            let mean = energy(max(lower, 0)) * (1 - share) + energy(lower + 1) * share
            return Float((mean / width).squareRoot())
        }
    }

    /// √ of the share of the energy that comes from `LateWaves.points[index]`, bin by bin. Squares add up to 1 over all points.
    func roots(_ index: Int) -> [Float] {
        let octants = part.energy.octants
        let points = LateWaves.points
        let octant = LateEnvelope.octant(of: points[index].direction)
        // The octant's energy is shared out evenly among the waves in it.
        let share = 1 / Float(max(points.count { LateEnvelope.octant(of: $0.direction) == octant }, 1))
        let span = Int(min(max((Self.directionSpan / max(part.energy.binWidth, 1e-6)).rounded(), 1), 1000))
        return octants.indices.map { bin in
            var sum = SIMD8<Float>.zero
            for other in max(bin - span, 0)...min(bin + span, octants.count - 1) { sum += octants[other] }
            let all = (0..<8).reduce(Float(0)) { $0 + sum[$1] }
            guard all > 0 else { return (1 / Float(points.count)).squareRoot() }
            return (sum[octant] / all * share).squareRoot()
        }
    }

    private static func octant(of direction: Vector) -> Int { (direction.x >= 0 ? 1 : 0) + (direction.y >= 0 ? 2 : 0) + (direction.z >= 0 ? 4 : 0) }

    /// Values of bins from sample to sample, in straight lines between their middles.
    func spread(_ values: [Float], over samples: inout [Float]) {
        let width = part.energy.binWidth * sampleRate
        guard width > 0, !values.isEmpty else { return }
        for sample in samples.indices {
            let place = min(max((Double(sample) + 0.5) / width - 0.5, 0), Double(values.count - 1))
            let lower = Int(place)
            let upper = min(lower + 1, values.count - 1)
            samples[sample] *= values[lower] + (values[upper] - values[lower]) * Float(place - Double(lower))
        }
    }
}

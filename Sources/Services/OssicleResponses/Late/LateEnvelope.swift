import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// How loud the late part is, band by band and direction by direction, from sample to sample.
struct LateEnvelope: Sendable {
    /// From the start on.
    private let energy: EnergyResponse
    /// In samples.
    private let start: Double
    private let binWidth: Double
    /// Samples until nothing more comes.
    let sampleCount: Int

    init(_ part: LatePart, sampleRate: Double) {
        energy = part.spread().fromStart()
        (start, binWidth) = (part.start * sampleRate, energy.binWidth * sampleRate)
        let last = energy.bins.lastIndex { $0 != .zeros } ?? -2
        sampleCount = Int(min((start + Double(last + 2) * binWidth).rounded(.up), 0x1p31))
    }

    /// Seconds over which the directions' shares are taken together: rays are few, and a share is a ratio of them.
    private static let directionSpan = 0.02

    /// Energy of each sample of `band`.
    func energies(_ band: Int, count: Int) -> [Float] {
        let perSample = Float(1 / binWidth)
        return line(energy.bins.map { $0[band] * perSample } + [0], count: count)
    }

    /// √ of the share of the energy that comes from `points[index]`, sample by sample. Squares add up to 1 over all
    /// points.
    func roots(_ index: Int, of points: [SphereGrid.Point], count: Int) -> [Float] {
        let octants = energy.octants
        let octant = LateEnvelope.octant(of: points[index].direction)
        // The octant's energy is shared out evenly among the waves in it.
        let share = 1 / Float(max(points.count { LateEnvelope.octant(of: $0.direction) == octant }, 1))
        let span = Int(max((Self.directionSpan / energy.binWidth).rounded(), 1))
        return line(
            octants.indices.map { bin in
                let sum = octants[max(bin - span, 0)...min(bin + span, octants.count - 1)].reduce(SIMD8<Float>.zero, +)
                let all = (0..<8).reduce(Float(0)) { $0 + sum[$1] }
                guard all > 0 else { return (1 / Float(points.count)).squareRoot() }
                return (sum[octant] / all * share).squareRoot()
            }, count: count)
    }

    private static func octant(of direction: Vector) -> Int {
        (direction.x >= 0 ? 1 : 0) + (direction.y >= 0 ? 2 : 0) + (direction.z >= 0 ? 4 : 0)
    }

    /// Values of bins in straight lines between their middles, even before the first and behind the last; 0 before the
    /// start.
    private func line(_ values: [Float], count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        guard let last = values.last else { return samples }
        /// The first sample whose middle is not before a place.
        func sample(_ place: Double) -> Int { Int(min(max((place - 0.5).rounded(.up), 0), Double(count))) }
        func middle(_ bin: Int) -> Double { start + (Double(bin) + 0.5) * binWidth }
        samples.withUnsafeMutableBufferPointer { samples in
            let first = sample(middle(0))
            for index in min(sample(start + 0.5), first)..<first { samples[index] = values[0] }
            for bin in 0..<values.count - 1 {
                let (first, next) = (sample(middle(bin)), sample(middle(bin + 1)))
                let slope = (values[bin + 1] - values[bin]) / Float(binWidth)
                let origin = values[bin] + slope * Float(Double(first) + 0.5 - middle(bin))
                for index in first..<next { samples[index] = max(origin + slope * Float(index - first), 0) }
            }
            for index in sample(middle(values.count - 1))..<count { samples[index] = last }
        }
        return samples
    }
}

/// The late part as plane waves of noise: one where all directions sound alike to the receiver, else one from each of
/// 32 directions, each with noise of its own.
///
/// The directions are those of a spiral: none lies in the median plane of a head that looks along an axis, where both
/// ears would hear the same.
struct LateWaves: Sendable {
    struct Wave: Sendable {
        /// Unit, in the world, to where it comes from.
        var direction: Vector
        var samples: [Float]
    }

    let part: LatePart
    let noise: BandNoise
    let sampleRate: Double
    let seed: UInt64

    /// Where they come from.
    var points = LateWaves.fewPoints

    init(part: LatePart, noise: BandNoise, sampleRate: Double, seed: UInt64) {
        (self.part, self.noise, self.sampleRate, self.seed) = (part, noise, sampleRate, seed)
    }

    static let fewPoints = SphereGrid.spiral(16)
    /// For sound fields of 64 channels, which 32 waves would not fill.
    static let manyPoints = SphereGrid.spiral(72)

    /// All directions as one; `limit` samples at most, fewer where nothing more comes.
    func sum(limit: Int) -> [Float] {
        let envelope = LateEnvelope(part, sampleRate: sampleRate)
        let count = min(limit, envelope.sampleCount)
        return samples(held(envelope, count: count), number: 0, count: count)
    }

    func waves(limit: Int, workers: WorkerPool) -> [Wave] {
        let points = points
        let envelope = LateEnvelope(part, sampleRate: sampleRate)
        let count = min(limit, envelope.sampleCount)
        let held = held(envelope, count: count)
        return workers.map(count: points.count) { index in
            let samples = zip(
                samples(held, number: index + 1, count: count), envelope.roots(index, of: points, count: count)
            )
            .map(*)
            return Wave(direction: points[index].direction, samples: samples)
        }
    }

    /// By band.
    private func held(_ envelope: LateEnvelope, count: Int) -> [HeldEnergies] {
        (0..<OctaveBands.count).map { band in
            HeldEnergies(
                envelope.energies(band, count: count), share: noise.share(of: band),
                bandwidth: OctaveBands.centre(band) / 2.0.squareRoot(), sampleRate: sampleRate)
        }
    }

    private func samples(_ held: [HeldEnergies], number: Int, count: Int) -> [Float] {
        let random = CounterRandom(
            seed: seed, object: CounterRandom.mix(CounterRandom.number(of: "late noise") &+ UInt64(number)))
        let white = noise.white(random, count: count)
        var sum = [Float](repeating: 0, count: count), shaped = HeldNoise(count: count)
        for (band, energies) in held.enumerated() where !energies.isSilent {
            shaped.add(energies, to: &sum) { noise.fill($0, band: band, of: white) }
        }
        return sum
    }
}

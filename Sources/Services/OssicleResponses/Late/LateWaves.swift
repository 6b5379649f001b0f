import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// The late part as plane waves of noise: one where all directions sound alike to the receiver, else one from each of 32 directions, each
/// with noise of its own.
///
/// The directions are those of a spiral: none lies in the median plane of a head that looks along an axis, where both ears would hear the same.
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

    static let points = SphereGrid.spiral(16)

    /// All directions as one; `limit` samples at most, fewer where nothing more comes.
    func sum(limit: Int) -> [Float] {
        let envelope = LateEnvelope(part, sampleRate: sampleRate)
        return samples(envelope, number: 0, count: min(limit, envelope.sampleCount))
    }

    func waves(limit: Int, workers: WorkerPool) -> [Wave] {
        let points = Self.points
        let envelope = LateEnvelope(part, sampleRate: sampleRate)
        let count = min(limit, envelope.sampleCount)
        return workers.map(count: points.count) { index in
            let samples = zip(samples(envelope, number: index + 1, count: count), envelope.roots(index, count: count)).map(*)
            return Wave(direction: points[index].direction, samples: samples)
        }
    }

    private func samples(_ envelope: LateEnvelope, number: Int, count: Int) -> [Float] {
        let random = CounterRandom(seed: seed, object: CounterRandom.mix(CounterRandom.number(of: "late noise") &+ UInt64(number)))
        var sum = [Float](repeating: 0, count: count)
        for (band, noise) in noise.bands(random, count: count).enumerated() {
            HeldNoise(noise, share: self.noise.share(of: band), energies: envelope.energies(band, count: count),
                      bandwidth: OctaveBands.centre(band) / 2.0.squareRoot(), sampleRate: sampleRate).add(to: &sum)
        }
        return sum
    }
}

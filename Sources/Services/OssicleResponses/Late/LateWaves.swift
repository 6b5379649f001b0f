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

    /// All directions as one.
    func sum(count: Int) -> [Float] { samples(LateEnvelope(part, sampleRate: sampleRate), number: 0, count: count) }

    func waves(count: Int, workers: WorkerPool) -> [Wave] {
        let points = Self.points
        let envelope = LateEnvelope(part, sampleRate: sampleRate)
        return workers.map(count: points.count) { index in
            var samples = samples(envelope, number: index + 1, count: count)
            envelope.spread(envelope.roots(index), over: &samples)
            return Wave(direction: points[index].direction, samples: samples)
        }
    }

    private func samples(_ envelope: LateEnvelope, number: Int, count: Int) -> [Float] {
        let random = CounterRandom(seed: seed, object: CounterRandom.mix(CounterRandom.number(of: "late noise") &+ UInt64(number)))
        let bands = noise.bands(random, count: count)
        var sum = [Float](repeating: 0, count: count)
        for band in bands.indices {
            let amplitudes = envelope.amplitudes(band, count: count)
            // Where energy comes within a few periods, chance would decide how much: it is made exact.
            var (wanted, found) = (0.0, 0.0)
            for index in sum.indices {
                let amplitude = amplitudes[index], shaped = bands[band][index] * amplitude
                wanted += Double(amplitude) * Double(amplitude)
                found += Double(shaped) * Double(shaped)
            }
            guard found > 0 else { continue }
            let gain = Float((wanted * noise.share(of: band) / found).squareRoot())
            for index in sum.indices { sum[index] += bands[band][index] * amplitudes[index] * gain }
        }
        return sum
    }
}

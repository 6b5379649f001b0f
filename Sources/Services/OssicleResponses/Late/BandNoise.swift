import OssicleCore
import OssicleDSP

/// Gaussian noise in ten octaves that add up to white, each held at an even level.
///
/// In a narrow band noise swells and fades by chance, so that a single tail decays some 10 % faster or slower at 125 Hz than its energies
/// say. Each band is therefore divided by its own root mean square over a few periods of its bandwidth: what swells is the
/// energy that was asked for.
final class BandNoise: Sendable {
    private let sampleRate: Double
    private let transform: RealFourierTransform
    /// Real spectra of the bands' filters, which are symmetric about 0 and `reach` samples long to each side.
    private let filters: [[Float]]
    private let reach: Int

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        let size = OctaveSplit.size(atUsualRate: 32_768, sampleRate: sampleRate)
        transform = RealFourierTransform(count: size)
        reach = size / 5
        filters = BandNoise.filters(size: size, reach: reach, sampleRate: sampleRate, transform)
    }

    /// `count` samples of each band; without the levelling the bands' sum is white noise of variance 1.
    func bands(_ random: CounterRandom, count: Int) -> [[Float]] {
        var bands = [[Float]](repeating: [Float](repeating: 0, count: max(count, 0)), count: OctaveBands.count)
        let (size, step) = (transform.count, transform.count - 2 * reach)
        var (real, imaginary) = ([Float](repeating: 0, count: size / 2 + 1), [Float](repeating: 0, count: size / 2 + 1))
        var signal = [Float](repeating: 0, count: size)
        for start in stride(from: 0, to: count, by: step) {
            transform.forward(BandNoise.gaussian(random, start..<start + size), real: &real, imaginary: &imaginary)
            for band in bands.indices {
                var (re, im) = (zip(real, filters[band]).map(*), zip(imaginary, filters[band]).map(*))
                transform.inverse(real: &re, imaginary: &im, signal: &signal)
                for index in 0..<min(step, count - start) { bands[band][start + index] = signal[reach + index] }
            }
        }
        for band in bands.indices { level(&bands[band], band) }
        return bands
    }

    /// Share of the whole spectrum's energy that a band's filter lets through.
    func share(of band: Int) -> Double {
        filters[band].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(transform.count / 2)
    }

    /// Two numbers at a time (Box and Muller 1958).
    private static func gaussian(_ random: CounterRandom, _ range: Range<Int>) -> [Float] {
        range.map { index in
            let pair = UInt64(index / 2) * 2
            let radius = (-2 * DeterministicMath.log(1 - random.unit(pair))).squareRoot()
            let (sine, cosine) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(pair + 1))
            return Float(radius * (index & 1 == 0 ? cosine : sine))
        }
    }

    private func level(_ noise: inout [Float], _ band: Int) {
        let bandwidth = OctaveBands.centre(band) / 1.4142135623730951
        let half = Int((max(1 / bandwidth, 0.004) * sampleRate).rounded())
        var sums = [0.0]
        sums.reserveCapacity(noise.count + 1)
        for sample in noise { sums.append(sums[sums.count - 1] + Double(sample) * Double(sample)) }
        let usual = share(of: band)
        for index in noise.indices {
            let (first, last) = (max(index - half, 0), min(index + half + 1, noise.count))
            let mean = (sums[last] - sums[first]) / Double(last - first)
            if mean > 0 { noise[index] *= Float((usual / mean).squareRoot()) }
        }
    }

    /// Shares as zero-phase filters cut to `reach` under a Hann window, which leaves their sum a single sample.
    private static func filters(size: Int, reach: Int, sampleRate: Double, _ transform: borrowing RealFourierTransform) -> [[Float]] {
        let shares = OctaveSplit.shares(size: size, sampleRate: sampleRate)
        return (0..<OctaveBands.count).map { band in
            var (real, imaginary) = (shares.map { $0[band] }, [Float](repeating: 0, count: shares.count))
            var signal = [Float](repeating: 0, count: size)
            transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
            for index in 0..<size {
                let distance = Double(min(index, size - index)) / Double(reach)
                signal[index] *= distance < 1 ? Float(0.5 + 0.5 * DeterministicMath.cos(DeterministicMath.pi * distance)) : 0
            }
            transform.forward(signal, real: &real, imaginary: &imaginary)
            return real
        }
    }
}

import OssicleCore
import OssicleDSP

/// Gaussian noise in ten octaves that add up to white.
final class BandNoise: Sendable {
    private let transform: RealFourierTransform
    /// Real spectra of the bands' filters, which are symmetric about 0 and `reach` samples long to each side.
    private let filters: [[Float]]
    private let shares: [Double]
    private let reach: Int

    init(sampleRate: Double) {
        let size = OctaveSplit.size(atUsualRate: 32_768, sampleRate: sampleRate)
        transform = RealFourierTransform(count: size)
        reach = size / 5
        filters = BandNoise.filters(size: size, reach: reach, sampleRate: sampleRate, transform)
        shares = filters.map { filter in filter.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(size / 2) }
    }

    /// Share of the whole spectrum's energy that a band's filter lets through.
    func share(of band: Int) -> Double { shares[band] }

    /// `count` samples of each band; their sum is white noise of variance 1.
    func bands(_ random: CounterRandom, count: Int) -> [[Float]] {
        let (size, step, bins) = (transform.count, transform.count - 2 * reach, transform.binCount)
        let blocks = (max(count, 0) + step - 1) / step
        let white = BandNoise.gaussian(random, count: blocks * step + 2 * reach)
        var bands = [[Float]](repeating: [Float](repeating: 0, count: max(count, 0)), count: OctaveBands.count)
        var (real, imaginary) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
        var (re, im, signal) = (real, imaginary, [Float](repeating: 0, count: size))
        for start in stride(from: 0, to: count, by: step) {
            white.withUnsafeBufferPointer { white in
                guard let first = white.baseAddress else { return }
                transform.forward(first + start, real: &real, imaginary: &imaginary)
            }
            for band in bands.indices {
                filters[band].withUnsafeBufferPointer { filter in
                    for bin in 0..<bins { (re[bin], im[bin]) = (real[bin] * filter[bin], imaginary[bin] * filter[bin]) }
                }
                transform.inverse(real: &re, imaginary: &im, signal: &signal)
                let length = min(step, count - start)
                bands[band].replaceSubrange(start..<start + length, with: signal[reach..<reach + length])
            }
        }
        return bands
    }

    /// Two numbers at a time (Box and Muller 1958); an even count.
    private static func gaussian(_ random: CounterRandom, count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { numbers, filled in
            for index in stride(from: 0, to: count - 1, by: 2) {
                let radius = (-2 * DeterministicMath.log(1 - random.unit(UInt64(index)))).squareRoot()
                let (sine, cosine) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(UInt64(index + 1)))
                (numbers[index], numbers[index + 1]) = (Float(radius * cosine), Float(radius * sine))
            }
            filled = count
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

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
        filters = BandNoise.filters(size: size, reach: reach, sampleRate: sampleRate, transform: transform)
        shares = filters.map { filter in filter.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(size / 2) }
    }

    private static let tables = RateTables<BandNoise>()

    /// One for each rate, made once.
    static func shared(sampleRate: Double) -> BandNoise { tables.table(for: sampleRate, BandNoise.init(sampleRate:)) }

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
    static func gaussian(_ random: CounterRandom, count: Int) -> [Float] {
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
    private static func filters(
        size: Int, reach: Int, sampleRate: Double, transform: borrowing RealFourierTransform
    ) -> [[Float]] {
        let shares = OctaveSplit.shares(size: size, sampleRate: sampleRate)
        return (0..<OctaveBands.count).map { band in
            var (real, imaginary) = (shares.map { $0[band] }, [Float](repeating: 0, count: shares.count))
            var signal = [Float](repeating: 0, count: size)
            transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
            for index in 0..<size {
                let distance = Double(min(index, size - index)) / Double(reach)
                signal[index] *=
                    distance < 1 ? Float(0.5 + 0.5 * DeterministicMath.cos(DeterministicMath.pi * distance)) : 0
            }
            transform.forward(signal, real: &real, imaginary: &imaginary)
            return real
        }
    }
}

/// Noise of one band that has the energies asked for, sample by sample.
///
/// In a narrow band noise swells and fades by chance: a single tail decays some 10 % faster or slower at 125 Hz than
/// its energies say, and what comes within a few periods is some decibels too loud or too quiet. Shaped noise is
/// therefore held, over a few periods of its bandwidth, at the energy it should have there, and over all its length at
/// the whole.
struct HeldNoise {
    /// Samples over which a gain runs in a straight line.
    private typealias Stretch = SIMD16<Float>
    private static let ramp = Stretch(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 0.0625
    /// Seconds to either side that are held together at least.
    private static let shortest = 0.004

    private var stretches: [Stretch]

    /// - Parameters:
    ///   - noise: of a variance of about `share`. - energies: of a white noise's samples, as many.
    init(_ noise: [Float], share: Double, energies: [Float], bandwidth: Double, sampleRate: Double) {
        stretches = HeldNoise.stretches(zip(noise, energies).map { $0 * $1.squareRoot() })
        let wanted = HeldNoise.sums(HeldNoise.stretches(energies)).map { $0 * share }
        let seconds = max(1 / bandwidth, HeldNoise.shortest)
        hold(at: wanted, reach: max(Int((seconds * sampleRate / Double(Stretch.scalarCount)).rounded()), 1))
        hold(at: wanted, reach: stretches.count)
    }

    func add(to sum: inout [Float]) {
        stretches.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            sum.withUnsafeMutableBufferPointer { sum in
                for index in 0..<min(sum.count, samples.count) { sum[index] += samples[index] }
            }
        }
    }

    /// Brings what lies within `reach` stretches to either side to the energy wanted there.
    private mutating func hold(at wanted: [Double], reach: Int) {
        let (found, last) = (HeldNoise.sums(stretches.map { $0 * $0 }), stretches.count)
        let gains = (0...last).map { stretch in
            let (first, end) = (max(stretch - reach, 0), min(stretch + reach, last))
            let (energy, asked) = (found[end] - found[first], wanted[end] - wanted[first])
            return energy > 0 ? Float((asked / energy).squareRoot()) : 1
        }
        for stretch in 0..<last {
            stretches[stretch] *= HeldNoise.ramp * (gains[stretch + 1] - gains[stretch]) + gains[stretch]
        }
    }

    /// The sum up to the beginning of each stretch, and of all.
    private static func sums(_ stretches: [Stretch]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(stretches.count + 1)
        for stretch in stretches {
            let eight = stretch.lowHalf + stretch.highHalf
            let four = eight.lowHalf + eight.highHalf
            sums.append(sums[sums.count - 1] + Double((four.x + four.z) + (four.y + four.w)))
        }
        return sums
    }

    /// The last one filled up with silence.
    private static func stretches(_ samples: [Float]) -> [Stretch] {
        let length = Stretch.scalarCount
        let padded = samples + [Float](repeating: 0, count: length - samples.count % length)
        return padded.withUnsafeBytes { bytes in
            (0..<padded.count / length).map { bytes.loadUnaligned(fromByteOffset: 4 * length * $0, as: Stretch.self) }
        }
    }
}

/// How frequencies belong to octaves: wholly at a band's centre, by cos² of the distance in octaves to the next centre,
/// so that shares add up to 1. Below the lowest and above the highest centre all belongs to that band.
enum OctaveSplit {
    /// Share of each band at a frequency in Hz.
    static func shares(at frequency: Double) -> OctaveBands {
        var shares = OctaveBands.zeros
        let last = OctaveBands.count - 1
        // Octaves above the lowest centre.
        let place = frequency > 0 ? DeterministicMath.log2(frequency / OctaveBands.centre(0)) : 0
        guard place > 0 else { shares[0] = 1; return shares }
        guard place < Double(last) else { shares[last] = 1; return shares }
        let lower = Int(place)
        let cosine = DeterministicMath.cos((place - Double(lower)) * (DeterministicMath.pi / 2))
        shares[lower] = Float(cosine * cosine)
        shares[min(lower + 1, last)] = Float(1 - cosine * cosine)
        return shares
    }

    /// Shares on the bins 0…size/2 of a transform.
    static func shares(size: Int, sampleRate: Double) -> [OctaveBands] {
        (0...size / 2).map { shares(at: Double($0) * sampleRate / Double(size)) }
    }

    /// Length of a transform, at 48 kHz `atUsualRate`, that resolves the same frequencies at another rate. A power of
    /// two.
    static func size(atUsualRate size: Int, sampleRate: Double) -> Int {
        var result = size
        while Double(result) < Double(size) * sampleRate / 48_000, result < 65_536 { result *= 2 }
        return result
    }
}

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

    /// White noise of variance 1 as spectra of blocks that overlap.
    struct White {
        /// Samples.
        fileprivate let count: Int
        /// Block after block.
        fileprivate var real, imaginary: [Float]
    }

    func white(_ random: CounterRandom, count: Int) -> White {
        let (step, bins) = (transform.count - 2 * reach, transform.binCount)
        let blocks = (max(count, 0) + step - 1) / step
        let samples = BandNoise.gaussian(random, count: blocks * step + 2 * reach)
        let none = [Float](repeating: 0, count: blocks * bins)
        var white = White(count: max(count, 0), real: none, imaginary: none)
        samples.withUnsafeBufferPointer { samples in
            white.real.withUnsafeMutableBufferPointer { real in
                white.imaginary.withUnsafeMutableBufferPointer { imaginary in
                    guard let first = samples.baseAddress, let re = real.baseAddress, let im = imaginary.baseAddress
                    else { return }
                    for block in 0..<blocks {
                        transform.forward(
                            first + block * step, real: re + block * bins, imaginary: im + block * bins)
                    }
                }
            }
        }
        return white
    }

    /// A band of white noise, as many samples as it has; those of all bands add up to it.
    func fill(_ samples: UnsafeMutableBufferPointer<Float>, band: Int, of white: White) {
        let (step, bins) = (transform.count - 2 * reach, transform.binCount)
        var (re, im) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
        var signal = [Float](repeating: 0, count: transform.count)
        for (block, start) in stride(from: 0, to: white.count, by: step).enumerated() {
            filters[band].withUnsafeBufferPointer { filter in
                for bin in 0..<bins {
                    let place = block * bins + bin
                    (re[bin], im[bin]) = (white.real[place] * filter[bin], white.imaginary[place] * filter[bin])
                }
            }
            transform.inverse(real: &re, imaginary: &im, signal: &signal)
            for index in 0..<min(step, white.count - start) { samples[start + index] = signal[reach + index] }
        }
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

/// The energies that noise of one band is to have, sample by sample; any number of waves share them.
struct HeldEnergies: Sendable {
    /// Seconds to either side that are held together at least.
    private static let shortest = 0.004

    /// Of white noise, 0 behind the end.
    fileprivate let roots: [HeldNoise.Stretch]
    /// Energy up to the beginning of each stretch, and of all.
    fileprivate let wanted: [Double]
    /// Stretches to either side.
    fileprivate let reach: Int

    /// Whether there is any.
    var isSilent: Bool { wanted.last == 0 }

    /// - Parameters:
    ///   - energies: of a white noise's samples. - share: of the white noise's energy that is in the band.
    init(_ energies: [Float], share: Double, bandwidth: Double, sampleRate: Double) {
        let stretches = HeldNoise.stretches(energies)
        roots = stretches.map { $0.squareRoot() }
        wanted = HeldNoise.sums(stretches).map { $0 * share }
        let seconds = max(1 / bandwidth, Self.shortest)
        reach = max(Int((seconds * sampleRate / Double(HeldNoise.Stretch.scalarCount)).rounded()), 1)
    }
}

/// Noise of one band after the other that has the energies asked for, sample by sample.
///
/// In a narrow band noise swells and fades by chance: a single tail decays some 10 % faster or slower at 125 Hz than
/// its energies say, and what comes within a few periods is some decibels too loud or too quiet. Shaped noise is
/// therefore held, over a few periods of its bandwidth, at the energy it should have there, and over all its length at
/// the whole.
struct HeldNoise {
    /// Samples over which a gain runs in a straight line.
    typealias Stretch = SIMD16<Float>
    private static let ramp = Stretch(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 0.0625

    private let count: Int
    // Memory that all bands use in turn.
    private var stretches: [Stretch]
    private var found: [Double]

    init(count: Int) {
        self.count = count
        stretches = [Stretch](repeating: .zero, count: count / Stretch.scalarCount + 1)
        found = [Double](repeating: 0, count: stretches.count + 1)
    }

    /// Adds noise of a variance of about the band's share, held at its energies.
    /// - Parameter fill: puts the noise into as many samples as there are.
    mutating func add(
        _ energies: HeldEnergies, to sum: inout [Float], fill: (UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        stretches.withUnsafeMutableBytes { bytes in
            fill(UnsafeMutableBufferPointer(rebasing: bytes.bindMemory(to: Float.self)[..<count]))
        }
        for stretch in stretches.indices { stretches[stretch] *= energies.roots[stretch] }
        hold(at: energies.wanted, reach: energies.reach)
        hold(at: energies.wanted, reach: stretches.count)
        stretches.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            sum.withUnsafeMutableBufferPointer { sum in
                for index in 0..<min(sum.count, count) { sum[index] += samples[index] }
            }
        }
    }

    /// Brings what lies within `reach` stretches to either side to the energy wanted there.
    private mutating func hold(at wanted: [Double], reach: Int) {
        let last = stretches.count
        for stretch in 0..<last {
            found[stretch + 1] = found[stretch] + HeldNoise.total(stretches[stretch] * stretches[stretch])
        }
        func gain(_ stretch: Int) -> Float {
            let (first, end) = (max(stretch - reach, 0), min(stretch + reach, last))
            let (energy, asked) = (found[end] - found[first], wanted[end] - wanted[first])
            return energy > 0 ? Float((asked / energy).squareRoot()) : 1
        }
        var here = gain(0)
        for stretch in 0..<last {
            let next = gain(stretch + 1)
            stretches[stretch] *= HeldNoise.ramp * (next - here) + here
            here = next
        }
    }

    /// The sum up to the beginning of each stretch, and of all.
    fileprivate static func sums(_ stretches: [Stretch]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(stretches.count + 1)
        for stretch in stretches { sums.append(sums[sums.count - 1] + total(stretch)) }
        return sums
    }

    private static func total(_ stretch: Stretch) -> Double {
        let eight = stretch.lowHalf + stretch.highHalf
        let four = eight.lowHalf + eight.highHalf
        return Double((four.x + four.z) + (four.y + four.w))
    }

    /// The last one filled up with silence.
    fileprivate static func stretches(_ samples: [Float]) -> [Stretch] {
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

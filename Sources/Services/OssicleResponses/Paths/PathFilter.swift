import OssicleAcoustics
import OssicleCore
import OssicleDSP
import Synchronization

/// Octave gains as the minimum-phase filter that has them exactly at the centres, and the loss of the air at every
/// frequency: what walls, edges and air do to one path, without a sound before it arrives.
///
/// The logarithm of the magnitude is the sum of the bands' gains in nepers times their shapes, and the phase of least
/// delay is its Hilbert transform (Oppenheim and Schafer, *Discrete-Time Signal Processing*), which is linear: the
/// phases of the ten shapes are found once.
final class PathFilter: Sendable {
    private typealias Lanes = ComplexExponential.Lanes

    private let transform: RealFourierTransform
    /// How much a neper of each band counts in eight neighbouring bins: in nepers and in radians. Bands run fastest.
    private let magnitudes: [Lanes]
    private let phases: [Lanes]
    /// What of the placing kernel's spectrum lies beyond half the rate and folds back onto eight neighbouring bins.
    private let folds: [Lanes]
    private let fade: [Float]

    /// −120 dB below the loudest band: less counts as this.
    private static let faintest: Float = 1e-6

    init(sampleRate: Double) {
        let size = OctaveSplit.size(atUsualRate: 8192, sampleRate: sampleRate)
        transform = RealFourierTransform(count: size)
        let shapes = OctaveSplit.shares(size: size, sampleRate: sampleRate)
        magnitudes = PathFilter.grouped(shapes)
        phases = PathFilter.grouped(PathFilter.phases(of: shapes, transform))
        folds = PathFilter.folds(transform)
        let count = size / 2
        fade = (0..<count).map { tap in
            let place = Double(tap) / Double(count)
            return place < 0.75
                ? 1 : Float(0.5 + 0.5 * DeterministicMath.cos((place - 0.75) * 4 * DeterministicMath.pi))
        }
    }

    private static let tables = RateTables<PathFilter>()

    /// One for each rate, made once.
    static func shared(sampleRate: Double) -> PathFilter {
        tables.table(for: sampleRate, PathFilter.init(sampleRate:))
    }

    /// What the air takes from a metre of path, for `signal`: the same phases of least delay.
    func air(_ absorption: AirAbsorption, sampleRate: Double) -> AirLoss {
        let step = sampleRate / Double(transform.count)
        let losses = (0..<transform.binCount).map { bin in
            Float(absorption.attenuation(frequency: Double(bin) * step) * (DeterministicMath.ln10 / -20))
        }
        let phases = PathFilter.phases(of: losses.map { OctaveBands([$0, 0]) }, transform, count: 1)
        return AirLoss(
            magnitudes: PathFilter.grouped(count: losses.count, kinds: 1) { bin, _ in losses[bin] },
            phases: PathFilter.grouped(count: losses.count, kinds: 1) { bin, _ in phases[bin][0] },
            greatest: -(losses.min() ?? 0))
    }

    /// Nepers and radians per metre of eight neighbouring bins.
    struct AirLoss: Sendable {
        fileprivate let magnitudes, phases: [ComplexExponential.Lanes]
        /// Nepers per metre.
        fileprivate let greatest: Float

        /// Below that many nepers at the highest frequency a path is heard as without air.
        fileprivate static let least: Float = 1e-3
        /// As little as is taken seriously: −260 dB.
        fileprivate static let faintest = ComplexExponential.Lanes(repeating: -30)
    }

    /// The filter where a path arrives, at `position` in samples; a single impulse where all bands are alike, nothing
    /// where nothing passes.
    /// - Parameter air: what takes its part besides, and along how many metres.
    func signal(
        _ gains: OctaveBands, through air: (loss: AirLoss, metres: Double)? = nil, at position: Double
    ) -> PlacedSignal {
        let loudest = gains.values.max() ?? 0
        guard loudest > 0 else { return PlacedSignal(start: 0, samples: []) }
        let audible = air.flatMap { Float($0.metres) * $0.loss.greatest < AirLoss.least ? nil : $0 }
        if gains == OctaveBands(repeating: loudest), audible == nil {
            return PlacedSignal([loudest], at: position)
        }
        let (whole, fraction) = PlacedSignal.place(position)
        let nepers = gains.values.map { Float(DeterministicMath.log(Double(max($0 / loudest, PathFilter.faintest)))) }
        var (real, imaginary) = spectrum(nepers, audible, fraction)
        var signal = [Float](repeating: 0, count: transform.count)
        transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
        // What the kernel has before the whole sample stands at the end of the circle.
        let lead = signal.suffix(PlacedSignal.lead).map { $0 * loudest }
        return PlacedSignal(start: whole - lead.count, samples: lead + zip(signal, fade).map { $0 * $1 * loudest })
    }

    /// The filter between two samples.
    ///
    /// Sampled at a fraction f, the kernel of `PlacedSignal` has the spectrum e^(−iωf)·((1 − a) + a·e^(2πif)), where a
    /// is what folds back. The two add up to 1, because on a sample the kernel is a single 1.
    private func spectrum(
        _ nepers: [Float], _ air: (loss: AirLoss, metres: Double)?, _ fraction: Double
    ) -> (real: [Float], imaginary: [Float]) {
        let turn = DeterministicMath.sincos(2 * DeterministicMath.pi * fraction)
        let step = Float(-2 * DeterministicMath.pi * fraction / Double(transform.count))
        var (real, imaginary) = (
            [Float](repeating: 0, count: 8 * folds.count), [Float](repeating: 0, count: 8 * folds.count)
        )
        // The loudest band has none, nor has any where all are alike.
        let bands = nepers.indices.filter { nepers[$0] != 0 }
        for group in folds.indices {
            var (level, angle) = (Lanes.zero, (Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(8 * group)) * step)
            for band in bands {
                level += magnitudes[group * nepers.count + band] * nepers[band]
                angle += phases[group * nepers.count + band] * nepers[band]
            }
            if let air {
                level += air.loss.magnitudes[group] * Float(air.metres)
                angle += air.loss.phases[group] * Float(air.metres)
                level.replace(with: AirLoss.faintest, where: level .< AirLoss.faintest)
            }
            let filter = ComplexExponential.value(level: level, angle: angle)
            let (re, im) = (1 + folds[group] * Float(turn.cos - 1), folds[group] * Float(turn.sin))
            real.store(filter.real * re - filter.imaginary * im, at: 8 * group)
            imaginary.store(filter.real * im + filter.imaginary * re, at: 8 * group)
        }
        return (real, imaginary)
    }

    /// The phase of each shape: cepstrum, its future folded onto its past, and back.
    private static func phases(
        of shapes: [OctaveBands], _ transform: borrowing RealFourierTransform, count: Int = OctaveBands.count
    ) -> [OctaveBands] {
        let size = 2 * (shapes.count - 1)
        var phases = [OctaveBands](repeating: .zeros, count: shapes.count)
        for band in 0..<count {
            var (real, imaginary) = (shapes.map { $0[band] }, [Float](repeating: 0, count: shapes.count))
            var cepstrum = [Float](repeating: 0, count: size)
            transform.inverse(real: &real, imaginary: &imaginary, signal: &cepstrum)
            for index in 1..<size / 2 {
                cepstrum[index] *= 2
                cepstrum[size - index] = 0
            }
            transform.forward(cepstrum, real: &real, imaginary: &imaginary)
            for bin in phases.indices { phases[bin][band] = imaginary[bin] }
        }
        return phases
    }

    /// Halfway between samples e^(2πif) is −1: what the kernel lacks there is twice what folds back.
    private static func folds(_ transform: borrowing RealFourierTransform) -> [Lanes] {
        var signal = [Float](repeating: 0, count: transform.count)
        for (tap, value) in PlacedSignal.kernel(fraction: 0.5).enumerated() {
            signal[(tap - PlacedSignal.lead + signal.count) % signal.count] = value
        }
        var (real, imaginary) = (
            [Float](repeating: 0, count: transform.binCount), [Float](repeating: 0, count: transform.binCount)
        )
        transform.forward(signal, real: &real, imaginary: &imaginary)
        return grouped(count: real.count, kinds: 1) { bin, _ in
            let turn = DeterministicMath.sincos(DeterministicMath.pi * Double(bin) / Double(signal.count))
            return (1 - (real[bin] * Float(turn.cos) - imaginary[bin] * Float(turn.sin))) / 2
        }
    }

    private static func grouped(_ bins: [OctaveBands]) -> [Lanes] {
        grouped(count: bins.count, kinds: OctaveBands.count) { bins[$0][$1] }
    }

    /// Bins in groups of eight, the last filled up with 0, each with several kinds of values.
    private static func grouped(count: Int, kinds: Int, _ value: (_ bin: Int, _ kind: Int) -> Float) -> [Lanes] {
        (0..<(count + 7) / 8 * kinds).map { index in
            let first = index / kinds * 8
            var lanes = Lanes.zero
            for bin in first..<min(first + 8, count) { lanes[bin - first] = value(bin, index % kinds) }
            return lanes
        }
    }
}

/// Tables that depend on the sample rate alone: 10 to 100 ms of work that responses in bulk share.
final class RateTables<Table: Sendable>: Sendable {
    private let made = Mutex<[Double: Table]>([:])
    /// Rates kept at most, so that a caller of ever other ones does not fill the memory.
    private static var most: Int { 8 }

    func table(for sampleRate: Double, _ make: (_ sampleRate: Double) -> Table) -> Table {
        if let table = made.withLock({ $0[sampleRate] }) { return table }
        let table = make(sampleRate)
        return made.withLock { made in
            if let first = made[sampleRate] { return first }
            if made.count >= Self.most { made.removeAll() }
            made[sampleRate] = table
            return table
        }
    }
}

extension [Float] {
    fileprivate mutating func store(_ lanes: ComplexExponential.Lanes, at index: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: lanes, toByteOffset: 4 * index, as: ComplexExponential.Lanes.self) }
    }
}

/// e^z for eight complex numbers at once, to six digits, in plain additions and multiplications: the same bits on any
/// processor.
enum ComplexExponential {
    typealias Lanes = SIMD8<Float>

    // ln 2 and π in two parts: products of whole numbers and the first are exact.
    private static let ln2: (Float, Float) = (0.693_145_75, 1.428_606_8e-6)
    private static let pi: (Float, Float) = (3.140_625, 9.676_535_9e-4)
    /// Adding it leaves the nearest whole number in the low bits of the mantissa: 1.5·2²³.
    private static let magic = Lanes(repeating: 12_582_912)

    /// - Parameters:
    ///   - level: real part, within ±87. - angle: imaginary part, radians, within ±1000.
    @inline(__always)
    static func value(level: Lanes, angle: Lanes) -> (real: Lanes, imaginary: Lanes) {
        // Whole powers of two and half turns go first.
        let octaves = nearest(level * 1.442_695_04), turns = nearest(angle * 0.318_309_89)
        let x = (level - octaves * ln2.0) - octaves * ln2.1
        let y = (angle - turns * pi.0) - turns * pi.1
        // Horner: 1 + z(1 + z/2(1 + z/3(…))); |z| < 1.61.
        var (re, im) = (Lanes(repeating: 1), Lanes.zero)
        for n in stride(from: Float(14), through: 1, by: -1) {
            (re, im) = ((x * re - y * im) * (1 / n) + 1, (x * im + y * re) * (1 / n))
        }
        let odd = turns - nearest(turns * 0.5) * 2
        let factor = (1 - odd * odd * 2) * powerOfTwo(octaves)
        return (re * factor, im * factor)
    }

    @inline(__always)
    private static func nearest(_ x: Lanes) -> Lanes { (x + magic) - magic }

    /// 2^k of whole numbers, put together from its bits.
    @inline(__always)
    private static func powerOfTwo(_ k: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(k + (magic + 127), to: SIMD8<UInt32>.self) &<< SIMD8(repeating: 23), to: Lanes.self)
    }
}

/// What a head makes of a wave from one direction.
struct HRIRPair: Sendable {
    /// Left and right.
    let taps: [[Float]]
    /// Samples by which the wave is at each ear later than in the middle of the head; may be negative.
    let lags: [Double]

    /// - Parameter direction: unit, right, up, back of the head.
    init(_ head: HRTFFilters, _ direction: Vector) {
        let count = head.tapCount
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        let delays = head.table.interpolate(SIMD3<Float>(direction), left: &left, right: &right)
        taps = [left, right]
        lags = [delays.left, delays.right].map { Double($0 - head.table.frontDelay) }
    }
}

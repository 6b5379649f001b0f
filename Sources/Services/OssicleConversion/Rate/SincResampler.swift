import OssicleCodecs
import OssicleCore

/// Our own change of rate: a sinc under a Kaiser window (Kaiser and Schafer 1980) at each place that output frames take
/// between input frames. Input frame 0 comes out as frame 0. Linear phase, in double precision; sums run in one order
/// on every processor.
final class SincResampler: RateResampler {
    private let kernel: SincKernel
    /// Frames of input for so many of output; both without a common factor.
    private let sourceStep: Int64
    private let targetStep: Int64
    /// Where the next output frame lies: behind input frame `index`, by `remainder` of `targetStep` parts.
    private var index = 0
    private var remainder: Int64 = 0
    /// Input that is still needed, a plane for each channel; the first belongs to input frame `first`.
    private var input: [[Double]]
    private var first: Int
    private let output: PlaneMemory
    /// Frames that are not needed any more before room is made.
    private static let slack = 1 << 14

    init(from source: Double, to target: Double, channelCount: Int, recipe: RateRecipe) throws(ConversionError) {
        guard !recipe.isMinimumPhase else {
            throw ConversionError(
                .unsupported, found: "a minimum-phase filter",
                rule: "The rate converter of this build has linear phase; libsoxr has both.",
                cure: "Choose another algorithm, or depend on Ossicle with the package trait \"SystemLibraries\".")
        }
        // Rates are kept to 2⁻³² Hz.
        let (sourceParts, targetParts) = (Int64((source * 0x1p32).rounded()), Int64((target * 0x1p32).rounded()))
        let common = Self.commonFactor(sourceParts, targetParts)
        (sourceStep, targetStep) = (sourceParts / common, targetParts / common)
        kernel = SincKernel(
            scale: min(1, target / source), passBand: recipe.passBand, attenuation: recipe.attenuation,
            places: targetStep)
        // Silence before the sound.
        first = 1 - kernel.reach
        input = [[Double]](repeating: [Double](repeating: 0, count: kernel.reach - 1), count: channelCount)
        output = PlaneMemory(channelCount: channelCount, capacity: SourcePiece.longest)
    }

    private static func commonFactor(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? max(a, 1) : commonFactor(b, a % b) }

    /// Takes all of `frames`.
    func put(_ frames: PlanarFrames) {
        let unneeded = min(index + 1 - kernel.reach - first, input.first?.count ?? 0)
        if unneeded > Self.slack {
            for channel in input.indices { input[channel].removeFirst(unneeded) }
            first += unneeded
        }
        for channel in input.indices {
            input[channel].append(contentsOf: UnsafeBufferPointer(start: frames.planes[channel], count: frames.count))
        }
    }

    /// Up to `limit` frames of what is ready; valid until the next call.
    func take(_ limit: Int) -> PlanarFrames {
        let end = first + (input.first?.count ?? 0)
        var count = 0
        while count < min(limit, output.capacity), index + kernel.reach < end {
            let place = Double(remainder) / Double(targetStep)
            for channel in input.indices {
                output.planes[channel][count] = input[channel].withUnsafeBufferPointer {
                    guard let samples = $0.baseAddress else { return 0 }
                    return kernel.sum(samples + (index + 1 - kernel.reach - first), at: place, part: remainder)
                }
            }
            count += 1
            remainder += sourceStep
            index += Int(remainder / targetStep)
            remainder %= targetStep
        }
        return output.frames(count)
    }
}

/// What input frames around an output frame count for, by its place between two of them.
///
/// Where few places occur there are weights for each of them, else for some hundred, and cubic interpolation
/// (Lagrange's, through four of them) makes those between, off by less than −200 dB.
struct SincKernel {
    /// Input frames before and behind an output frame that count.
    let reach: Int
    /// Weights of the frames of a place, then those of the next.
    private let weights: [Double]
    private let isExact: Bool
    private let placeCount: Int

    private static let mostWeights = 1 << 19
    /// Places to each frame of the lower rate in a table that is interpolated.
    private static let density = 1024.0

    /// - Parameter scale: the lower rate by the input's.
    /// - Parameter passBand: the end of what passes unchanged, by the lower Nyquist frequency, at which the stop band
    ///   begins.
    /// - Parameter attenuation: dB of the stop band.
    /// - Parameter places: how many places between input frames output frames take.
    init(scale: Double, passBand: Double, attenuation: Double, places: Int64) {
        let transition = (1 - passBand) / 2
        let half = ((attenuation - 7.95) / (14.36 * transition) / 2).rounded(.up) / scale
        // Whole groups of four.
        let reach = (Int(half.rounded(.up)) + 3) / 4 * 4
        isExact = places <= Int64(Self.mostWeights / (2 * reach))
        placeCount = isExact ? Int(places) : max(16, Int((Self.density * scale).rounded(.up)))
        let (beta, cutoff) = (0.1102 * (attenuation - 8.7), (1 + passBand) / 2 * scale)
        let peak = Self.bessel(beta)
        var weights: [Double] = []
        // Cubic interpolation needs a place before the first, and two behind the last.
        for place in isExact ? 0..<placeCount : -1..<placeCount + 2 {
            let offset = Double(place) / Double(placeCount)
            let own = (0..<2 * reach).map { tap in
                let distance = Double(tap - reach + 1) - offset, share = distance / half
                guard share.magnitude < 1 else { return 0.0 }
                let angle = Double.pi * cutoff * distance
                let sinc = angle == 0 ? 1 : DeterministicMath.sin(angle) / angle
                return sinc * Self.bessel(beta * (1 - share * share).squareRoot()) / peak
            }
            // A constant stays what it is at every place.
            let sum = own.reduce(0, +)
            weights += own.map { $0 / sum }
        }
        self.weights = weights
        self.reach = reach
    }

    /// The modified Bessel function of the first kind and order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-18 {
            term *= (x / (2 * order)) * (x / (2 * order))
            sum += term
            order += 1
        }
        return sum
    }

    /// The output at `place` (0 ..< 1) behind the frame `reach - 1` of `samples`; `part` is its number where there are
    /// weights for it.
    @inline(__always)
    func sum(_ samples: UnsafePointer<Double>, at place: Double, part: Int64) -> Double {
        weights.withUnsafeBufferPointer { weights in
            guard let start = weights.baseAddress else { return 0 }
            if isExact { return dot(samples, start + Int(part) * 2 * reach) }
            let position = place * Double(placeCount), before = Int(position)
            let x = position - Double(before), row = start + before * 2 * reach
            let (a, b, c, d) = (
                dot(samples, row), dot(samples, row + 2 * reach), dot(samples, row + 4 * reach),
                dot(samples, row + 6 * reach)
            )
            return -x * (x - 1) * (x - 2) / 6 * a + (x + 1) * (x - 1) * (x - 2) / 2 * b - (x + 1) * x * (x - 2) / 2 * c
                + (x + 1) * x * (x - 1) / 6 * d
        }
    }

    /// Four sums side by side, whatever the processor has, then these.
    @inline(__always)
    private func dot(_ samples: UnsafePointer<Double>, _ weights: UnsafePointer<Double>) -> Double {
        var sums = SIMD4<Double>.zero
        let (left, right) = (UnsafeRawPointer(samples), UnsafeRawPointer(weights))
        for group in stride(
            from: 0, to: 2 * reach * MemoryLayout<Double>.stride, by: MemoryLayout<SIMD4<Double>>.stride)
        {
            sums +=
                left.loadUnaligned(fromByteOffset: group, as: SIMD4<Double>.self)
                * right.loadUnaligned(fromByteOffset: group, as: SIMD4<Double>.self)
        }
        return (sums[0] + sums[2]) + (sums[1] + sums[3])
    }
}

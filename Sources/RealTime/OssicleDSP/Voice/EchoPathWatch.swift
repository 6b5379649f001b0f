import OssicleCore

/// Tells an echo that is left from words near the microphone: words have nothing in common with the far signal.
///
///     c = Σ_b mean_k |S_xe|² / (S_xx·S_ee),  c₀ = Σ_b mean_k Σ_t w_t²·|X|²·|E|² / (S_xx·S_ee)
///
/// b are the partitions around the direct path, k the bins of speech, w_t the weights of averages over some 130 ms.
/// c₀ is what c comes to by chance where both signals are independent, however few loud hops the averages hold: at the
/// onset of a word that may be one. With words of two talkers at once and the right filter c stays below 1.5·c₀ and
/// c − c₀ below 0.1 in nineteen of twenty hops; behind a change of path the medians are 1.7 and 0.3. Audio thread.
struct EchoPathWatch: ~Copyable {
    private static let smoothing: Float = 0.03
    /// c over c₀ from which an echo is taken to be left; from which, and from how much more, it is that of another
    /// path.
    private static let (leastRatio, otherRatio): (Float, Float) = (1.3, 2)
    private static let otherShare: Float = 0.3
    /// Share of the power that is left.
    private static let leastLeft: Float = 0.25
    /// Seconds, longer than two talkers keep to the same pitch by chance.
    private static let patience = 0.16
    private static let pause = 0.5

    private let rows: Range<Int>
    private let bins: Range<Int>
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let farPower: SampleMemory
    private let leftPower: SampleMemory
    private let chance: SampleMemory
    private let needed: Int
    private let pauseHops: Int
    private var count = 0
    private var waiting = 0
    /// Of what is left, the share that belongs to the far signal, 0 … 1.
    private(set) var coherentShare: Float = 0

    /// - Parameter partitionCount: of the filter, whose direct path is an eighth from its beginning.
    init(grid: VoiceGrid, partitionCount: Int, binCount: Int) {
        let first = max(partitionCount / 8 - 2, 0)
        rows = first..<min(first + 16, partitionCount)
        let width = grid.sampleRate / Double(grid.filterCount)
        let low = min(max(Int(300 / width), 1), binCount - 1)
        bins = low..<max(min(Int(3_400 / width), binCount), low + 1)
        real = SampleMemory(count: rows.count * bins.count)
        imaginary = SampleMemory(count: rows.count * bins.count)
        farPower = SampleMemory(count: rows.count * bins.count)
        leftPower = SampleMemory(count: bins.count)
        chance = SampleMemory(count: rows.count * bins.count)
        (needed, pauseHops) = (grid.hops(Self.patience), grid.hops(Self.pause))
    }

    mutating func reset() {
        real.clear()
        imaginary.clear()
        farPower.clear()
        leftPower.clear()
        chance.clear()
        (count, waiting, coherentShare) = (0, 0, 0)
    }

    /// Takes the spectrum of what is left in one hop.
    ///
    /// - Parameters:
    ///   - left: real and imaginary parts. - delay: hops before the filter begins. - share: power of what is left over
    ///     that of what came.
    /// - Returns: whether the path is another one now; no more often than twice a second.
    mutating func take(
        _ left: (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>), reference: borrowing EchoReference,
        delay: Int, share: Float
    ) -> Bool {
        let (seen, byChance) = average(left, reference, delay)
        coherentShare = seen > Self.leastRatio * byChance ? min(seen - byChance, 1) : 0
        waiting = max(waiting - 1, 0)
        let isOther = share > Self.leastLeft && seen > Self.otherRatio * byChance && coherentShare > Self.otherShare
        count = isOther ? count + 1 : max(count - 2, 0)
        guard count > needed, waiting == 0 else { return false }
        (count, waiting) = (0, pauseHops)
        return true
    }

    /// c and c₀.
    private func average(
        _ left: (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>), _ reference: borrowing EchoReference,
        _ delay: Int
    ) -> (seen: Float, byChance: Float) {
        let (first, width, s) = (bins.lowerBound, bins.count, Self.smoothing)
        let (er, ei) = (left.real + first, left.imaginary + first)
        for k in 0..<width { leftPower[k] += s * (er[k] * er[k] + ei[k] * ei[k] - leftPower[k]) }
        let kept = (1 - s) * (1 - s)
        var (seen, byChance): (Float, Float) = (0, 0)
        for row in 0..<rows.count {
            let x = reference.spectrum(delay + rows.lowerBound + row)
            let (xr, xi, place) = (x.real + first, x.imaginary + first, row * width)
            let (cr, ci, power) = (real.pointer + place, imaginary.pointer + place, farPower.pointer + place)
            let expected = chance.pointer + place
            for k in 0..<width {
                let (far, own) = (xr[k] * xr[k] + xi[k] * xi[k], er[k] * er[k] + ei[k] * ei[k])
                cr[k] += s * (xr[k] * er[k] + xi[k] * ei[k] - cr[k])
                ci[k] += s * (xr[k] * ei[k] - xi[k] * er[k] - ci[k])
                power[k] += s * (far - power[k])
                expected[k] = kept * expected[k] + s * s * far * own
                let weight = 1 / (power[k] * leftPower[k] + 1e-12)
                seen += (cr[k] * cr[k] + ci[k] * ci[k]) * weight
                byChance += expected[k] * weight
            }
        }
        return (seen / Float(width), byChance / Float(width))
    }
}

import OssicleCore

/// Notices that the echo path has become another one, by what is left of the microphone's signal: words near the
/// microphone have nothing in common with the far signal, an echo that is no longer cancelled has.
///
///     c = Σ_b mean_k |S_xe|² / (S_xx·S_ee)
///
/// b are the partitions around the direct path, k the bins of speech; the spectra are averaged over some 130 ms. With
/// words of two talkers at once and the right filter c stays below 0.5 in nineteen of twenty hops, behind a change of
/// path it is 0.5 to 1.3. Audio thread.
struct EchoPathWatch: ~Copyable {
    private static let smoothing: Float = 0.03
    private static let threshold: Float = 0.6
    /// Share of the power that is left.
    private static let leastLeft: Float = 0.25
    private static let patience = 0.08
    private static let pause = 0.5

    private let rows: Range<Int>
    private let bins: Range<Int>
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let farPower: SampleMemory
    private let leftPower: SampleMemory
    private let needed: Int
    private let pauseHops: Int
    private var count = 0
    private var waiting = 0

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
        (needed, pauseHops) = (grid.hops(Self.patience), grid.hops(Self.pause))
    }

    mutating func reset() {
        real.clear()
        imaginary.clear()
        farPower.clear()
        leftPower.clear()
        (count, waiting) = (0, 0)
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
        let coherence = average(left, reference, delay)
        waiting = max(waiting - 1, 0)
        count = share > Self.leastLeft && coherence > Self.threshold ? count + 1 : max(count - 2, 0)
        guard count > needed, waiting == 0 else { return false }
        (count, waiting) = (0, pauseHops)
        return true
    }

    private func average(
        _ left: (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>), _ reference: borrowing EchoReference,
        _ delay: Int
    ) -> Float {
        let (first, width, s) = (bins.lowerBound, bins.count, Self.smoothing)
        let (er, ei) = (left.real + first, left.imaginary + first)
        for k in 0..<width { leftPower[k] += s * (er[k] * er[k] + ei[k] * ei[k] - leftPower[k]) }
        var sum: Float = 0
        for row in 0..<rows.count {
            let x = reference.spectrum(delay + rows.lowerBound + row)
            let (xr, xi, place) = (x.real + first, x.imaginary + first, row * width)
            let (cr, ci, power) = (real.pointer + place, imaginary.pointer + place, farPower.pointer + place)
            for k in 0..<width {
                cr[k] += s * (xr[k] * er[k] + xi[k] * ei[k] - cr[k])
                ci[k] += s * (xr[k] * ei[k] - xi[k] * er[k] - ci[k])
                power[k] += s * (xr[k] * xr[k] + xi[k] * xi[k] - power[k])
                sum += (cr[k] * cr[k] + ci[k] * ci[k]) / (power[k] * leftPower[k] + 1e-12)
            }
        }
        return sum / Float(width)
    }
}

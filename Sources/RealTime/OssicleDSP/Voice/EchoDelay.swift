import OssicleCore

/// Finds how many hops behind the far signal its echo arrives.
///
/// For each delay the cross-spectrum of far signal and microphone is averaged in sub-bands, and its squared coherence
/// summed over them (Carter, Knapp and Nuttall, "Estimation of the magnitude-squared coherence function via overlapped
/// fast Fourier transform processing", IEEE Trans. Audio Electroacoustics 21, 1973). A delay counts when it stands out
/// three times above the mean, twice in succession. Audio thread.
struct EchoDelay: ~Copyable {
    private static let smoothing: Float = 0.008
    private static let decisionHops = 25
    /// Over the delay that was found, below which a later one is taken for chance, as in the decay of a word. An earlier
    /// one is the room's first sound.
    private static let advantage: Float = 1.5

    private let grid: VoiceGrid
    private let delayCount: Int
    private let bins: Range<Int>
    private let fourier: RealFourierTransform
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let farPower: SampleMemory
    private let nearPower: SampleMemory
    private let frame: SampleMemory
    private let spectrumReal: SampleMemory
    private let spectrumImaginary: SampleMemory
    private var hops = 0
    private var candidate = -1
    /// The delay in hops, nil until one has been found.
    private(set) var found: Int?

    /// - Parameter longest: delay in s.
    init(grid: VoiceGrid, longest: Double) {
        self.grid = grid
        delayCount = grid.hops(longest) + 1
        fourier = RealFourierTransform(count: grid.filterCount)
        let width = grid.sampleRate / Double(grid.filterCount)
        bins = max(Int(300 / width), 1)..<min(Int(3_400 / width), fourier.binCount)
        real = SampleMemory(count: delayCount * bins.count)
        imaginary = SampleMemory(count: delayCount * bins.count)
        farPower = SampleMemory(count: delayCount * bins.count)
        nearPower = SampleMemory(count: bins.count)
        frame = SampleMemory(count: grid.filterCount)
        spectrumReal = SampleMemory(count: fourier.binCount)
        spectrumImaginary = SampleMemory(count: fourier.binCount)
    }

    mutating func reset() {
        real.clear()
        imaginary.clear()
        farPower.clear()
        nearPower.clear()
        frame.clear()
        (hops, candidate, found) = (0, -1, nil)
    }

    /// Takes one hop of the microphone's signal; the far signal's must be in `reference`.
    mutating func take(_ microphone: UnsafePointer<Float>, reference: borrowing EchoReference) {
        let kept = grid.filterCount - grid.hop
        frame.pointer.update(from: frame.pointer + grid.hop, count: kept)
        (frame.pointer + kept).update(from: microphone, count: grid.hop)
        fourier.forward(frame.pointer, real: spectrumReal.pointer, imaginary: spectrumImaginary.pointer)
        average(reference)
        hops += 1
        if hops % Self.decisionHops == 0 { decide() }
    }

    private func average(_ reference: borrowing EchoReference) {
        let (count, first, s) = (bins.count, bins.lowerBound, Self.smoothing)
        let (yr, yi) = (spectrumReal.pointer + first, spectrumImaginary.pointer + first)
        for k in 0..<count { nearPower[k] += s * (yr[k] * yr[k] + yi[k] * yi[k] - nearPower[k]) }
        for delay in 0..<delayCount {
            let x = reference.spectrum(delay)
            let (xr, xi, place) = (x.real + first, x.imaginary + first, delay * count)
            let (cr, ci, power) = (real.pointer + place, imaginary.pointer + place, farPower.pointer + place)
            for k in 0..<count {
                cr[k] += s * (xr[k] * yr[k] + xi[k] * yi[k] - cr[k])
                ci[k] += s * (xr[k] * yi[k] - xi[k] * yr[k] - ci[k])
                power[k] += s * (xr[k] * xr[k] + xi[k] * xi[k] - power[k])
            }
        }
    }

    private mutating func decide() {
        var (best, bestValue, sum, held) = (0, Float(0), Float(0), Float(0))
        for delay in 0..<delayCount {
            var value: Float = 0
            for k in 0..<bins.count {
                let i = delay * bins.count + k
                value += (real[i] * real[i] + imaginary[i] * imaginary[i]) / (farPower[i] * nearPower[k] + 1e-12)
            }
            sum += value
            if let found, abs(delay - found) <= 2 { held = max(held, value) }
            if value > bestValue { (best, bestValue) = (delay, value) }
        }
        let standsOut =
            bestValue > 3 * sum / Float(delayCount) && bestValue > 0.02 * Float(bins.count)
            && (best < found ?? 0 || bestValue > Self.advantage * held)
        if standsOut, abs(best - candidate) <= 1 { found = best }
        candidate = standsOut ? best : -1
    }
}

import OssicleCore

/// What the linear filter left of the echo, and steady noise, taken out by a gain per bin.
///
///     e, ŷ ─▶ spectra E, Ŷ ─▶ R = η·max(|Ŷ|², ρ·R′) ─▶ a-priori ratio (decision-directed) ─▶ log-MMSE gain ─▶ E·G
///
/// η is what remains of the estimated echo. It follows a quantile of |E|²/|Ŷ|² in each bin while the echo is alone, and
/// hardly rises while somebody speaks, as no single bin shows words; ρ is the decay of a room, for what
/// rings longer than the filter. That somebody speaks shows in the ratio of |E|² to R in most bands of speech, less
/// what is coherent with the far signal:
///
///     r = (mean_j √(Σ_k max(|E|² − N, 0) / Σ_k (R + N)))²
///
/// j are bands of 250 Hz up to 4 kHz, k their bins, N the noise. Roots keep one loud band from counting as words: a
/// far talker's pitch that the filter has not met before, or a slow mode of the room, leaves 20 dB more than R in two
/// or three bins and nothing elsewhere. While the echo is alone R is taken as larger than estimated; while words are far
/// above it the a-priori ratio follows them at once. Audio thread.
struct EchoSuppressor: ~Copyable {
    private static let decay: Float = 0.93
    private static let raise: Float = 1.016
    private static let lower: Float = 0.984
    private static let duplexRaise: Float = 1.001
    /// Ratio of words to residual echo from which both talkers are taken to speak.
    private static let duplexRatio: Float = 2
    /// Share of the estimated echo that is taken to remain as long as nothing is known.
    private static let firstLeak: Float = 0.5
    /// Power gains below which echo and noise are not brought.
    private static let echoFloor: Float = 1e-5
    private static let noiseFloor: Float = 0.03
    /// Of the a-priori ratio: while words are not far above the residual echo, and while they are.
    private static let (smoothing, quickSmoothing): (Float, Float) = (0.97, 0.8)
    private static let clearRatio: Float = 10
    /// By how much residual echo is taken as larger than estimated: at most, and the square of the ratio of words from
    /// which it is not.
    private static let (mostOver, overRatio): (Float, Float) = (20, 250)
    /// Of the bands in which words are looked for, and of their end, Hz.
    private static let (bandWidth, lastBand) = (250.0, 4_000.0)
    /// By how much a ratio counts for less where all that is left is coherent with the far signal.
    private static let coherenceWeight: Float = 30

    private let grid: VoiceGrid
    private let settings: EchoCanceller.Settings
    private let transform: LowDelayTransform
    private let echoTransform: LowDelayTransform
    private let gains: SpectralGain
    private var noise: NoiseEstimate
    private let residual: SampleMemory
    private let echo: SampleMemory
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let echoReal: SampleMemory
    private let echoImaginary: SampleMemory
    private let powers: SampleMemory
    private let tail: SampleMemory
    private let leak: SampleMemory
    private let disturbance: SampleMemory
    private let last: SampleMemory
    private let random: CounterRandom
    private let binsPerBand: Int
    private let bandCount: Int
    private var hops: UInt64 = 0
    /// Power above the noise over that of residual echo and noise, over all bands, smoothed.
    private var nearRatio: Float = 1
    /// That of words alone.
    private var wordRatio: Float = 1
    /// Speech power over disturbance in the bins of speech, in this hop.
    private(set) var speechRatio: Float = 0

    init(grid: VoiceGrid, settings: EchoCanceller.Settings) {
        (self.grid, self.settings) = (grid, settings)
        transform = LowDelayTransform(grid: grid)
        echoTransform = LowDelayTransform(grid: grid)
        gains = SpectralGain()
        let count = transform.binCount
        let width = grid.sampleRate / Double(grid.spectrumCount)
        binsPerBand = max(Int((Self.bandWidth / width).rounded()), 1)
        bandCount = max(min(Int(Self.lastBand / width), count) / binsPerBand, 1)
        noise = NoiseEstimate(binCount: count)
        residual = SampleMemory(count: grid.windowCount)
        echo = SampleMemory(count: grid.windowCount)
        real = SampleMemory(count: count)
        imaginary = SampleMemory(count: count)
        echoReal = SampleMemory(count: count)
        echoImaginary = SampleMemory(count: count)
        powers = SampleMemory(count: count)
        tail = SampleMemory(count: count)
        leak = SampleMemory(count: count)
        disturbance = SampleMemory(count: count)
        last = SampleMemory(count: count)
        random = CounterRandom(seed: settings.seed, object: CounterRandom.number(of: "comfort noise"))
        reset()
    }

    mutating func reset() {
        noise.reset()
        residual.clear()
        echo.clear()
        transform.reset()
        tail.clear()
        leak.pointer.update(repeating: Self.firstLeak, count: leak.count)
        disturbance.clear()
        last.clear()
        (hops, nearRatio, wordRatio, speechRatio) = (0, 1, 1, 0)
    }

    /// The echo may be another one from now on: no less remains of it than at the beginning, until that has been seen.
    func doubt() {
        for k in 0..<leak.count { leak[k] = max(leak[k], Self.firstLeak) }
    }

    /// One hop; what comes out is one hop older than what goes in.
    ///
    /// - Parameters:
    ///   - coherentShare: of `residual`, the share that belongs to the far signal, 0 … 1.
    ///   - learns: whether `residual` is sound of the room, from which echo and noise are estimated.
    mutating func process(
        _ residual: UnsafePointer<Float>, echo: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
        coherentShare: Float, learns: Bool = true
    ) {
        shift(self.residual, residual)
        shift(self.echo, echo)
        transform.forward(self.residual.pointer, real: real.pointer, imaginary: imaginary.pointer)
        echoTransform.forward(self.echo.pointer, real: echoReal.pointer, imaginary: echoImaginary.pointer)
        for k in 0..<powers.count { powers[k] = real[k] * real[k] + imaginary[k] * imaginary[k] }
        followEcho(coherentShare, learns)
        if learns, settings.suppressesNoise || settings.suppressesEcho {
            noise.follow(powers.pointer, disturbance: disturbance.pointer)
        }
        apply()
        transform.inverse(real: real.pointer, imaginary: imaginary.pointer, output: output)
        hops += 1
    }

    private func shift(_ memory: borrowing SampleMemory, _ new: UnsafePointer<Float>) {
        let kept = grid.windowCount - grid.hop
        memory.pointer.update(from: memory.pointer + grid.hop, count: kept)
        (memory.pointer + kept).update(from: new, count: grid.hop)
    }

    private mutating func followEcho(_ coherentShare: Float, _ learns: Bool) {
        let certainty = 1 / (1 + Self.coherenceWeight * coherentShare)
        let isDuplex = nearRatio * certainty > Self.duplexRatio
        let raise = isDuplex ? Self.duplexRaise : Self.raise
        for k in 0..<powers.count {
            tail[k] = max(echoReal[k] * echoReal[k] + echoImaginary[k] * echoImaginary[k], Self.decay * tail[k])
            let signal = max(powers[k] - noise.power[k], 0)
            let isAudible = tail[k] * leak[k] > 0.25 * noise.power[k] && tail[k] > 1e-7
            if isAudible, learns {
                leak[k] = min(max(leak[k] * (signal > leak[k] * tail[k] ? raise : Self.lower), 1e-5), 4)
            }
            disturbance[k] = leak[k] * tail[k]
        }
        guard learns else { return }
        let ratio = bandRatio()
        nearRatio += (ratio > nearRatio ? 0.4 : 0.1) * (ratio - nearRatio)
        wordRatio = max(nearRatio * certainty, 1e-3)
    }

    /// r of this hop, 0 … 1,000.
    private func bandRatio() -> Float {
        var sum: Float = 0
        for band in 0..<bandCount {
            var (above, expected): (Float, Float) = (0, 1e-9)
            for k in (band * binsPerBand)..<((band + 1) * binsPerBand) {
                above += max(powers[k] - noise.power[k], 0)
                expected += disturbance[k] + noise.power[k]
            }
            sum += min(above / expected, 1_000).squareRoot()
        }
        let mean = sum / Float(bandCount)
        return mean * mean
    }

    private mutating func apply() {
        let over = min(max(Self.overRatio / (wordRatio * wordRatio), 1), Self.mostOver)
        let smoothing = wordRatio > Self.clearRatio ? Self.quickSmoothing : Self.smoothing
        var (speech, disturbed): (Float, Float) = (0, 1e-12)
        let width = grid.sampleRate / Double(grid.spectrumCount)
        let (first, end) = (Int(300 / width), min(Int(3_400 / width), powers.count))
        for k in 0..<powers.count {
            let echo = settings.suppressesEcho ? over * disturbance[k] : 0
            let noise = settings.suppressesNoise ? noise.power[k] : 0
            let both = echo + noise + 1e-12
            let posterior = min(powers[k] / both, 1_000)
            let prior = smoothing * last[k] / both + (1 - smoothing) * max(posterior - 1, 0)
            let least = (Self.noiseFloor * noise + Self.echoFloor * echo) / both
            let gain = max(gains.gain(prior: max(prior, 1e-4), posterior: posterior), least.squareRoot())
            let factor = echo + noise <= 0 ? 1 : gain
            last[k] = gain * gain * powers[k]
            // Not `*=`, at which Swift 6.3 with ThreadSanitizer takes the struct itself for an address, and ends.
            real[k] = real[k] * factor
            imaginary[k] = imaginary[k] * factor
            if settings.addsComfortNoise { addComfort(k, Self.noiseFloor * self.noise.power[k] * (1 - gain * gain)) }
            if k >= first, k < end {
                speech += last[k]
                disturbed += disturbance[k] + self.noise.power[k]
            }
        }
        speechRatio = speech / disturbed
    }

    /// Adds a number of that mean power with a random phase.
    private func addComfort(_ k: Int, _ power: Float) {
        let turn = random.unit(hops &* UInt64(powers.count) &+ UInt64(k)) * 2 * DeterministicMath.pi
        let (sine, cosine) = DeterministicMath.sincos(turn)
        let size = max(power, 0).squareRoot()
        real[k] += size * Float(cosine)
        imaginary[k] += size * Float(sine)
    }
}

import OssicleCore

/// A linked limiter that sees peaks coming: full scale is never exceeded, whatever comes in, and what stays below
/// passes bit for bit.
///
///     x·preGain ─▶ largest of the last L frames ─▶ 1/peak ─▶ recovery ─▶ mean of L gains ─▶ · ─▶ y
///         └──────────────────────── delay by L − 1 frames ──────────────────────────▲
///
/// The delay is the attack time: every one of the L gains averaged was chosen with the frame they are applied to in
/// view, so the gain reaches what the peak needs in a straight line just in time. After a peak it recovers with the
/// decay time as its time constant. The mean is a sum of integers, so it is exact and ends on exactly 1. Audio thread,
/// but for `init`.
package struct PeakLimiter: EffectKernel, ~Copyable {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Seconds, 0.001 … 0.03: the look-ahead, and so the latency.
        package var attackTime: Float = 0.012
        /// Seconds, 0.001 … 0.06.
        package var decayTime: Float = 0.024
        /// dB, −40 … 40, before the limiter.
        package var preGain: Float = 0

        package init() {}

        fileprivate func lookAhead(_ sampleRate: Double) -> Int {
            Int((Double(attackTime.held(0.001...0.03, otherwise: 0.012)) * sampleRate).rounded())
        }
        fileprivate var gain: Float { Float(Decibels.amplitude(Double(preGain.held(-40...40, otherwise: 0)))) }
        fileprivate func recovery(_ sampleRate: Double) -> Double {
            1 - DeterministicMath.exp(-1 / (Double(decayTime.held(0.001...0.06, otherwise: 0.024)) * sampleRate))
        }
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let capacity: Int
    private let glide: Int
    /// A ring for each channel.
    private let rings: SampleMemory
    /// The recovering gain of the past, in units of 2⁻⁴⁰.
    private let history: OwnedMemory<Int64>
    private var position = 0
    private var preGain: GainRamp
    private var peaks: SlidingPeak
    private var recovery: Double
    private var envelope = 1.0
    /// Where the sound is read, and where it was before the attack time changed.
    private var tap: LookAhead
    private var left: LookAhead
    private var fade = GainRamp(1)

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        let longest = Int(0.03 * sampleRate) + 2
        var capacity = 1
        while capacity < longest + 1 { capacity *= 2 }
        self.capacity = capacity
        glide = Int(0.02 * sampleRate)
        rings = SampleMemory(count: capacity * channelCount)
        history = OwnedMemory(count: capacity, LookAhead.unity)
        preGain = GainRamp(parameters.gain)
        recovery = parameters.recovery(sampleRate)
        tap = LookAhead(delay: parameters.lookAhead(sampleRate))
        left = tap
        peaks = SlidingPeak(longest: longest)
        peaks.window = tap.length
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glide
        preGain.setTarget(parameters.gain, frames: frames)
        recovery = parameters.recovery(sampleRate)
        let delay = parameters.lookAhead(sampleRate)
        if atOnce || delay != tap.delay { read(at: delay, frames: frames) }
    }

    /// Cross-fades to another look-ahead. Until it is over the gain looks as far as the longer of the two.
    private mutating func read(at delay: Int, frames: Int) {
        left = tap
        tap = LookAhead(delay: delay)
        for back in 1...tap.length { tap.sum += history.pointer[(position - back) & (capacity - 1)] - LookAhead.unity }
        fade = GainRamp(frames > 0 ? 0 : 1)
        fade.setTarget(1, frames: frames)
        peaks.window = frames > 0 ? max(left.length, tap.length) : tap.length
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        for i in 0..<frames {
            remember(hear(inputs, i))
            if fade.isIdle {
                for channel in 0..<channelCount {
                    outputs[channel][i] = tap.read(rings.pointer + channel * capacity, position, capacity - 1)
                }
            } else {
                crossFade(outputs, i)
            }
            position = (position + 1) & (capacity - 1)
        }
    }

    /// One frame into the rings; the largest magnitude of the window.
    @inline(__always)
    private mutating func hear(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ i: Int) -> Float {
        let gain = preGain.next()
        var peak: Float = 0
        for channel in 0..<channelCount {
            let sample = inputs[channel][i] * gain
            let usable = sample.magnitude <= .greatestFiniteMagnitude
            rings.pointer[channel * capacity + position] = usable ? sample : 0
            peak = max(peak, usable ? sample.magnitude : 0)
        }
        return peaks.next(peak)
    }

    /// The gain for a peak, into the means.
    @inline(__always)
    private mutating func remember(_ peak: Float) {
        let wanted = peak > 1 ? 1 / Double(peak) : 1
        envelope = wanted < envelope ? wanted : envelope + (wanted - envelope) * recovery
        if wanted - envelope < 1e-5 { envelope = wanted }
        let units = Int64(envelope * Double(LookAhead.unity))
        let mask = capacity - 1
        tap.sum += units - history.pointer[(position - tap.length) & mask]
        if !fade.isIdle { left.sum += units - history.pointer[(position - left.length) & mask] }
        history.pointer[position] = units
    }

    private mutating func crossFade(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ i: Int) {
        let weight = fade.next()
        for channel in 0..<channelCount {
            let ring = rings.pointer + channel * capacity
            let (old, new) = (left.read(ring, position, capacity - 1), tap.read(ring, position, capacity - 1))
            outputs[channel][i] = old + (new - old) * weight
        }
        if fade.isIdle { peaks.window = tap.length }
    }

    package mutating func reset() {
        rings.clear()
        history.fill(LookAhead.unity)
        peaks.reset()
        peaks.window = tap.length
        envelope = 1
        tap = LookAhead(delay: tap.delay)
        left = tap
        fade = GainRamp(1)
        preGain = GainRamp(preGain.target)
        position = 0
    }

    package static func latency(_ parameters: Parameters, sampleRate: Double) -> Int {
        parameters.lookAhead(sampleRate)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        Double(parameters.lookAhead(sampleRate)) / sampleRate
    }
}

/// One place to read the delayed sound, with the mean of the gains that go with it.
private struct LookAhead: BitwiseCopyable {
    /// A gain of 1.
    static let unity: Int64 = 1 << 40
    let delay: Int
    /// Gains in the mean.
    var length: Int { delay + 1 }
    /// Of the last `length` gains.
    var sum: Int64

    init(delay: Int) {
        self.delay = delay
        sum = Int64(delay + 1) * Self.unity
    }

    /// The clamp takes off what rounding may add: half a unit in the last place.
    @inline(__always)
    func read(_ ring: UnsafePointer<Float>, _ position: Int, _ mask: Int) -> Float {
        let gain = Float(Double(sum) / Double(Int64(length) * Self.unity))
        return min(max(ring[(position - delay) & mask] * gain, -1), 1)
    }
}

/// The largest of the last `window` values, exactly, in a handful of steps per value (Lemire, "Streaming
/// maximum–minimum filter using no more than three comparisons per element", 2006).
///
/// It keeps only the values that no later one has reached, the largest first, each with the frame it came in. Audio
/// thread; not shared.
struct SlidingPeak: ~Copyable {
    /// Frames looked back on, 1 … `longest`. A window that grows has forgotten what lay outside the smaller one.
    var window: Int { didSet { window = min(max(window, 1), longest) } }
    private let longest: Int
    private let values: SampleMemory
    private let births: OwnedMemory<Int>
    private let mask: Int
    private var frame = 0
    private var first = 0
    private var end = 0

    /// Starts with the whole of `longest` as its window.
    init(longest: Int) {
        self.longest = max(longest, 1)
        window = self.longest
        var capacity = 1
        while capacity < self.longest + 1 { capacity *= 2 }
        mask = capacity - 1
        values = SampleMemory(count: capacity)
        births = OwnedMemory(count: capacity, 0)
    }

    mutating func reset() { (frame, first, end) = (0, 0, 0) }

    /// Takes in one value, 0 or above, and gives the largest of the window that ends with it.
    @inline(__always)
    mutating func next(_ value: Float) -> Float {
        while end > first, values.pointer[(end - 1) & mask] <= value { end -= 1 }
        values.pointer[end & mask] = value
        births.pointer[end & mask] = frame
        end += 1
        while births.pointer[first & mask] <= frame - window { first += 1 }
        frame += 1
        return values.pointer[first & mask]
    }
}

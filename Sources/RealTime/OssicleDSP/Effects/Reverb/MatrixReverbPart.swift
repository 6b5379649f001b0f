import OssicleCore

/// One of the two parts of a `MatrixReverb`: a delay, two allpasses that thicken, a feedback delay network. Audio
/// thread, but for `init`.
struct MatrixReverbPart: ~Copyable {
    private var delay: Predelay
    private var first: VariableDiffuser
    private var second: VariableDiffuser
    private var network: FeedbackDelayNetwork
    private var field: FeedbackDelayNetwork.Parameters
    private let sampleRate: Double
    private let mono = SampleMemory(count: Grid.quantum)

    /// - Parameters:
    ///   - meanFreeTime: seconds, the scale of the network's delays. - longestDelay: seconds. - spread: seconds, the
    ///     allpasses' lengths.
    init(
        sampleRate: Double, meanFreeTime: Double, seed: UInt64, longestDelay: Double, spread: (Double, Double),
        delay seconds: Float, diffusion: Float, field: FeedbackDelayNetwork.Parameters
    ) {
        self.sampleRate = sampleRate
        self.field = field
        delay = Predelay(longest: Int(longestDelay * sampleRate) + 1)
        first = VariableDiffuser(length: Int(spread.0 * sampleRate), gain: diffusion)
        second = VariableDiffuser(length: Int(spread.1 * sampleRate), gain: diffusion)
        network = FeedbackDelayNetwork(
            .init(sampleRate: sampleRate, meanFreeTime: meanFreeTime, longestStart: 0, seed: seed), field)
        delay.setTarget(Self.frames(seconds, sampleRate), frames: 0)
    }

    private static func frames(_ seconds: Float, _ sampleRate: Double) -> Int {
        Int((Double(seconds) * sampleRate).rounded())
    }

    mutating func setTarget(delay seconds: Float, diffusion: Float, field: FeedbackDelayNetwork.Parameters, frames: Int)
    {
        if frames == 0 || Self.frames(seconds, sampleRate) != delay.target {
            delay.setTarget(Self.frames(seconds, sampleRate), frames: frames)
        }
        first.setTarget(diffusion, frames: frames)
        second.setTarget(diffusion, frames: frames)
        if frames == 0 || field != self.field { network.setTarget(field, frames: frames) }
        self.field = field
    }

    mutating func reset() {
        delay.reset()
        first.reset()
        second.reset()
        network.reset()
    }

    /// Mono in, eight channels out (overwritten).
    mutating func process(
        _ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        mono.pointer.update(from: input, count: n)
        delay.process(mono.pointer, n)
        first.process(mono.pointer, n)
        second.process(mono.pointer, n)
        network.process(mono.pointer, outputs: outputs, n)
    }
}

/// A Schroeder allpass whose gain may move: at 0 a plain delay, the nearer to 1 the thicker the echoes.
///
///     v = x + g·v[n−M];   y = v[n−M] − g·v
///
/// Audio thread; not shared.
struct VariableDiffuser: ~Copyable {
    private let ring: SampleMemory
    private var gain: GainRamp
    private var position = 0

    init(length: Int, gain: Float) {
        ring = SampleMemory(count: length)
        self.gain = GainRamp(gain)
    }

    /// Below 1 in magnitude.
    mutating func setTarget(_ gain: Float, frames: Int) { self.gain.setTarget(gain, frames: frames) }

    mutating func reset() {
        ring.clear()
        position = 0
        gain = GainRamp(gain.target)
    }

    /// In place.
    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = min(n, gain.framesLeft)
        for i in 0..<moving { pass(buffer + i, 1, gain.next()) }
        pass(buffer + moving, n - moving, gain.target)
    }

    private mutating func pass(_ buffer: UnsafeMutablePointer<Float>, _ n: Int, _ g: Float) {
        var position = self.position
        for i in 0..<n {
            let old = ring[position]
            let v = buffer[i] + g * old
            buffer[i] = old - g * v
            ring[position] = v
            position = position + 1 == ring.count ? 0 : position + 1
        }
        self.position = position
    }
}

/// A delay that swings as a sine: pitches a little up and down what passes, so that a reverb's resonances never stand
/// still.
///
/// The sine is taken at the lines of a grid of the delay's own frames, straight lines between. In place; audio thread,
/// but for `init`.
struct SwayingDelay: ~Copyable {
    /// At a depth of 1.
    private static let amplitude = 0.001
    private let sampleRate: Double
    private var line: FractionalDelayLine
    private var tap: DelayTap
    private var rate: Double
    private var depth: Double
    /// Turns, 0 … 1, at the next line of the grid.
    private var phase = 0.0
    private var position = 0

    init(sampleRate: Double, rate: Double, depth: Double) {
        self.sampleRate = sampleRate
        (self.rate, self.depth) = (rate, depth)
        let middle = Self.middle(sampleRate)
        line = FractionalDelayLine(maximumDelay: Int(2 * middle))
        tap = DelayTap(middle)
    }

    /// Frames around which it swings, and by which everything is late.
    private static func middle(_ sampleRate: Double) -> Double {
        (amplitude * sampleRate).rounded() + FractionalDelayLine.minimumDelay
    }

    mutating func set(rate: Double, depth: Double) { (self.rate, self.depth) = (rate, depth) }

    mutating func reset() {
        line.reset()
        tap = DelayTap(Self.middle(sampleRate))
        (phase, position) = (0, 0)
    }

    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n {
            if position == 0 { aim() }
            let run = min(n - done, Grid.quantum - position)
            line.write(buffer + done, run)
            line.read(&tap, to: buffer + done, run)
            position = (position + run) % Grid.quantum
            done += run
        }
    }

    private mutating func aim() {
        phase += rate * Double(Grid.quantum) / sampleRate
        if phase >= 1 { phase -= 1 }
        let swing = DeterministicMath.sin(2 * DeterministicMath.pi * phase) * depth * Self.amplitude * sampleRate
        tap.setTarget(Self.middle(sampleRate) + swing, frames: Grid.quantum)
    }
}

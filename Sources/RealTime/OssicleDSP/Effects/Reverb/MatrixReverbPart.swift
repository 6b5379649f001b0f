import OssicleCore

/// One of the two parts of a `MatrixReverb`: a delay, two allpasses that thicken, a feedback delay network. Audio thread, but for `init`.
struct MatrixReverbPart: ~Copyable {
    private var delay: Predelay
    private var first: VariableDiffuser
    private var second: VariableDiffuser
    private var network: FeedbackDelayNetwork
    private var field: FeedbackDelayNetwork.Parameters
    private let sampleRate: Double
    private let mono = SampleMemory(count: Grid.quantum)

    /// - Parameters:
    ///   - meanFreeTime: seconds, the scale of the network's delays. - longestDelay: seconds. - spread: seconds, the allpasses' lengths.
    init(sampleRate: Double, meanFreeTime: Double, seed: UInt64, longestDelay: Double, spread: (Double, Double),
         delay seconds: Float, diffusion: Float, field: FeedbackDelayNetwork.Parameters) {
        self.sampleRate = sampleRate
        self.field = field
        delay = Predelay(longest: Int(longestDelay * sampleRate) + 1)
        first = VariableDiffuser(length: Int(spread.0 * sampleRate), gain: diffusion)
        second = VariableDiffuser(length: Int(spread.1 * sampleRate), gain: diffusion)
        network = FeedbackDelayNetwork(.init(sampleRate: sampleRate, meanFreeTime: meanFreeTime, longestStart: 0, seed: seed), field)
        delay.setTarget(Self.frames(seconds, sampleRate), frames: 0)
    }

    private static func frames(_ seconds: Float, _ sampleRate: Double) -> Int { Int((Double(seconds) * sampleRate).rounded()) }

    mutating func setTarget(delay seconds: Float, diffusion: Float, field: FeedbackDelayNetwork.Parameters, frames: Int) {
        if frames == 0 || Self.frames(seconds, sampleRate) != delay.target { delay.setTarget(Self.frames(seconds, sampleRate), frames: frames) }
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
    mutating func process(_ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        mono.pointer.update(from: input, count: n)
        delay.process(mono.pointer, n)
        first.process(mono.pointer, n)
        second.process(mono.pointer, n)
        network.process(mono.pointer, outputs: outputs, n)
    }
}

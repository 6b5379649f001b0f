import OssicleCore

/// What every effect with as many frames out as in offers to the renderer that runs it.
///
/// A kernel owns its memory: it allocates in `init`, on the control side, and never again. `process` cut into any
/// pieces gives the same bytes as in one. Inputs and outputs never overlap, and there are as many of either as the
/// kernel has channels.
package protocol EffectKernel: ~Copyable {
    /// Plain values in the client's units, clamped before they come here.
    associatedtype Parameters: BitwiseCopyable

    /// - Parameters:
    ///   - sampleRate: Hz.
    ///   - parameters: in force at once.
    init(sampleRate: Double, channelCount: Int, parameters: Parameters)

    /// Applies new parameters, on the audio thread at a control point. Where a jump would click, the kernel glides to
    /// them over frames counted from here, unless `atOnce`.
    mutating func take(_ parameters: Parameters, atOnce: Bool)

    mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int)

    /// Clears all memory of input; its parameters stay.
    mutating func reset()

    /// Frames by which the output lags behind the input.
    static func latency(_ parameters: Parameters, sampleRate: Double) -> Int

    /// Seconds until the output has fallen by 60 dB after the input fell silent.
    static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double
}

extension EffectKernel where Self: ~Copyable {
    package static func latency(_ parameters: Parameters, sampleRate: Double) -> Int { 0 }
}

/// The balance of an effect and the sound it was made of: to = dry · a + wet · b.
///
/// At 0 % the output is the dry sound bit for bit, at 100 % the wet one. Changes glide in both gains. One mix serves
/// all channels, each with a copy; the last copy goes back. Audio thread.
struct EffectMix: BitwiseCopyable, Sendable {
    enum Law {
        /// a² + b² = 1, for wet sound unlike the dry (echoes, reverberation): their powers add.
        case equalPower
        /// a + b = 1, for wet sound much like the dry: their amplitudes add.
        case linear

        func gains(_ percent: Float, _ decibels: Float) -> (dry: Float, wet: Float) {
            let share = percent.isFinite ? min(max(Double(percent) / 100, 0), 1) : 0
            let level = decibels == 0 ? 1 : Float(Decibels.amplitude(Double(decibels)))
            if self == .linear || share == 0 || share == 1 { return (Float(1 - share), level * Float(share)) }
            let turn = DeterministicMath.sincos(share * DeterministicMath.pi / 2)
            return (Float(turn.cos), level * Float(turn.sin))
        }
    }

    private let law: Law
    private var dry: GainRamp
    private var wet: GainRamp

    /// - Parameters:
    ///   - percent: 0 … 100 of wet; not finite counts as 0. - gain: dB of the wet sound alone.
    init(_ percent: Float, law: Law, gain: Float = 0) {
        let gains = law.gains(percent, gain)
        (self.law, dry, wet) = (law, GainRamp(gains.dry), GainRamp(gains.wet))
    }

    mutating func setTarget(_ percent: Float, gain: Float = 0, frames: Int) {
        let gains = law.gains(percent, gain)
        dry.setTarget(gains.dry, frames: frames)
        wet.setTarget(gains.wet, frames: frames)
    }

    /// To the end of a running glide at once.
    mutating func finish() {
        dry.setTarget(dry.target, frames: 0)
        wet.setTarget(wet.target, frames: 0)
    }

    /// The three must not overlap.
    mutating func process(
        dry x: UnsafePointer<Float>, wet w: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        let moving = min(max(dry.framesLeft, wet.framesLeft), n)
        for i in 0..<moving { to[i] = x[i] * dry.next() + w[i] * wet.next() }
        let rest = n - moving
        // A sum with nothing would turn −0 into 0.
        if dry.target == 0 { return wet.process(from: w + moving, to: to + moving, rest) }
        dry.process(from: x + moving, to: to + moving, rest)
        wet.add(from: w + moving, to: to + moving, rest)
    }

    /// All channels; channel c gets the effect's output c, and beyond their count they begin anew.
    mutating func process(
        dry inputs: UnsafePointer<UnsafeMutablePointer<Float>>, wet: UnsafePointer<UnsafeMutablePointer<Float>>,
        wetCount: Int,
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, _ n: Int
    ) {
        let start = self
        for channel in 0..<channelCount {
            self = start
            process(dry: inputs[channel], wet: wet[channel % wetCount], to: outputs[channel], n)
        }
    }
}

extension Float {
    /// Within a parameter's range; what is not finite becomes its default. Kernels are given clamped values, and stay
    /// sane when they are not.
    @inline(__always)
    func held(_ range: ClosedRange<Float>, otherwise standard: Float) -> Float {
        isFinite ? Swift.min(Swift.max(self, range.lowerBound), range.upperBound) : standard
    }
}

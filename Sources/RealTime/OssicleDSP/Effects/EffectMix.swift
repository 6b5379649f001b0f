import OssicleCore

/// The balance of an effect and the sound it was made of: to = dry · a + wet · b.
///
/// At 0 % the output is the dry sound bit for bit, at 100 % the wet one. Changes glide in both gains. One mix serves all channels, each
/// with a copy; the last copy goes back. Audio thread.
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
    mutating func process(dry x: UnsafePointer<Float>, wet w: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = min(max(dry.framesLeft, wet.framesLeft), n)
        for i in 0..<moving { to[i] = x[i] * dry.next() + w[i] * wet.next() }
        let rest = n - moving
        // A sum with nothing would turn −0 into 0.
        if dry.target == 0 { return wet.process(from: w + moving, to: to + moving, rest) }
        dry.process(from: x + moving, to: to + moving, rest)
        wet.add(from: w + moving, to: to + moving, rest)
    }

    /// All channels; channel c gets the effect's output c, and beyond their count they begin anew.
    mutating func process(dry inputs: UnsafePointer<UnsafeMutablePointer<Float>>, wet: UnsafePointer<UnsafeMutablePointer<Float>>, wetCount: Int,
                          to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, _ n: Int) {
        let start = self
        for channel in 0..<channelCount {
            self = start
            process(dry: inputs[channel], wet: wet[channel % wetCount], to: outputs[channel], n)
        }
    }
}

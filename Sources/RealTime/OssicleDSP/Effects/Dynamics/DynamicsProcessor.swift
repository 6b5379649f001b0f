import OssicleCore

/// A compressor and downward expander whose channels are linked.
///
///     y = x · gain(largest |x| of all channels) · overallGain          static law: `DynamicsLaw`; attack and release: `GainComputer`
///
/// While the level lies between the thresholds and the overall gain is 0 dB, samples pass bit for bit. No latency: the attack is heard.
/// Audio thread, but for `init`.
package struct DynamicsProcessor: EffectKernel, ~Copyable {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// dB, −40 … 20.
        package var threshold: Float = -20
        /// dB, 0.1 … 40: the most by which the output rises above the threshold.
        package var headRoom: Float = 5
        /// 1 … 50, dB out per dB in below the expansion threshold.
        package var expansionRatio: Float = 2
        /// dB, −120 … 0; at its default nothing that can be heard is expanded.
        package var expansionThreshold: Float = -120
        /// Seconds, 0.0001 … 0.2 and 0.01 … 3: time constants of the gain in dB.
        package var attackTime: Float = 0.001
        package var releaseTime: Float = 0.05
        /// dB, −40 … 40.
        package var overallGain: Float = 0

        package init() {}

        fileprivate var law: DynamicsLaw {
            DynamicsLaw(threshold: threshold.held(-40...20, otherwise: -20), headRoom: headRoom.held(0.1...40, otherwise: 5),
                        expansionThreshold: expansionThreshold.held(-120...0, otherwise: -120), expansionRatio: expansionRatio.held(1...50, otherwise: 2))
        }

        fileprivate var attack: Float { attackTime.held(0.0001...0.2, otherwise: 0.001) }
        fileprivate var release: Float { releaseTime.held(0.01...3, otherwise: 0.05) }
        fileprivate var makeup: Float { Float(Decibels.amplitude(Double(overallGain.held(-40...40, otherwise: 0)))) }
    }

    /// Where the newest `meter` goes after every call, if anybody reads it. Whoever made the cell keeps it alive for as long and frees it.
    package var report: LatestValueCell<DynamicsMeter>?
    private(set) package var meter = DynamicsMeter()
    private let channelCount: Int
    private let glide: Int
    private var parameters: Parameters
    private var computer: GainComputer
    private var makeup: GainRamp

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.channelCount = channelCount
        glide = Int(0.02 * sampleRate)
        self.parameters = parameters
        computer = GainComputer(sampleRate: sampleRate, law: parameters.law, attackTime: parameters.attack, releaseTime: parameters.release)
        makeup = GainRamp(parameters.makeup)
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glide
        self.parameters = parameters
        computer.set(attackTime: parameters.attack, releaseTime: parameters.release)
        computer.setTarget(parameters.law, frames: frames)
        makeup.setTarget(parameters.makeup, frames: frames)
    }

    package mutating func process(from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                                  frames: Int) {
        let gains = computer.block.pointer
        LinkedMagnitude.measure(inputs, channelCount, into: gains, frames)
        computer.process(frames)
        makeup.process(gains, frames)
        for channel in 0..<channelCount { LinkedMagnitude.scale(inputs[channel], by: gains, to: outputs[channel], frames) }
        meter = DynamicsMeter(computer, makeup: makeup.value)
        report?.write(meter)
    }

    package mutating func reset() {
        computer.reset()
        take(parameters, atOnce: true)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double { 0 }
}

import OssicleCore

/// A compressor and downward expander whose channels are linked.
///
///     y = x · gain(largest |x| of all channels) · overallGain          static law: `DynamicsLaw`; attack and release: `GainComputer`
///
/// While the level lies between the thresholds and the overall gain is 0 dB, samples pass bit for bit. No latency: the
/// attack is audible. Audio thread, but for `init`.
package struct DynamicsProcessor: EffectKernel, ~Copyable {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// dB, −40 … 20.
        package var threshold: Float = -20
        /// dB, 0.1 … 40: the most by which the output rises above the threshold.
        package var headRoom: Float = 5
        /// 1 … 50, dB out per dB in below the expansion threshold.
        package var expansionRatio: Float = 2
        /// dB, −120 … 0; at its default nothing audible is expanded.
        package var expansionThreshold: Float = -120
        /// Seconds, 0.0001 … 0.2 and 0.01 … 3: time constants of the gain in dB.
        package var attackTime: Float = 0.001
        package var releaseTime: Float = 0.05
        /// dB, −40 … 40.
        package var overallGain: Float = 0

        package init() {}

        fileprivate var law: DynamicsLaw {
            DynamicsLaw(
                threshold: threshold.held(-40...20, otherwise: -20), headRoom: headRoom.held(0.1...40, otherwise: 5),
                expansionThreshold: expansionThreshold.held(-120...0, otherwise: -120),
                expansionRatio: expansionRatio.held(1...50, otherwise: 2))
        }

        fileprivate var attack: Float { attackTime.held(0.0001...0.2, otherwise: 0.001) }
        fileprivate var release: Float { releaseTime.held(0.01...3, otherwise: 0.05) }
        fileprivate var makeup: Float { Float(Decibels.amplitude(Double(overallGain.held(-40...40, otherwise: 0)))) }
    }

    /// Where the newest `meter` goes after every call if it is read. The cell's owner keeps it alive for as
    /// long and frees it.
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
        computer = GainComputer(
            sampleRate: sampleRate, law: parameters.law, attackTime: parameters.attack, releaseTime: parameters.release)
        makeup = GainRamp(parameters.makeup)
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glide
        self.parameters = parameters
        computer.set(attackTime: parameters.attack, releaseTime: parameters.release)
        computer.setTarget(parameters.law, frames: frames)
        makeup.setTarget(parameters.makeup, frames: frames)
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        let gains = computer.block.pointer
        LinkedMagnitude.measure(inputs, channelCount, into: gains, frames)
        computer.process(frames)
        makeup.process(gains, frames)
        for channel in 0..<channelCount {
            LinkedMagnitude.scale(inputs[channel], by: gains, to: outputs[channel], frames)
        }
        meter = DynamicsMeter(computer, makeup: makeup.value)
        report?.write(meter)
    }

    package mutating func reset() {
        computer.reset()
        take(parameters, atOnce: true)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double { 0 }
}

/// What a compressor is doing, as of the last frame it worked on. Levels are those of the held peak.
package struct DynamicsMeter: BitwiseCopyable, Hashable, Sendable {
    /// dB, 0 and above.
    package var compressionAmount: Float = 0
    /// dB re full scale, −120 and above.
    package var inputAmplitude: Float = lowest
    package var outputAmplitude: Float = lowest

    private static let lowest: Float = -120

    package init() {}

    init(_ computer: borrowing GainComputer, makeup: Float) {
        compressionAmount = computer.compressionAmount
        inputAmplitude = max(computer.level, Self.lowest)
        outputAmplitude = max(
            computer.level + computer.gain + Float(Decibels.of(amplitude: Double(max(makeup, 1e-6)))), Self.lowest)
    }
}

/// The loudest of all channels frame by frame, so that they are turned down together and keep their places.
enum LinkedMagnitude {
    /// What is not finite counts as silence.
    static func measure(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int,
        into magnitudes: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        magnitudes.update(repeating: 0, count: n)
        for channel in 0..<count {
            let samples = channels[channel]
            for i in 0..<n {
                let magnitude = samples[i].magnitude
                magnitudes[i] =
                    magnitude <= .greatestFiniteMagnitude && magnitude > magnitudes[i] ? magnitude : magnitudes[i]
            }
        }
    }

    /// to = from · gains; what is not finite becomes silence.
    static func scale(
        _ from: UnsafePointer<Float>, by gains: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        for i in 0..<n {
            let sample = from[i] * gains[i]
            to[i] = sample.magnitude <= .greatestFiniteMagnitude ? sample : 0
        }
    }
}

import OssicleCore

/// A reverb with the factory presets' rooms.
///
///     x ─┬─▶ mean of the channels ─▶ feedback delay network ═▶ eight outputs, one for each channel ─▶ wet ─▶(+)─▶ y
///        └───────────────────────────────── dry ───────────────────────────────────────────────────────▲
///
/// The outputs are orthogonal mixes of the network's lines, so the channels' tails have nothing to do with each other; beyond eight channels they repeat.
/// Level: at 100 % steady noise of the middle octaves that is in all channels comes out as loud as it went in, with every preset. So the equal-power
/// mix never changes how loud steady sound is, only how it sounds; rooms' physical levels would put halls 16 dB below chambers.
///
/// Once nothing can be heard of it any more the network sleeps, and costs nothing until the next sound. Audio thread, but for `init`.
package struct ReverbEffect: EffectKernel, ~Copyable {
    private let channelCount: Int
    private let glide: Int
    private var parameters: Parameters
    private var mix: EffectMix
    private var pool: NetworkPool
    private var watch: SilenceWatch
    private let mono = SampleMemory(count: Grid.quantum)
    private let wet = SampleMemory(count: FeedbackDelayNetwork.outputCount * Grid.quantum)
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.channelCount = channelCount
        glide = Int(0.02 * sampleRate)
        self.parameters = parameters
        mix = EffectMix(parameters.wetDryMix, law: .equalPower, gain: parameters.level)
        pool = NetworkPool(sampleRate: sampleRate, seed: parameters.seed, meanFreeTime: parameters.meanFreeTime, field: parameters.field)
        // The longest start and the longest line.
        watch = SilenceWatch(patience: Int(1.25 * sampleRate))
        heads = OwnedMemory(count: FeedbackDelayNetwork.outputCount, wet.pointer)
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        self.parameters = parameters
        mix.setTarget(parameters.wetDryMix, gain: parameters.level, frames: atOnce ? 0 : glide)
        // Asleep there is nothing that could click.
        pool.take(meanFreeTime: parameters.meanFreeTime, field: parameters.field, atOnce: atOnce || watch.isAsleep)
        if !watch.isAsleep { watch.wake() }
    }

    package mutating func process(from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                                  frames: Int) {
        guard channelCount > 0 else { return }
        MonoSum.mean(inputs, channelCount, to: mono.pointer, frames)
        var done = 0
        while done < frames {
            let run = min(frames - done, watch.framesToLook, pool.framesToChange)
            point(at: done)
            reverberate(done, run)
            done += run
        }
        point(at: 0)
        mix.process(dry: inputs, wet: heads.pointer, wetCount: FeedbackDelayNetwork.outputCount, to: outputs, channelCount: channelCount, frames)
    }

    private func point(at offset: Int) {
        for output in 0..<FeedbackDelayNetwork.outputCount { heads.pointer[output] = wet.pointer + output * Grid.quantum + offset }
    }

    /// `mono` from `offset` on into where the heads point.
    private mutating func reverberate(_ offset: Int, _ n: Int) {
        let input = mono.pointer + offset
        if watch.isAsleep {
            if SilenceWatch.isSilent(input, n) {
                for output in 0..<FeedbackDelayNetwork.outputCount { heads.pointer[output].update(repeating: 0, count: n) }
                return
            }
            watch.wake()
        }
        pool.process(input, to: heads.pointer, n)
        watch.hear(input, n)
        for output in 0..<FeedbackDelayNetwork.outputCount { watch.hear(heads.pointer[output], n) }
        if watch.fallsAsleep(after: n) { pool.reset() }
    }

    package mutating func reset() {
        pool.reset()
        watch.wake()
        take(parameters, atOnce: true)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        Double(parameters.field.t60.lanes.max()) + parameters.start
    }
}

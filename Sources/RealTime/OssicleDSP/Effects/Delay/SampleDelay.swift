import OssicleCore

/// A delay by whole frames: an exact copy, later. Another delay is taken up by a cross-fade of 20 ms; one that is asked
/// for meanwhile waits until it is over.
///
/// It is wanted as a delay, so it reports a tail and no latency: a host must not compensate for it. Audio thread, but
/// for `init`.
package struct SampleDelay: EffectKernel, ~Copyable {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Frames, 0 … one second of them.
        package var delayFrames: Float = 0

        package init() {}

        fileprivate func frames(_ sampleRate: Double) -> Int {
            Int(delayFrames.held(0...Float(sampleRate), otherwise: 0).rounded())
        }
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let glide: Int
    private let mask: Int
    /// A ring for each channel.
    private let rings: SampleMemory
    private var position = 0
    private var left = 0
    private var target: Int
    private var waiting: Int
    private var fade = GainRamp(1)

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        glide = Int(0.02 * sampleRate)
        var capacity = 1
        while capacity < Int(sampleRate) + 1 + Grid.quantum { capacity *= 2 }
        mask = capacity - 1
        rings = SampleMemory(count: capacity * channelCount)
        target = parameters.frames(sampleRate)
        waiting = target
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        waiting = parameters.frames(sampleRate)
        if atOnce {
            target = waiting
            fade = GainRamp(1)
        } else {
            leave()
        }
    }

    /// Starts on the way to the newest delay, if none is under way.
    private mutating func leave() {
        guard fade.isIdle, waiting != target else { return }
        (left, target) = (target, waiting)
        fade = GainRamp(0)
        fade.setTarget(1, frames: glide)
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        for channel in 0..<channelCount { write(inputs[channel], to: ring(channel), frames) }
        var done = 0
        while done < frames {
            let run = fade.isIdle ? frames - done : min(frames - done, fade.framesLeft)
            for channel in 0..<channelCount {
                read(target, from: ring(channel), at: done, to: outputs[channel] + done, run)
            }
            if !fade.isIdle { mixIn(outputs, done, run) }
            done += run
        }
        position = (position + frames) & mask
    }

    private func ring(_ channel: Int) -> UnsafeMutablePointer<Float> { rings.pointer + channel * (mask + 1) }

    private func write(_ from: UnsafePointer<Float>, to ring: UnsafeMutablePointer<Float>, _ n: Int) {
        let straight = min(n, mask + 1 - position)
        (ring + position).update(from: from, count: straight)
        ring.update(from: from + straight, count: n - straight)
    }

    private func read(
        _ delay: Int, from ring: UnsafePointer<Float>, at offset: Int, to: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        let start = (position + offset - delay) & mask
        let straight = min(n, mask + 1 - start)
        to.update(from: ring + start, count: straight)
        (to + straight).update(from: ring, count: n - straight)
    }

    /// The delay being left, over what is in the outputs.
    private mutating func mixIn(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ done: Int, _ n: Int) {
        for i in done..<(done + n) {
            let weight = fade.next()
            for channel in 0..<channelCount {
                let old = ring(channel)[(position + i - left) & mask]
                outputs[channel][i] = old + (outputs[channel][i] - old) * weight
            }
        }
        leave()
    }

    package mutating func reset() {
        rings.clear()
        position = 0
        target = waiting
        fade = GainRamp(1)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        Double(parameters.frames(sampleRate)) / sampleRate
    }
}

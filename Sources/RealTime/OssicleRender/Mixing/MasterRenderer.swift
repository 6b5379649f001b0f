import OssicleCore
import OssicleDSP

/// The last step: direct sound plus reverb, meters, and the safety limiter. Ports: direct, late → output; or, where
/// insert effects have worked on the sum of the two, direct, late, that → output.
package struct MasterRenderer: ControlledRenderer, ~Copyable {
    /// Totals since the renderer was made.
    package struct Meters: BitwiseCopyable {
        package var frames: Int64 = 0
        /// Sums of squares over all channels.
        package var directEnergy = 0.0
        package var reverbEnergy = 0.0
        /// Largest output sample so far.
        package var peak: Float = 0
        package var limitedFrames: Int64 = 0
        /// Frames silenced because a sample was not finite.
        package var nonFiniteFrames: Int64 = 0

        package init() {}
    }

    /// The render side writes, the control side reads.
    package var control: LatestValueCell<Meters> { meters }
    private let meters = LatestValueCell(Meters())
    private let channelCount: Int
    private var limiter: Limiter
    private var totals = Meters()

    package init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        limiter = Limiter(sampleRate: sampleRate)
    }

    deinit { meters.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        let isSummed = ports.inputCount > 2 * channelCount
        for channel in 0..<channelCount {
            let (direct, late, output) = (
                ports.input(channel), ports.input(channelCount + channel), ports.output(channel)
            )
            totals.directEnergy += Mixing.energy(direct, frames)
            totals.reverbEnergy += Mixing.energy(late, frames)
            if isSummed {
                output.update(from: ports.input(2 * channelCount + channel), count: frames)
            } else {
                Mixing.sum(direct, late, to: output, frames)
            }
        }
        limiter.process(ports.outputs, channelCount: channelCount, frames)
        measureOutput(ports, frames)
    }

    private mutating func measureOutput(_ ports: Ports, _ frames: Int) {
        for channel in 0..<channelCount {
            let output = ports.output(channel)
            for frame in 0..<frames { totals.peak = max(totals.peak, output[frame].magnitude) }
        }
        totals.frames += Int64(frames)
        totals.limitedFrames = Int64(limiter.limitedFrames)
        totals.nonFiniteFrames = Int64(limiter.nonFiniteFrames)
        meters.write(totals)
    }
}

/// Ahead of a master with insert effects: passes direct and late sound on for its meters, and sums them for the
/// effects. Ports: direct, late → direct, late, sum.
package struct MixRenderer: ~Copyable {
    private let channelCount: Int

    package init(channelCount: Int) { self.channelCount = channelCount }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        for channel in 0..<2 * channelCount { ports.output(channel).update(from: ports.input(channel), count: frames) }
        for channel in 0..<channelCount {
            Mixing.sum(
                ports.input(channel), ports.input(channelCount + channel), to: ports.output(2 * channelCount + channel),
                frames)
        }
        let (isDirectSilent, isLateSilent) = (ports.isInputSilent(0), ports.isInputSilent(1))
        if isDirectSilent { ports.markSilent(0) }
        if isLateSilent { ports.markSilent(1) }
        if isDirectSilent, isLateSilent { ports.markSilent(2) }
    }
}

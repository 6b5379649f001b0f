import OssicleCore
import OssicleDSP

/// From one input to the other in a straight line, once, from the first frame it renders. Ports: old, new → out.
///
/// Afterwards `new` passes bit for bit.
package struct CrossFadeRenderer: ~Copyable {
    private let channelCount: Int
    private var gain = GainRamp(0)

    /// - Parameter frames: length of the fade.
    package init(channelCount: Int, frames: Int) {
        self.channelCount = channelCount
        gain.setTarget(1, frames: frames)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let before = gain
        for channel in 0..<channelCount {
            gain = before
            let (old, new, output) = (ports.input(channel), ports.input(channelCount + channel), ports.output(channel))
            let moving = min(gain.framesLeft, context.frames)
            for frame in 0..<moving {
                let share = gain.next()
                output[frame] = old[frame] * (1 - share) + new[frame] * share
            }
            (output + moving).update(from: new + moving, count: context.frames - moving)
        }
        if ports.isInputSilent(0), ports.isInputSilent(1) { ports.markSilent(0) }
    }
}

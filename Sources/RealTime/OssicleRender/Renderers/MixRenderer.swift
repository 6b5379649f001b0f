import OssicleCore

/// Ahead of a master with insert effects: passes direct and late sound on for its meters, and sums them for the effects.
/// Ports: direct, late → direct, late, sum.
package struct MixRenderer: ~Copyable {
    private let channelCount: Int

    package init(channelCount: Int) { self.channelCount = channelCount }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        for channel in 0..<2 * channelCount { ports.output(channel).update(from: ports.input(channel), count: frames) }
        for channel in 0..<channelCount {
            Mixing.sum(ports.input(channel), ports.input(channelCount + channel), to: ports.output(2 * channelCount + channel), frames)
        }
        let (isDirectSilent, isLateSilent) = (ports.isInputSilent(0), ports.isInputSilent(1))
        if isDirectSilent { ports.markSilent(0) }
        if isLateSilent { ports.markSilent(1) }
        if isDirectSilent, isLateSilent { ports.markSilent(2) }
    }
}

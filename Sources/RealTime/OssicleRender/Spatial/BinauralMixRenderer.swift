import OssicleCore
import OssicleDSP

/// Plays what the voices of one output have added up to, a quantum later. Ports: an empty one, for the order → left,
/// right.
///
/// Whoever adds to its sums is connected to its input, through a port without channels: it runs before this one.
package struct BinauralMixRenderer: ~Copyable {
    package var sums: BinauralSums { mix.sums }
    private let mix: BinauralMix

    package init(_ mix: consuming BinauralMix) { self.mix = mix }

    package func render(_ ports: Ports, _ context: RenderContext) {
        for ear in 0..<2 { Mixing.clear(ports.output(ear), context.frames) }
        let sounds = mix.play(
            addingToLeft: ports.output(0), right: ports.output(1), offset: context.offset, context.frames)
        if !sounds { ports.markSilent(0) }
    }
}

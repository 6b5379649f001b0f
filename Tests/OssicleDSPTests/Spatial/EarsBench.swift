import OssicleCore
import OssicleDSP

/// One voice's ears, and a mix of their own or one that they share: what goes in comes out `BinauralMix.latency` frames
/// later.
final class EarsBench {
    final class Mix {
        let mix: BinauralMix
        init(tapCount: Int) { mix = BinauralMix(tapCount: tapCount) }
    }

    var ears: BinauralEars
    private let output: Mix
    private var position = 0

    init(tapCount: Int, addingTo output: Mix? = nil) {
        ears = BinauralEars(tapCount: tapCount)
        self.output = output ?? Mix(tapCount: tapCount)
    }

    func reset() {
        ears.reset()
        output.mix.reset()
        position = 0
    }

    /// - Parameters:
    ///   - left, right: at the ears. - cuts: lengths of the blocks, repeated; grid lines cut as well.
    ///   - plays: whether the mix plays, after all that share it have added.
    ///   - before: called ahead of every block with its first frame.
    /// - Returns: as many frames as went in.
    func render(
        _ left: [Float], _ right: [Float], cuts: [Int] = [128], plays: Bool = true,
        before: (Int, inout BinauralEars) -> Void = { _, _ in }
    ) -> (left: [Float], right: [Float]) {
        var out = (left: [Float](repeating: 0, count: left.count), right: [Float](repeating: 0, count: left.count))
        var (done, cut) = (0, 0)
        while done < left.count {
            before(done, &ears)
            let offset = position % Grid.quantum
            let frames = min(cuts[cut % cuts.count], Grid.quantum - offset, left.count - done)
            for i in 0..<frames {
                ears.leftInput(offset)[i] = left[done + i]
                ears.rightInput(offset)[i] = right[done + i]
            }
            ears.process(offset: offset, frames, addingTo: BinauralTargets(common: output.mix.sums))
            out.left.withUnsafeMutableBufferPointer { l in
                out.right.withUnsafeMutableBufferPointer { r in
                    guard plays, let l = l.baseAddress, let r = r.baseAddress else { return }
                    _ = output.mix.play(addingToLeft: l + done, right: r + done, offset: offset, frames)
                }
            }
            (done, cut, position) = (done + frames, cut + 1, position + frames)
        }
        return out
    }
}

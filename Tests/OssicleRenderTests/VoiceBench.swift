import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// A binaural voice alone, and the mix that plays it.
final class VoiceBench {
    var voice: DirectionalVoice
    private let mix: BinauralMix
    private var position = 0

    init(_ cell: HRTFCell, longestDelay: Int) {
        voice = DirectionalVoice(spatializer: .binaural(cell), outputCount: 2, longestDelay: longestDelay)
        mix = BinauralMix(tapCount: cell.table.tapCount)
    }

    /// Both ears of so many frames of the sound from frame `start` on.
    func render(_ sound: SampleBlock, from start: Int, _ frames: Int, to left: SampleBlock, _ right: SampleBlock) {
        var done = 0
        while done < frames {
            let (offset, at) = (position % Grid.quantum, start + done)
            let run = min(frames - done, Grid.quantum - offset)
            var gain = GainRamp(1)
            voice.process(
                sound.pointer + at, gain: &gain, addingTo: .ears(BinauralTargets(common: mix.sums)), offset: offset, run
            )
            _ = mix.play(addingToLeft: left.pointer + at, right: right.pointer + at, offset: offset, run)
            (done, position) = (done + run, position + run)
        }
    }
}

extension Graph {
    /// A binaural strip, and behind it what plays its voice.
    /// - Returns: the strip, with its send at port 1, and the port of both ears.
    mutating func addStrip(
        _ box: ControlledBox<SpatialRenderer>, tapCount: Int, meter: RendererBox<StepMeter>? = nil
    ) -> (strip: NodeID, ears: Port) {
        let mix = RendererBox(BinauralMixRenderer(BinauralMix(tapCount: tapCount)))
        let strip = add(
            "strip", .spatial(box.pointer, BinauralTargets(common: mix.pointer.pointee.sums), nil), owner: box,
            inputs: [1],
            outputs: [0, 1])
        let ears = Port(add("ears", .binauralMix(mix.pointer), owner: mix, inputs: [0], outputs: [2], meter: meter))
        connect(Port(strip), to: ears)
        return (strip, ears)
    }
}

import OssicleCore
import OssicleCoreAudioTypes
import OssicleRender

/// One row of a mixer: channels of one layout into those of another, with a gain and a pan.
final class MixerStrip {
    let box: ControlledBox<MatrixRenderer>
    private let from: [UInt32]
    private let to: [UInt32]
    private var parameters: MatrixRenderer.Parameters

    init(from: [UInt32], to: [UInt32], gain: Float = 1) {
        (self.from, self.to) = (from, to)
        parameters = MatrixRenderer.Parameters(gain: gain)
        let sides = to.map { label -> MatrixRenderer.Side in
            switch ChannelMatrix.side(of: label) {
            case .left: .left
            case .right: .right
            default: .middle
            }
        }
        box = ControlledBox(MatrixRenderer(matrix: ChannelMatrix(from: from, to: to, intoMono: .mean).gains, inputCount: from.count, outputCount: to.count,
                                           sides: sides, parameters: parameters))
    }

    /// The strip there is, if it fits, so that it goes on where it is.
    static func reuse(_ old: MixerStrip?, from: [UInt32], to: [UInt32], gain: Float = 1) -> MixerStrip {
        if let old, old.from == from, old.to == to { return old }
        return MixerStrip(from: from, to: to, gain: gain)
    }

    /// Under the engine's lock. Pan acts only where there are a left and a right.
    func update(gain: Float, pan: Float) {
        let lowered = pan.magnitude == 1 ? 0 : Float(DeterministicMath.cos(Double(pan.magnitude) * DeterministicMath.pi / 2))
        let next = MatrixRenderer.Parameters(gain: gain, left: pan > 0 ? lowered : 1, right: pan < 0 ? lowered : 1, revision: parameters.revision)
        if next.gain == parameters.gain, next.left == parameters.left, next.right == parameters.right { return }
        parameters = next
        box.control.cell.write(next)
    }

    func setEntry(_ gain: Float, input: Int, output: Int) {
        box.control.setEntry(gain, input: input, output: output)
        parameters.revision &+= 1
        box.control.cell.write(parameters)
    }
}

import OssicleChannels
import OssicleCore
import OssicleGraph
import OssicleRender

/// A mixer: a row for each input bus, and one more for their sum. One call at a time.
///
///     input 0 ─▶ row ─┐
///     input 1 ─▶ row ─┼─▶ sum ─▶ output
///     input 2 ─▶ row ─┘
package final class ChannelMixer {
    /// By input bus.
    package private(set) var rows: [Int: MixerRow] = [:]
    package private(set) var sum: MixerRow?

    package init() {}

    /// Makes the rows for these inputs and this output; a row that fits is kept, so that it continues where it is.
    /// - Parameters:
    ///   - inputs: bus and channel labels of each.
    ///   - labels: of the output's channels.
    ///   - gain: of the sum, if it is new.
    package func prepare(_ inputs: [(bus: Int, labels: [UInt32])], to labels: [UInt32], gain: Float = 1) {
        sum = MixerRow.reuse(sum, from: labels, to: labels, gain: gain)
        rows = Dictionary(
            uniqueKeysWithValues: inputs.map { input in
                (input.bus, MixerRow.reuse(rows[input.bus], from: input.labels, to: labels))
            })
    }

    /// Adds the sum and the rows to a graph.
    /// - Parameter busses: the inputs, in the order in which they are added up.
    package func add(
        to graph: inout Graph, _ title: String, busses: [Int], meter: RendererBox<StepMeter>? = nil
    ) -> NodePorts {
        guard let sum else { return NodePorts() }
        let into = add(sum, title, meter, to: &graph)
        var ports = NodePorts(outputs: [0: into])
        for bus in busses {
            guard let row = rows[bus] else { continue }
            let step = add(row, title, to: &graph)
            graph.connect(step, to: into)
            ports.inputs[bus] = step
        }
        return ports
    }

    private func add(
        _ row: MixerRow, _ title: String, _ meter: RendererBox<StepMeter>? = nil, to graph: inout Graph
    ) -> Graph.Port {
        Graph.Port(
            graph.add(
                title, .matrix(row.box.pointer), owner: row.box, inputs: [row.from.count], outputs: [row.to.count],
                meter: meter))
    }

    // MARK: Row by row

    /// As `prepare` and `add`, of the sum alone.
    package func addSum(
        to graph: inout Graph, _ title: String, labels: [UInt32], gain: Float, meter: RendererBox<StepMeter>?
    ) -> NodePorts {
        let sum = MixerRow.reuse(sum, from: labels, to: labels, gain: gain)
        self.sum = sum
        let port = add(sum, title, meter, to: &graph)
        return NodePorts(outputs: [0: port], sum: port)
    }

    /// As `prepare` and `add`, of one row.
    package func addRow(to graph: inout Graph, _ title: String, bus: Int, labels: [UInt32]) -> InputPorts? {
        guard let sum else { return nil }
        let row = MixerRow.reuse(rows[bus], from: labels, to: sum.to)
        rows[bus] = row
        let step = add(row, title, to: &graph)
        return InputPorts(input: step, output: step)
    }

    package func forgetRow(_ bus: Int) { rows[bus] = nil }

    package func forget() {
        rows = [:]
        sum = nil
    }
}

/// Where an input channel of a mixer's bus meets an output channel.
package struct CrossPoint: Hashable {
    package let bus: Int
    package let input: Int
    package let output: Int

    package init(bus: Int, input: Int, output: Int) {
        self.bus = bus
        self.input = input
        self.output = output
    }
}

/// One row of a mixer: channels of one layout into those of another, with a gain and a pan.
package final class MixerRow {
    package let box: ControlledBox<MatrixRenderer>
    fileprivate let from: [UInt32]
    fileprivate let to: [UInt32]
    private var parameters: MatrixRenderer.Parameters

    package init(from: [UInt32], to: [UInt32], gain: Float = 1) {
        (self.from, self.to) = (from, to)
        parameters = MatrixRenderer.Parameters(gain: gain)
        let sides = to.map { label -> MatrixRenderer.Side in
            switch ChannelMatrix.side(of: label) {
            case .left: .left
            case .right: .right
            default: .middle
            }
        }
        box = ControlledBox(
            MatrixRenderer(
                matrix: ChannelMatrix(from: from, to: to, intoMono: .mean).gains, inputCount: from.count,
                outputCount: to.count,
                sides: sides, parameters: parameters))
    }

    /// The row there is, if it fits, so that it continues where it is.
    package static func reuse(_ old: MixerRow?, from: [UInt32], to: [UInt32], gain: Float = 1) -> MixerRow {
        if let old, old.from == from, old.to == to { return old }
        return MixerRow(from: from, to: to, gain: gain)
    }

    /// Under the engine's lock. Pan acts only where there are a left and a right.
    package func update(gain: Float, pan: Float) {
        let lowered =
            pan.magnitude == 1 ? 0 : Float(DeterministicMath.cos(Double(pan.magnitude) * DeterministicMath.pi / 2))
        let next = MatrixRenderer.Parameters(
            gain: gain, left: pan > 0 ? lowered : 1, right: pan < 0 ? lowered : 1, revision: parameters.revision)
        if next.gain == parameters.gain, next.left == parameters.left, next.right == parameters.right { return }
        parameters = next
        box.control.cell.write(next)
    }

    package func setMetered(_ isMetered: Bool) { box.control.setMetered(isMetered) }
    package func level(input: Int) -> ChannelLevel { box.control.level(input: input) }
    package func level(output: Int) -> ChannelLevel { box.control.level(output: output) }

    /// The loudest of its input channels and of its output channels.
    package var levels: (pre: ChannelLevel, post: ChannelLevel) {
        let inputs = from.indices.reduce(ChannelLevel()) { $0.raised(to: level(input: $1)) }
        return (inputs, to.indices.reduce(ChannelLevel()) { $0.raised(to: level(output: $1)) })
    }

    package func setEntry(_ gain: Float, input: Int, output: Int) {
        box.control.setEntry(gain, input: input, output: output)
        parameters.revision &+= 1
        box.control.cell.write(parameters)
    }
}

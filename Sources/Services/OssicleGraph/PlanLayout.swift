import OssicleCore
import OssicleRender

/// Where every port of a plan has its samples and its flag, in memory of the plan's arena.
///
/// One table of buffers holds the channels of all output ports, another those of all input ports, and so with the
/// flags: the ports of a node are neighbours, so each step's tables are pieces of these. What nothing is connected to
/// reads buffer 0 and flag 0, which stay silent.
struct PlanLayout {
    typealias Table<Element> = UnsafeMutablePointer<UnsafeMutablePointer<Element>>

    let arena: RenderArena
    private let graph: Graph
    private let outputBuffers: Table<Float>
    private let inputBuffers: Table<Float>
    private let outputFlags: Table<Bool>
    private let inputFlags: Table<Bool>
    /// Of the partial sums.
    private let partialBuffers: [Table<Float>]
    private let partialFlags: UnsafeMutablePointer<Bool>

    init(_ compiler: GraphCompiler, _ assignment: GraphCompiler.Assignment, in arena: RenderArena) {
        graph = compiler.graph
        self.arena = arena
        let (inputs, outputs) = (graph.inputPorts, graph.outputPorts)
        let samples = arena.zeroed(count: assignment.bufferCount * Grid.quantum)
        let flags = arena.filled(with: true, count: 1 + outputs.count + inputs.count)
        partialFlags = arena.filled(with: true, count: assignment.partials.count)
        partialBuffers = assignment.partials.map { buffers in
            arena.base(of: arena.copy(buffers.map { samples + $0 * Grid.quantum }))
        }
        outputBuffers = arena.filled(with: samples, count: outputs.channelCount)
        inputBuffers = arena.filled(with: samples, count: inputs.channelCount)
        outputFlags = arena.filled(with: flags, count: outputs.count)
        inputFlags = arena.filled(with: flags, count: inputs.count)
        for port in outputs.indices {
            for channel in outputs[port].channels {
                outputBuffers[channel] = samples + assignment.outputs[channel] * Grid.quantum
            }
            outputFlags[port] = flags + 1 + port
        }
        for port in inputs.indices {
            if compiler.isSum(port) {
                for channel in inputs[port].channels {
                    inputBuffers[channel] = samples + assignment.sums[channel] * Grid.quantum
                }
                inputFlags[port] = flags + 1 + outputs.count + port
            } else if let feeder = compiler.feeders[port].first {
                let (from, into) = (outputs[feeder].firstChannel, inputs[port].firstChannel)
                (inputBuffers + into).update(from: outputBuffers + from, count: inputs[port].channelCount)
                inputFlags[port] = outputFlags[feeder]
            }
        }
    }

    /// Buffers of an output port's channels.
    func buffers(ofOutput port: Int) -> [UnsafeMutablePointer<Float>] {
        graph.outputPorts[port].channels.map { outputBuffers[$0] }
    }

    func ports(of node: Int) -> Ports {
        let (inputPorts, outputPorts) = (graph.nodes[node].inputs, graph.nodes[node].outputs)
        let (inputs, outputs) = (
            graph.inputPorts.channels(of: inputPorts), graph.outputPorts.channels(of: outputPorts)
        )
        return Ports(
            inputs: inputBuffers + inputs.lowerBound, inputCount: inputs.count,
            outputs: outputBuffers + outputs.lowerBound, outputCount: outputs.count,
            inputFlags: inputFlags + inputPorts.lowerBound,
            outputFlags: outputFlags + outputPorts.lowerBound, outputPortCount: outputPorts.count)
    }

    /// Where sound lies that is added up, or goes to.
    enum Place {
        case output(Int)
        case input(Int)
        case partial(Int)
    }

    /// - Parameter number: of what arrives among all that meets there, from 1 on.
    func sum(from: Place, into: Place, channels: Int, number: Int, of count: Int) -> RenderStep.Sum {
        RenderStep.Sum(
            from: buffers(of: from), into: buffers(of: into), channelCount: channels, isFromSilent: flag(of: from),
            isIntoSilent: flag(of: into), isFirst: number == 1, isLast: number == count)
    }

    private func buffers(of place: Place) -> Table<Float> {
        switch place {
        case .output(let port): outputBuffers + graph.outputPorts[port].firstChannel
        case .input(let port): inputBuffers + graph.inputPorts[port].firstChannel
        case .partial(let number): partialBuffers[number]
        }
    }

    private func flag(of place: Place) -> UnsafeMutablePointer<Bool> {
        switch place {
        case .output(let port): outputFlags[port]
        case .input(let port): inputFlags[port]
        case .partial(let number): partialFlags + number
        }
    }
}

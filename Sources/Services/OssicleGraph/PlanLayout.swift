import OssicleCore
import OssicleRender

/// Where every port of a plan has its samples and its flag, in memory of the plan's arena.
///
/// One table of buffers holds the channels of all output ports, another those of all input ports, and so with the flags:
/// the ports of a node are neighbours, so each step's tables are pieces of these. What nothing is connected to reads
/// buffer 0 and flag 0, which stay silent.
struct PlanLayout {
    typealias Table<Element> = UnsafeMutablePointer<UnsafeMutablePointer<Element>>

    let arena = RenderArena()
    private let graph: Graph
    private let outputBuffers: Table<Float>
    private let inputBuffers: Table<Float>
    private let outputFlags: Table<Bool>
    private let inputFlags: Table<Bool>

    init(_ compiler: GraphCompiler, _ assignment: GraphCompiler.Assignment) {
        graph = compiler.graph
        let (inputs, outputs) = (graph.inputPorts, graph.outputPorts)
        let samples = arena.zeroed(count: assignment.bufferCount * Grid.quantum)
        let flags = arena.filled(with: true, count: 1 + outputs.count + inputs.count)
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

    /// - Parameter number: of the output among those that meet at the input, from 1 on.
    func sum(from output: Int, into input: Int, number: Int, of count: Int) -> RenderStep.Sum {
        RenderStep.Sum(
            from: outputBuffers + graph.outputPorts[output].firstChannel,
            into: inputBuffers + graph.inputPorts[input].firstChannel,
            channelCount: graph.inputPorts[input].channelCount, isFromSilent: outputFlags[output],
            isIntoSilent: inputFlags[input], isFirst: number == 1, isLast: number == count)
    }
}

/// Third pass.
extension GraphCompiler {
    func emit(_ order: [Int], _ assignment: Assignment) -> RenderPlan {
        let layout = PlanLayout(self, assignment)
        var isHeard = Array(repeating: false, count: graph.nodes.count)
        for node in order { isHeard[node] = true }
        var sumsMade = Array(repeating: 0, count: graph.inputPorts.count)
        let sums = layout.arena.room(for: RenderStep.Sum.self, count: graph.connections.count)
        var sumCount = 0
        let steps = layout.arena.room(for: RenderStep.self, count: order.count)
        for (place, index) in order.enumerated() {
            let first = sumCount
            for output in graph.nodes[index].outputs {
                for input in readers[output] where isSum(input) && isHeard[graph.inputPorts[input].node] {
                    sumsMade[input] += 1
                    (sums + sumCount).initialize(
                        to: layout.sum(from: output, into: input, number: sumsMade[input], of: feeders[input].count))
                    sumCount += 1
                }
            }
            (steps + place).initialize(
                to: RenderStep(
                    renderer: graph.nodes[index].renderer, ports: layout.ports(of: index), sums: sums + first,
                    sumCount: sumCount - first, meter: graph.nodes[index].meter))
        }
        return RenderPlan(
            steps: UnsafePointer(steps), count: order.count, outputs: outputs.flatMap(layout.buffers),
            arena: layout.arena, owner: PlanOwner(graph))
    }

    /// Keeps the graph's renderers, those that the output does not hear as well: one reference instead of thousands.
    private final class PlanOwner {
        private let nodes: [Graph.Node]
        private let companions: [AnyObject]
        init(_ graph: Graph) { (nodes, companions) = (graph.nodes, graph.companions) }
    }
}

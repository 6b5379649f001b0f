import OssicleGraph
import OssicleRender

/// What a node gets to see while it adds its renderers to a graph: its busses, and the rate it runs at.
struct Lowering {
    struct Bus {
        let index: AVAudioNodeBus
        let format: AVAudioFormat
        var channels: Int { Int(format.channelCount) }
    }

    /// The graph that is being made.
    var graph: Graph
    /// Frames per second on both sides of the node.
    let sampleRate: Double
    /// The input busses that are connected, in order.
    let inputs: [Bus]
    /// The format of each output bus.
    let outputs: [Bus]
    /// Set while somebody inspects the engine: hand it to the renderer that makes the node's output.
    let meter: RendererBox<StepMeter>?
    let model: GraphModel
    /// Where sound comes in that crosses into this node from another clock.
    let arrivals: [AVAudioNodeBus: Graph.Port]
    /// What hosted units have to do before the node sounds.
    var waiting: [UnitAllocation] = []

    var outputFormat: AVAudioFormat { outputs.first?.format ?? .initial }
    var outputChannels: Int { outputs.first?.channels ?? 0 }

    /// Format of an input bus that is connected.
    func input(_ bus: AVAudioNodeBus) -> Bus? {
        var (low, high) = (0, inputs.count)
        while low < high {
            let middle = (low + high) / 2
            if inputs[middle].index < bus { low = middle + 1 } else { high = middle }
        }
        return low < inputs.count && inputs[low].index == bus ? inputs[low] : nil
    }
}

/// Where a node's busses are in the graph.
struct NodePorts {
    var inputs: [AVAudioNodeBus: Graph.Port] = [:]
    var outputs: [AVAudioNodeBus: Graph.Port] = [:]
}

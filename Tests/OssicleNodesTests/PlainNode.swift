import OssicleGraph
import OssicleRender
@testable import OssicleNodes

struct PlainFormat: BusFormat, Equatable {
    var sampleRate = 48_000.0
    var channels = 1
}

/// A node body that gives a constant, or what comes in times `gain`.
final class PlainNode: GraphNode {
    let title: String
    var role = NodeRole.inner
    var constant: Float?
    var gain: Float = 1
    var convertsInputs = false
    var keepsFormat = false
    var isMixingSource = false
    var appliesMixing = false
    var playsSourcesAtTheirSpeed = false
    var latency = 0.0
    var numberOfOutputs = 1
    var properties = SourceMixing()
    var timeChange: (any TimeChange)? { nil }
    var graphTaps: [GraphTap] { [] }
    let meter = RendererBox(StepMeter())
    /// What the last lowering knew of the inputs' sources.
    private(set) var mixings: [SourceMixing?] = []

    init(_ title: String, constant: Float? = nil) {
        self.title = title
        self.constant = constant
    }

    var hasOwnSpeed: Bool { properties.rate != 1 }
    func mixingProperties(at input: BusKey) -> SourceMixing { properties }
    func initialFormat(of bus: BusKey) -> PlainFormat { PlainFormat() }

    func lower(_ lowering: inout NodeLowering<PlainFormat>) -> NodePorts {
        mixings = lowering.inputs.map(\.mixing)
        let (constant, gain) = (constant, gain)
        let box = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames {
                    ports.output(0)[frame] = constant ?? ports.input(0)[frame] * gain
                }
            })
        let node = lowering.graph.add(
            title, .block(box.pointer), owner: box, inputs: lowering.inputs.isEmpty ? [] : [1], outputs: [1])
        var ports = NodePorts(outputs: [0: Graph.Port(node)])
        for input in lowering.inputs { ports.inputs[input.index] = Graph.Port(node) }
        return ports
    }
}

extension GraphModel<PlainNode> {
    /// A model of nodes, each connected to the next.
    init(chain nodes: [PlainNode], rates: [Double] = []) {
        self.init()
        for node in nodes { attach(node) }
        for (index, pair) in zip(nodes, nodes.dropFirst()).enumerated() {
            connect(
                pair.0, 0, to: [(pair.1, 0)],
                format: PlainFormat(sampleRate: index < rates.count ? rates[index] : 48_000))
        }
    }
}

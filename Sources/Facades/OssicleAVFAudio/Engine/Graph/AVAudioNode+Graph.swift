import OssicleNodes
import OssicleRender

// The engine's graph, made of this module's nodes.
typealias Lowering = NodeLowering<AVAudioFormat>
typealias GraphModel = OssicleNodes.GraphModel<AVAudioNode>
typealias GraphLowering = OssicleNodes.GraphLowering<AVAudioNode>
typealias Wire = OssicleNodes.Wire<AVAudioNode>

extension NodeLowering<AVAudioFormat> {
    var outputFormat: AVAudioFormat { outputs.first?.format ?? .initial }
}

extension AVAudioNode: GraphNode {
    package var role: NodeRole {
        switch self {
        case is AVAudioInputNode: .input
        case is AVAudioOutputNode: .output
        case is AVAudioSinkNode: .sink
        default: .inner
        }
    }

    package var graphTaps: [GraphTap] {
        taps.all.map { tap in GraphTap(bus: tap.bus) { tap.renderer(channels: $0, fastest: $1) } }
    }

    package var isMixingSource: Bool { self is any AVAudioMixing }
    package var appliesMixing: Bool { self is any MixingTarget }
    package var hasOwnSpeed: Bool { mixing.hasOwnSpeed }
    package func mixingProperties(at input: BusKey) -> SourceMixing { mixing.properties(at: input) }
}

/// A node with input busses that apply the mixing properties of what is connected to them.
protocol MixingTarget: AVAudioNode {
    /// Under the engine's lock.
    func apply(_ mixing: SourceMixing, at bus: AVAudioNodeBus)
}

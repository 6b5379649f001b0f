import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport

/// A renderer alone in a graph, a player at each of its input ports, all its output ports side by side.
final class LawBench: LawSubject {
    let reference: RendererReference
    private let bench: RenderBench
    private let owners: [AnyObject]
    private let resets: Bool
    private let onChange: () -> Void
    /// What leaves the renderer in another way than through its output ports.
    private let collect: (() -> [[Float]])?

    /// - Parameters:
    ///   - subject: what is tried, if it is a part of `reference`.
    ///   - inputs, outputs: channels of each port.
    ///   - sound: of each input channel, counted over all ports.
    ///   - ears: plays what the renderer adds to sums, in place of its first port, which has no channels.
    ///   - field: plays what the renderer adds to the bus, beside what leaves its ports; the last of them has no
    ///     channels.
    ///   - resets: whether the command `reset` has a meaning for this kind.
    ///   - start: sends the renderer's own commands.
    init(
        _ reference: RendererReference, subject: RendererReference? = nil, owner: AnyObject, inputs: [Int],
        outputs: [Int], ears: RendererBox<BinauralMixRenderer>? = nil,
        field: ControlledBox<FieldMixRenderer>? = nil, sound: (Int) -> [Float],
        keeping owners: [AnyObject] = [], resets: Bool = false, start: (RenderBench) -> Void = { _ in },
        collect: (() -> [[Float]])? = nil, change: @escaping () -> Void = {}
    ) throws {
        var graph = Graph()
        let node = graph.add("subject", reference, owner: owner, inputs: inputs, outputs: outputs)
        var players: [TestPlayer] = []
        for (port, count) in inputs.enumerated() {
            let first = inputs[..<port].reduce(0, +)
            let player = TestPlayer((first..<first + count).map(sound))
            graph.connect(Graph.Port(player.node(in: &graph, outputs: count)), to: Graph.Port(node, port))
            players.append(player)
        }
        if outputs.isEmpty { graph.addRoot(node) } else { graph.output = Graph.Port(node) }
        graph.sideOutputs = outputs.indices.dropFirst().map { Graph.Port(node, $0) }
        if let ears {
            let mix = graph.add("ears", .binauralMix(ears.pointer), owner: ears, inputs: [0], outputs: [2])
            graph.connect(Graph.Port(node), to: Graph.Port(mix))
            graph.output = Graph.Port(mix)
        }
        if let field {
            let mix = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [2])
            graph.connect(Graph.Port(node, outputs.count - 1), to: Graph.Port(mix))
            if outputs == [0] {
                graph.output = Graph.Port(mix)
            } else {
                graph.sideOutputs[graph.sideOutputs.count - 1] = Graph.Port(mix)
            }
        }
        let added = ears == nil && field == nil ? 0 : 2
        bench = try RenderBench(graph, channels: max(outputs.reduce(added, +), 1))
        for player in players { player.start(on: bench) }
        start(bench)
        (self.reference, self.owners, self.resets) = (subject ?? reference, owners, resets)
        (self.collect, onChange) = (collect, change)
    }

    func render(_ frames: Int, cuts: [Int]) -> [[Float]] {
        let out = bench.render(frames, cuts: cuts)
        return collect?() ?? out
    }

    func change() { onChange() }

    func reset() -> Bool {
        if resets { bench.executor.send(.reset(reference), keeping: nil, at: bench.executor.position) }
        return resets
    }
}

/// Every kind of renderer.
enum RendererKind: CaseIterable {
    case player, stream, queuePlayer, spatial, binauralMix, ambient, ambisonic, channels, earlyReflections, fieldMix,
        paths
    case reverb, lateField, convolution, master, mix, crossFade, matrix, block, tap
    case environmentInput, environmentReverb, environmentOutput
    case rateExit, stretchExit, domain
    case equalizer, delay, distortion, dynamics, peakLimiter, multibandCompressor, reverbEffect, matrixReverb
    case sampleDelay

    init(_ reference: RendererReference) {
        self =
            switch reference {
            case .player: .player
            case .stream: .stream
            case .queuePlayer: .queuePlayer
            case .spatial: .spatial
            case .binauralMix: .binauralMix
            case .ambient: .ambient
            case .ambisonic: .ambisonic
            case .channels: .channels
            case .earlyReflections: .earlyReflections
            case .fieldMix: .fieldMix
            case .paths: .paths
            case .reverb: .reverb
            case .lateField: .lateField
            case .convolution: .convolution
            case .master: .master
            case .mix: .mix
            case .crossFade: .crossFade
            case .matrix: .matrix
            case .block: .block
            case .tap: .tap
            case .environmentInput: .environmentInput
            case .environmentReverb: .environmentReverb
            case .environmentOutput: .environmentOutput
            case .exit(.rate): .rateExit
            case .exit(.stretch): .stretchExit
            case .domain: .domain
            case .equalizer: .equalizer
            case .delay: .delay
            case .distortion: .distortion
            case .dynamics: .dynamics
            case .peakLimiter: .peakLimiter
            case .multibandCompressor: .multibandCompressor
            case .reverbEffect: .reverbEffect
            case .matrixReverb: .matrixReverb
            case .sampleDelay: .sampleDelay
            }
    }
}

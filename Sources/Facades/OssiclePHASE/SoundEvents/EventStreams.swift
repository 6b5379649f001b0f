import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// The streams of one sound event, and the nodes its client sees. When the event is let go, they are over.
final class EventStreams: EventStreamFeeds, @unchecked Sendable {
    let push: [String: PHASEPushStreamNode]
    let pull: [String: PHASEPullStreamNode]
    private let byNode: [Int: EventStream]
    private let core: EngineCore

    /// - Returns: nil for an event without streams.
    /// - Throws: `PHASESoundEventError.badData` for a stream whose channels do not fit its mixer.
    init?(
        of asset: PHASESoundEventNodeAsset, _ mixers: [String: PHASEMixer], _ parameters: [PHASEMetaParameter?],
        _ core: EngineCore
    ) throws {
        let tree = asset.event.tree
        var (streams, nodes): ([Int: EventStream], [PHASEStreamNode]) = ([:], [])
        for node in tree.leaves {
            guard let leaf = tree.stream(node), let format = asset.formats[node] else { continue }
            let identifier = tree.nodes[node].identifier
            let blueprint = tree.mixers[leaf.generator.mixer]
            if let expected = blueprint.inputChannelCount, expected != leaf.channelCount {
                throw PHASESoundEventError(
                    .badData,
                    "Event “\(asset.identifier)”: stream “\(identifier)” has \(leaf.channelCount) channels, mixer “\(blueprint.identifier)” takes \(expected); give the mixer the stream's layout."
                )
            }
            guard let mixer = mixers[blueprint.identifier] else { continue }
            let stream = EventStream(leaf, identifier, format, core)
            let parameter = { (index: Int?) in index.flatMap { parameters[$0] } as? PHASENumberMetaParameter }
            let controls = PHASEStreamNode.Controls(
                mixer: mixer, gain: parameter(leaf.generator.gainParameter),
                rate: parameter(leaf.generator.rateParameter))
            streams[node] = stream
            nodes.append(
                leaf.direction == .push ? PHASEPushStreamNode(stream, controls) : PHASEPullStreamNode(stream, controls))
        }
        guard !streams.isEmpty else { return nil }
        func named<Node: PHASEStreamNode>(_ kind: Node.Type) -> [String: Node] {
            Dictionary(
                nodes.compactMap { $0 as? Node }.map { ($0.stream.identifier, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        byNode = streams
        self.core = core
        push = named(PHASEPushStreamNode.self)
        pull = named(PHASEPullStreamNode.self)
        core.store.add(self)
    }

    deinit { stop() }

    func makeFeed(of node: Int) -> RendererBox<BlockRenderer>? { byNode[node]?.makeFeed() }

    func begin(_ node: Int, playedBy voice: Voice, engineRate: Double) {
        byNode[node]?.begin(voice, core.session.clock, engineRate: engineRate)
    }

    func hasNothingToPlay(at node: Int) -> Bool { byNode[node]?.hasNothingToPlay ?? false }

    func stop() {
        core.locked { inOrder.forEach { $0.stop() } }
    }

    func attend() { inOrder.forEach { $0.attend() } }

    private var inOrder: [EventStream] { byNode.sorted { $0.key < $1.key }.map(\.value) }
}

/// Lets the engine find the streams of events that were never started.
struct WeakEventStreams {
    weak var streams: EventStreams?
}

import OssicleSoundEvents
import OssicleSpatial

/// The streams of one sound event, and the nodes its client sees.
struct StreamNodes {
    let push: [String: PHASEPushStreamNode]
    let pull: [String: PHASEPullStreamNode]
    let streams: EventStreams
    /// Those of the clients' streams, by node.
    let all: [ClientStream]

    /// - Returns: nil for an event without streams.
    /// - Throws: `PHASESoundEventError.badData` for a stream whose channels do not fit its mixer.
    init?(
        of asset: PHASESoundEventNodeAsset, _ mixers: [String: PHASEMixer], _ parameters: [PHASEMetaParameter?],
        _ control: EngineControl
    ) throws {
        let tree = asset.event.tree
        var (streams, nodes): ([Int: EventStream], [PHASEStreamNode]) = ([:], [])
        var all: [ClientStream] = []
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
            let stream = ClientStream(leaf, identifier, format, control)
            let parameter = { (index: Int?) in index.flatMap { parameters[$0] } as? PHASENumberMetaParameter }
            let controls = PHASEStreamNode.Controls(
                mixer: mixer, gain: parameter(leaf.generator.gainParameter),
                rate: parameter(leaf.generator.rateParameter))
            streams[node] = stream.stream
            all.append(stream)
            nodes.append(
                leaf.direction == .push ? PHASEPushStreamNode(stream, controls) : PHASEPullStreamNode(stream, controls))
        }
        guard !streams.isEmpty else { return nil }
        func named<Node: PHASEStreamNode>(_ kind: Node.Type) -> [String: Node] {
            Dictionary(
                nodes.compactMap { $0 as? Node }.map { ($0.stream.identifier, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        self.all = all
        push = named(PHASEPushStreamNode.self)
        pull = named(PHASEPullStreamNode.self)
        self.streams = EventStreams(streams, control.session.clock, locked: { [control] body in control.locked(body) })
        control.store.add(self.streams)
    }
}

/// Lets the engine find the streams of events that were never started.
struct WeakEventStreams {
    weak var streams: EventStreams?
}

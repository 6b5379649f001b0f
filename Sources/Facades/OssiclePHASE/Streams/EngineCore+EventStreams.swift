import OssicleSoundEvents

/// Streams for a sound event that is made.
extension EngineCore {
    /// Under the lock.
    /// - Returns: nil for an event without streams.
    /// - Throws: `PHASESoundEventError.badData` for a stream whose channels do not fit its mixer.
    func makeStreams(of event: EventInstance) throws -> EventStreams? {
        var (streams, nodes): ([Int: EventStream], [PHASEStreamNode]) = ([:], [])
        for node in event.tree.leaves {
            guard let leaf = event.tree.stream(node), let format = event.event.formats[node] else { continue }
            let identifier = event.tree.nodes[node].identifier
            let blueprint = event.tree.mixers[leaf.generator.mixer]
            if let expected = blueprint.inputChannelCount, expected != leaf.channelCount {
                throw PHASESoundEventError(.badData,
                    "Event “\(event.assetIdentifier)”: stream “\(identifier)” has \(leaf.channelCount) channels, mixer “\(blueprint.identifier)” takes \(expected); give the mixer the stream's layout.")
            }
            guard let mixer = event.mixers[blueprint.identifier] else { continue }
            let stream = EventStream(leaf, identifier, format, self)
            let parameter = { (index: Int?) in index.flatMap { event.parameters[$0] } as? PHASENumberMetaParameter }
            let controls = PHASEStreamNode.Controls(mixer: mixer, gain: parameter(leaf.generator.gainParameter), rate: parameter(leaf.generator.rateParameter))
            streams[node] = stream
            nodes.append(leaf.direction == .push ? PHASEPushStreamNode(stream, controls) : PHASEPullStreamNode(stream, controls))
        }
        guard !streams.isEmpty else { return nil }
        let made = EventStreams(streams, nodes, self)
        eventStreams.removeAll { $0.streams == nil }
        eventStreams.append(WeakEventStreams(streams: made))
        return made
    }
}

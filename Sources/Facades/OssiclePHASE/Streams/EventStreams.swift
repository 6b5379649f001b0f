/// The streams of one sound event, and the nodes its client sees. When the event is let go, they are over.
final class EventStreams: @unchecked Sendable {
    let byNode: [Int: EventStream]
    let push: [String: PHASEPushStreamNode]
    let pull: [String: PHASEPullStreamNode]
    private let core: EngineCore

    init(_ byNode: [Int: EventStream], _ nodes: [PHASEStreamNode], _ core: EngineCore) {
        (self.byNode, self.core) = (byNode, core)
        func named<Node: PHASEStreamNode>(_ kind: Node.Type) -> [String: Node] {
            Dictionary(nodes.compactMap { $0 as? Node }.map { ($0.stream.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        }
        push = named(PHASEPushStreamNode.self)
        pull = named(PHASEPullStreamNode.self)
    }

    deinit { stop() }

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

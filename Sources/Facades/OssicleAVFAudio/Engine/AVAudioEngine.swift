// The engine: nodes and who feeds whom.

import OssicleCoreAudioTypes
import OssiclePlayback

/// A graph of audio nodes, and what renders it: a device, or the caller in manual rendering.
///
/// Graph calls may come in any order and from any thread, also while the engine runs: a change is heard from the next
/// render call on. What cannot be done is thrown by the throwing spellings; the others keep it in `lastError` and leave
/// the graph as it was. Nothing here waits for the render side.
open class AVAudioEngine: NSObject {
    let machine = EngineMachine()

    /// An engine that plays to a device, once started.
    public override init() {
        super.init()
        machine.facade = self
        SessionParticipants.shared.add(machine)
    }

    deinit {
        machine.shutDown()
    }

    /// The graph in words.
    open override var description: String { dumpGraph() }

    // MARK: Nodes

    /// Takes a node in. A node that is already here stays; one of another engine is refused.
    open func attach(_ node: AVAudioNode) {
        machine.errors.recording { try machine.attach(node) }
    }

    /// Takes a node out, and its connections away. A node that is not here is left alone.
    open func detach(_ node: AVAudioNode) {
        machine.detach(node)
    }

    /// All nodes taken in, with the implicit ones that were touched.
    open var attachedNodes: Set<AVAudioNode> { machine.locked { Set(machine.model.nodes) } }

    // MARK: Connections

    /// Connects two busses; what used either before gives way. `format` is set on both; `nil` keeps the source's.
    /// Throws for nodes and busses there are not, for formats that connections cannot carry, for a circle, and while
    /// running for a graph that cannot be rendered.
    open func connectNode(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) throws {
        try machine.connect(node1, bus1, to: [(node2, bus2)], format: format)
    }

    /// Connects output bus 0 to input bus 0, or to the next free input of a mixer.
    open func connectNode(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) throws {
        try machine.connect(node1, 0, to: [(node2, machine.freeInput(of: node2))], format: format)
    }

    /// Connects an output bus to several inputs at once; they replace whatever it went to before.
    open func connectNode(
        _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) throws {
        let targets = try destNodes.map { point in
            guard let node = point.node else { throw GraphFault.nodeIsGone(sourceNode, point.bus) }
            return (node: node, bus: point.bus)
        }
        try machine.connect(sourceNode, sourceBus, to: targets, format: format)
    }

    /// As `connectNode`; an error is recorded.
    open func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        machine.errors.recording { try connectNode(node1, to: node2, fromBus: bus1, toBus: bus2, format: format) }
    }

    /// As `connectNode`; an error is recorded.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        machine.errors.recording { try connectNode(node1, to: node2, format: format) }
    }

    /// As `connectNode`; an error is recorded.
    open func connect(
        _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        machine.errors.recording { try connectNode(sourceNode, to: destNodes, fromBus: sourceBus, format: format) }
    }

    /// Takes away what feeds an input bus.
    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        machine.disconnect { $0.target === node && $0.targetBus == bus }
    }

    /// Takes away what feeds a node.
    open func disconnectNodeInput(_ node: AVAudioNode) {
        machine.disconnect { $0.target === node }
    }

    /// Takes away what an output bus feeds.
    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        machine.disconnect { $0.source === node && $0.sourceBus == bus }
    }

    /// Takes away what a node feeds.
    open func disconnectNodeOutput(_ node: AVAudioNode) {
        machine.disconnect { $0.source === node }
    }

    /// Who feeds an input bus; `nil` if nobody does.
    @discardableResult
    open func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        machine.locked { machine.model.wire(into: node, bus) }.map {
            AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus)
        }
    }

    /// Whom an output bus feeds.
    @discardableResult
    open func outputConnectionPoints(for node: AVAudioNode, outputBus bus: AVAudioNodeBus) -> [AVAudioConnectionPoint] {
        machine.locked { machine.model.wires(from: node, bus) }.map {
            AVAudioConnectionPoint(node: $0.target, bus: $0.targetBus)
        }
    }

    // MARK: Implicit nodes

    /// Where sound comes in; made when first asked for.
    open var inputNode: AVAudioInputNode { machine.inputNode }

    /// Where sound goes out; made when first asked for.
    open var outputNode: AVAudioOutputNode { machine.outputNode }

    /// A mixer in front of the output; made and connected when first asked for. Its connection follows the output's
    /// format until the client connects it.
    open var mainMixerNode: AVAudioMixerNode { machine.mainMixerNode }

    // MARK: Life

    /// Makes ready what `start` would otherwise make.
    open func prepare() {
        machine.errors.recording { try machine.prepare() }
    }

    /// Starts, or continues after a pause. Throws for a graph that cannot be rendered, without an input or output node,
    /// and when the device refuses. Starting twice does nothing.
    open func start() throws { try machine.start() }

    /// Halts the device and keeps everything; `start` continues.
    open func pause() { machine.pause() }

    /// Clears every node's memory; in manual rendering time returns to 0.
    open func reset() { machine.resetAll() }

    /// Halts and lets go of what was made ready. Players are stopped, and their handlers called.
    open func stop() { machine.stop() }

    /// Whether it has been started, and neither paused nor stopped since.
    open var isRunning: Bool { machine.locked { machine.state == .running } }

    /// Whether a device is halted while there is nothing to hear, and started again when there is. Default false.
    open var isAutoShutdownEnabled: Bool {
        get { machine.locked { machine.autoShutdown.isEnabled } }
        set { machine.locked { machine.autoShutdown.isEnabled = newValue } }
    }
}

extension NSNotification.Name {
    /// The engine has stopped because its device changed; the object is the engine. Posted on a queue of Ossicle's own.
    public static let AVAudioEngineConfigurationChange = NSNotification.Name(
        "AVAudioEngineConfigurationChangeNotification")
}

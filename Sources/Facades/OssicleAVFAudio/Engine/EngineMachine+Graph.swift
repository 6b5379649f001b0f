import OssicleCoreAudioTypes
import OssicleNodes

/// What the engine's graph calls do.
extension EngineMachine {
    func attach(_ node: AVAudioNode) throws {
        try locked {
            if let other = node.home.machine, other !== self { throw GraphFault.attachedElsewhere(node) }
            if node.home.chain != nil { throw GraphFault.inserted(node) }
            node.home.machine = self
            model.attach(node)
            noteAttachment(of: node)
        }
    }

    func detach(_ node: AVAudioNode) {
        let isHere = locked {
            guard model.contains(node) else { return false }
            node.mixing.forgetDestinations()
            for wire in model.wires(into: node) { wire.source.mixing.forgetDestination(wire.to) }
            model.detach(node)
            implicit.forget(node)
            reinstall(keepingParts: true)
            for tap in node.taps.all { tap.flush() }
            note(node) { number, _ in .detach(number) }
            recorder.forget(node)
            node.home.machine = nil
            return true
        }
        midi.disconnect { $0.source === node || $0.target === node }
        if isHere { node.didDetach() }
    }

    func connect(
        _ source: AVAudioNode, _ bus: AVAudioNodeBus, to targets: [(node: AVAudioNode, bus: AVAudioNodeBus)],
        format: AVAudioFormat?
    ) throws {
        let followsLater = locked {
            format == nil && source === input
                && (implicit.inputFollows || source.outputFormat(forBus: 0).channelCount == 0)
        }
        try change { model in
            try Self.check(source, bus, .output, in: model)
            for target in targets { try Self.check(target.node, target.bus, .input, in: model) }
            let format =
                format
                ?? (followsLater
                    ? renderFormat.standardCounterpart
                    : model.format(of: BusKey(source, .output, bus: bus), node: source))
            guard Self.isCarried(format) else { throw GraphFault.badFormat(source, format) }
            model.connect(source, bus, to: targets, format: format)
            if let node = model.cycle(through: source) { throw GraphFault.cycle(node) }
        }
        locked {
            if source === implicit.mainMixer { implicit.mainMixerFollows = false }
            if source === input { implicit.inputFollows = followsLater }
            noteConnection(source, bus, targets, format)
            mixingChanged(source)
        }
    }

    private static func check(
        _ node: AVAudioNode, _ bus: AVAudioNodeBus, _ direction: BusKey.Direction, in model: GraphModel
    ) throws {
        guard model.contains(node) else { throw GraphFault.notAttached(node) }
        // What the output node gives out goes to the device, not into the graph.
        let count = direction == .input ? node.numberOfInputs : node is AVAudioOutputNode ? 0 : node.numberOfOutputs
        guard bus >= 0,
            bus < (direction == .input && node.convertsInputs && !(node is AVAudioOutputNode) ? maximumBusCount : count)
        else {
            throw GraphFault.unknownBus(node, bus, direction == .input ? "input" : "output", count: count)
        }
    }

    /// Inputs a mixer can have.
    private static var maximumBusCount: Int { 65536 }

    /// What connections carry. Anything else has to be converted at the edge of the graph.
    private static func isCarried(_ format: AVAudioFormat) -> Bool {
        format.isStandard && format.sampleRate >= 1 && format.sampleRate <= 768_000
            && (1...64).contains(format.channelCount)
    }

    func disconnect(where isGone: (Wire) -> Bool) {
        locked {
            let gone = model.wires.filter(isGone)
            if !gone.isEmpty {
                note(
                    .disconnect(
                        gone.compactMap { wire in
                            recorder.number(of: wire.target).map { EngineCommand.Input(node: $0, bus: wire.targetBus) }
                        }))
            }
            for wire in gone { wire.source.mixing.forgetDestination(wire.to) }
            if let mixer = implicit.mainMixer, model.wires.contains(where: { isGone($0) && $0.source === mixer }) {
                implicit.mainMixerFollows = false
            }
            model.disconnect(where: isGone)
            reinstall(keepingParts: true)
        }
    }

    /// Inputs a mixer shows: up to the last in use, at least one.
    func inputCount(of mixer: AVAudioNode) -> Int {
        locked { (model.ends(into: mixer).last?.targetBus ?? 0) + 1 }
    }

    /// The input bus a connection without a number goes to.
    func freeInput(of node: AVAudioNode) -> AVAudioNodeBus {
        guard node.convertsInputs, !(node is AVAudioOutputNode) else { return 0 }
        return locked {
            let used = model.ends(into: node)
            // In the order of the busses, and each bus has one at most: behind the first gap all are above their place.
            var (low, high) = (0, used.count)
            while low < high {
                let middle = (low + high) / 2
                if used[middle].targetBus == middle { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    // MARK: Implicit nodes

    var outputNode: AVAudioOutputNode {
        locked {
            if output == nil { learnHardware() }
            return node(\.output) { AVAudioOutputNode() }
        }
    }

    var inputNode: AVAudioInputNode { locked { node(\.input) { AVAudioInputNode() } } }

    /// The implicit node of a role, made and attached if there is none.
    private func node<Node: AVAudioNode>(
        _ role: WritableKeyPath<ImplicitNodes, Node?>, _ make: () -> Node
    ) -> Node {
        if let node = implicit[keyPath: role] { return node }
        let made = make()
        made.home.machine = self
        model.attach(made)
        if recorder.isRecording {
            let kind: EngineCommand.Implicit =
                made is AVAudioOutputNode ? .output : made is AVAudioInputNode ? .input : .mainMixer
            let number = recorder.addNumber(of: made)
            note(.implicit(number, kind))
            if kind == .input { capture(made, number) }
        }
        implicit[keyPath: role] = made
        return made
    }

    var mainMixerNode: AVAudioMixerNode {
        locked {
            if let mixer = implicit.mainMixer { return mixer }
            let made = node(\.mainMixer) { AVAudioMixerNode() }
            implicit.mainMixerFollows = true
            let output = outputNode
            if model.wire(into: output, 0) == nil {
                model.connect(made, 0, to: [(output, 0)], format: renderFormat.standardCounterpart)
            }
            reinstall(keepingParts: true)
            return made
        }
    }

    /// Gives the main mixer's own connection the format the output has now.
    func adaptMainMixer() {
        guard implicit.mainMixerFollows, let mixer = implicit.mainMixer, let wire = model.wires(from: mixer).first,
            wire.target === output
        else { return }
        model.setFormat(renderFormat.standardCounterpart, of: wire.from)
    }

    /// Gives the input's connection, and what keeps its format behind it, the format the input has now.
    func adaptInput() {
        guard implicit.inputFollows, let input else { return }
        let format = input.heldFormat ?? renderFormat.standardCounterpart
        var open: [AVAudioNode] = [input]
        while let node = open.popLast() {
            guard !model.wires(from: node, 0).isEmpty else { continue }
            model.setFormat(format, of: BusKey(node, .output, bus: 0))
            open += model.wires(from: node, 0).map(\.target).filter(\.keepsFormat)
        }
    }

    // MARK: Mixing

    /// Takes the mixing properties of a source, or of that behind an effect, to the mixers downstream.
    func mixingChanged(_ node: AVAudioNode) {
        for wire in model.mixerWires(from: node) {
            guard let source = node.isMixingSource ? node : model.mixingSource(of: wire) else { continue }
            let (mixer, mixing) = (wire.target, source.mixingProperties(at: wire.to))
            (mixer as? any MixingTarget)?.apply(mixing, at: wire.targetBus)
            if mixer.playsSourcesAtTheirSpeed, let inner = planning.places[ObjectIdentifier(wire.source)]?.rate,
                let outer = planning.places[ObjectIdentifier(mixer)]?.rate
            {
                wire.passage.setSpeed(Double(mixing.rate), from: inner, to: outer)
            }
        }
    }
}

/// The nodes that an engine makes by itself.
struct ImplicitNodes {
    var output: AVAudioOutputNode?
    var input: AVAudioInputNode?
    var mainMixer: AVAudioMixerNode?
    /// The input's connection was made before it had a format, and gets the one it will have.
    var inputFollows = false
    /// The main mixer's connection to the output is still the engine's own.
    var mainMixerFollows = false

    mutating func forget(_ node: AVAudioNode) {
        if node === output { output = nil }
        if node === input { input = nil }
        if node === mainMixer { mainMixer = nil }
    }
}

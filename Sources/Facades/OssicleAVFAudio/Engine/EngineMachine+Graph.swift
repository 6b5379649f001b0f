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
        }
    }

    func detach(_ node: AVAudioNode) {
        let isHere = locked {
            guard model.contains(node) else { return false }
            node.mixing.forgetDestinations()
            for wire in model.wires(into: node) { wire.source.mixing.forgetDestination(wire.to) }
            model.detach(node)
            if node === output { output = nil }
            if node === input { input = nil }
            if node === mainMixer { mainMixer = nil }
            reinstall()
            for tap in node.taps.all { tap.flush() }
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
            format == nil && source === input && (inputFollows || source.outputFormat(forBus: 0).channelCount == 0)
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
            if source === mainMixer { mainMixerFollows = false }
            if source === input { inputFollows = followsLater }
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
            for wire in model.wires.filter(isGone) { wire.source.mixing.forgetDestination(wire.to) }
            if let mainMixer, model.wires.contains(where: { isGone($0) && $0.source === mainMixer }) {
                mainMixerFollows = false
            }
            model.disconnect(where: isGone)
            reinstall()
        }
    }

    /// Inputs a mixer shows: up to the last in use, at least one.
    func inputCount(of mixer: AVAudioNode) -> Int {
        locked { (model.wires(into: mixer).last?.targetBus ?? 0) + 1 }
    }

    /// The input bus a connection without a number goes to.
    func freeInput(of node: AVAudioNode) -> AVAudioNodeBus {
        guard node.convertsInputs, !(node is AVAudioOutputNode) else { return 0 }
        return locked {
            let used = Set(model.wires(into: node).map(\.targetBus))
            return (0...used.count).first { !used.contains($0) } ?? used.count
        }
    }

    // MARK: Implicit nodes

    var outputNode: AVAudioOutputNode {
        locked {
            if output == nil { learnHardware() }
            return implicit(\.output) { AVAudioOutputNode() }
        }
    }

    var inputNode: AVAudioInputNode { locked { implicit(\.input) { AVAudioInputNode() } } }

    /// The node at a place, made and attached if there is none.
    private func implicit<Node: AVAudioNode>(
        _ place: ReferenceWritableKeyPath<EngineMachine, Node?>, _ make: () -> Node
    ) -> Node {
        if let node = self[keyPath: place] { return node }
        let made = make()
        made.home.machine = self
        model.attach(made)
        self[keyPath: place] = made
        return made
    }

    var mainMixerNode: AVAudioMixerNode {
        locked {
            if let mainMixer { return mainMixer }
            let made = implicit(\.mainMixer) { AVAudioMixerNode() }
            mainMixerFollows = true
            let output = outputNode
            if model.wire(into: output, 0) == nil {
                model.connect(made, 0, to: [(output, 0)], format: renderFormat.standardCounterpart)
            }
            reinstall()
            return made
        }
    }

    /// Gives the main mixer's own connection the format the output has now.
    func adaptMainMixer() {
        guard mainMixerFollows, let mainMixer, let wire = model.wires(from: mainMixer).first, wire.target === output
        else { return }
        model.setFormat(renderFormat.standardCounterpart, of: wire.from)
    }

    /// Gives the input's connection, and what keeps its format behind it, the format the input has now.
    func adaptInput() {
        guard inputFollows, let input else { return }
        let format = input.heldFormat ?? renderFormat.standardCounterpart
        var open: [AVAudioNode] = [input]
        while let node = open.popLast() {
            guard !model.wires(from: node, 0).isEmpty else { continue }
            model.setFormat(format, of: BusKey(node, .output, bus: 0))
            open += model.wires(from: node, 0).map(\.target).filter(\.keepsFormat)
        }
    }

    // MARK: Mixing

    /// Takes a source's mixing properties to the mixers downstream.
    func mixingChanged(_ source: AVAudioNode) {
        for wire in model.mixerWires(from: source) {
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

extension AVAudioFormat {
    /// The same rate and channels in the form that connections carry.
    var standardCounterpart: AVAudioFormat {
        if isStandard { return self }
        if let channelLayout {
            return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: channelLayout)
        }
        return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channelCount) ?? .initial
    }
}

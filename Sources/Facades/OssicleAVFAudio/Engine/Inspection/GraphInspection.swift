import OssicleCore
import OssicleInspection
import OssiclePlayback

/// One engine as its inspector sees it. The variables are under the engine's lock.
final class GraphInspection: @unchecked Sendable {
    let inspector: any EngineInspector
    private(set) weak var machine: EngineMachine?
    private var silencing = Silencing<UInt64>()
    var numbers = LiveNumbers()
    private var load = LoadReader()
    private var peaks = HeldPeaks()
    private let sound = SoundHistory()
    private var tap: (node: AVAudioNode, tap: Tap)?
    /// Whether nodes were measured before somebody looked.
    private var wasInspected: Bool?
    /// Frames that nodes had rendered, and how many of them silent, at the last look.
    private var framesBefore: [UInt64: (all: Int64, silent: Int64)] = [:]

    init(_ machine: EngineMachine, inspector: any EngineInspector) {
        self.machine = machine
        self.inspector = inspector
    }

    func begin() { inspector.begin(self) }

    /// Whatever was muted sounds again.
    func end() {
        inspector.end(self)
        setWatched(false)
        machine?.locked {
            silencing.clear()
            silence()
        }
    }

    /// Levels of nodes that are muted, or not soloed. Under the engine's lock.
    private func silence() {
        guard let machine else { return }
        let nodes = machine.model.nodes.filter { $0.silencedLevel != nil }
        let byNumber = Dictionary(nodes.map { (numbers.number(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        silencing.apply(
            to: byNumber.keys.sorted(), level: { byNumber[$0]?.silencedLevel ?? 1 },
            set: { byNumber[$0]?.silencedLevel = $1 })
    }
}

extension GraphInspection: InspectedEngine {
    func setWatched(_ isWatched: Bool) {
        guard let machine, let engine = machine.facade else { return }
        let changes = machine.locked {
            guard isWatched != (wasInspected != nil) else { return false }
            if isWatched { wasInspected = machine.planning.isInspected }
            return true
        }
        guard changes else { return }
        engine.isInspectionEnabled = isWatched ? true : machine.locked { wasInspected ?? false }
        if let (node, tap) = machine.locked({ tap }) { node.removeTaps { $0 === tap } }
        sound.forget()
        machine.locked {
            tap = nil
            if isWatched { addTap(machine) } else { wasInspected = nil }
        }
    }

    /// What feeds the output is listened to; nothing where nothing does.
    private func addTap(_ machine: EngineMachine) {
        guard tap == nil, let output = machine.output, let wire = machine.model.wires(into: output).first else {
            return
        }
        let new = try? wire.source.addTap(wire.sourceBus, 512, nil) { [sound] buffer, time in
            guard let planes = buffer.floatChannelData else { return }
            let frames = Int(buffer.frameLength)
            sound.append(
                planes, channels: Int(buffer.format.channelCount), frames: frames,
                end: time.sampleTime + Int64(frames), sampleRate: time.sampleRate)
        }
        tap = new.map { (wire.source, $0) }
    }

    func takeSound() -> InspectedSound { sound.sound }

    func geometry() -> InspectedGeometry { InspectedGeometry() }

    /// All of it in any case: what moves is read from the nodes' reports.
    func snapshot(_ extent: SnapshotExtent) -> EngineSnapshot {
        guard let machine else { return .ofNoEngine }
        return machine.locked { snapshot(of: machine) }
    }

    func snapshot(_ extent: SnapshotExtent, within seconds: Double) -> EngineSnapshot? {
        guard let machine else { return .ofNoEngine }
        return machine.lock.locked(within: seconds) { snapshot(of: machine) }
    }

    /// Under the engine's lock.
    private func snapshot(of machine: EngineMachine) -> EngineSnapshot {
        numbers.begin()
        if wasInspected != nil { addTap(machine) }
        let state: EngineSnapshot.State =
            switch machine.state {
            case .stopped: .stopped
            case .running: .running
            case .paused: .paused
            }
        var output = InspectedOutput()
        let format = machine.renderFormat
        (output.sampleRate, output.channels) = (format.sampleRate.brief, Int(format.channelCount))
        output.form = "\(format.channelCount) channels" + (machine.manual == nil ? "" : ", manual rendering")
        output.latency = (machine.session.device?.latency ?? 0).brief
        let graph = self.graph(machine)
        // The end of the graph has the whole.
        output.peak = graph.nodes.first { $0.kind == "output" }?.peak
        let time = format.sampleRate > 0 ? Double(machine.session.executor.position) / format.sampleRate : 0
        return EngineSnapshot(
            state: state, time: time.brief, output: output, load: load.read(machine.session),
            scene: environmentScene(machine, graph), graph: graph)
    }

    private func graph(_ machine: EngineMachine) -> InspectedGraph {
        silence()
        var graph = InspectedGraph()
        var frames: [UInt64: (all: Int64, silent: Int64)] = [:]
        peaks.begin(at: machine.session.executor.position, isRunning: machine.state == .running)
        for (node, report) in zip(machine.model.nodes, GraphPicture(machine).reports) {
            let number = numbers.number(of: node)
            let meter = node.meter.pointer
            let now = (all: meter.pointee.frames.load(), silent: meter.pointee.silentFrames.load())
            let before = framesBefore[number] ?? (0, 0)
            frames[number] = now
            let rendered = now.all - before.all
            let isBypassed = (node as? AVAudioUnitEffect)?.bypass ?? false
            graph.nodes.append(
                InspectedNode(
                    id: number, name: report.name, kind: node.inspectedKind, isActive: report.isActive,
                    cost: report.costShare.brief,
                    peak: Decibels.of(amplitude: max(Double(peaks.peak(of: number, report.peak)), 1e-10)).briefLevel,
                    silence: rendered > 0 ? (Double(now.silent - before.silent) / Double(rendered)).brief : nil,
                    latency: report.latency.brief, isMuted: isBypassed || silencing.muted.contains(number),
                    isSoloed: silencing.soloed.contains(number)))
        }
        framesBefore = frames
        graph.wires = machine.model.wires.map { wire in
            InspectedWire(
                from: numbers.number(of: wire.source), to: numbers.number(of: wire.target), fromBus: wire.sourceBus,
                toBus: wire.targetBus, format: GraphPicture.words(wire.format))
        }
        return graph
    }

    // MARK: One node

    private func node(_ target: InspectedTarget, _ machine: EngineMachine) -> AVAudioNode? {
        // A listener and a source are nodes, seen in a scene.
        guard [.node, .listener, .source, .voice].contains(target.kind), let number = target.number else { return nil }
        return machine.model.nodes.first { numbers.number(of: $0) == number }
    }

    func detail(of target: InspectedTarget) -> InspectedDetail? {
        guard let machine else { return nil }
        return machine.locked {
            guard let node = node(target, machine) else { return nil }
            var detail = InspectedDetail(target: target, title: node.title)
            detail.parameters = node.inspectedParameters.map {
                $0.description(isSilenced: silencing.keptLevel(of: target.number ?? 0))
            }
            if node.latency > 0 { detail.notes.append("delays by \((node.latency * 1000).brief) ms") }
            detail.notes += machine.model.wires(into: node).map {
                "input \($0.targetBus): \(GraphPicture.words($0.format))"
            }
            detail.notes += machine.model.wires(from: node).map {
                "output \($0.sourceBus): \(GraphPicture.words($0.format))"
            }
            if machine.places[ObjectIdentifier(node)] == nil {
                detail.silentBecause = ["it feeds nothing that is heard"]
            }
            if silencing.keptLevel(of: target.number ?? 0) != nil {
                detail.silentBecause.append("it is muted, or others are soloed, in the live view")
            }
            return detail
        }
    }

    func perform(_ command: InspectorCommand) throws {
        guard let machine else { throw InspectorCommandError.unknown(command.target) }
        let value = command.action == .move ? 0 : try command.checkedValue()
        try machine.locked {
            guard let node = node(command.target, machine), let number = command.target.number else {
                throw InspectorCommandError.unknown(command.target)
            }
            switch command.action {
            case .mute where node is AVAudioUnitEffect: (node as? AVAudioUnitEffect)?.bypass = value != 0
            case .mute where node.silencedLevel != nil: silencing.mute(number, value != 0)
            case .solo where node.silencedLevel != nil: silencing.solo(number, value != 0)
            case .move where move(node, to: try command.checkedPosition()): break
            case .turn where node is AVAudioEnvironmentNode:
                (node as? AVAudioEnvironmentNode)?.listenerAngularOrientation.yaw -= Float(value)
            case .set:
                guard let parameter = node.inspectedParameters.first(where: { $0.name == command.parameter }) else {
                    throw InspectorCommandError.unfit(command)
                }
                if parameter.name == "volume", silencing.keptLevel(of: number) != nil {
                    silencing.keep(value, for: number)
                } else {
                    parameter.set(Float(min(max(value, parameter.minimum), parameter.maximum)))
                }
            default: throw InspectorCommandError.unfit(command)
            }
            silence()
        }
    }
}

/// A value of a node that somebody at the view may set.
private struct NodeParameter {
    let name, title: String
    let value, minimum, maximum: Double
    var unit = ""
    let set: (Float) -> Void

    /// - Parameter level: the volume that a silenced node has again.
    func description(isSilenced level: Double?) -> InspectedDetail.Parameter {
        InspectedDetail.Parameter(
            name, title: title, value: (name == "volume" ? level ?? value : value).brief, minimum: minimum.brief,
            maximum: maximum.brief, unit: unit)
    }
}

extension AVAudioNode {
    fileprivate var inspectedKind: String {
        switch self {
        case is AVAudioOutputNode: "output"
        case is AVAudioInputNode: "input"
        case is AVAudioMixerNode, is AVAudioEnvironmentNode: "mixer"
        case is AVAudioUnitEffect, is AVAudioUnitTimeEffect: "effect"
        default: numberOfInputs == 0 ? "source" : "effect"
        }
    }

    /// What muting sets to 0: the volume of what makes sound; nil for other nodes.
    fileprivate var silencedLevel: Double? {
        get { inspectedKind == "source" ? (self as? any AVAudioMixing).map { Double($0.volume) } : nil }
        set { if let newValue { (self as? any AVAudioMixing)?.volume = Float(newValue) } }
    }

    fileprivate var inspectedParameters: [NodeParameter] {
        var all: [NodeParameter] = []
        if let mixer = self as? AVAudioMixerNode {
            all.append(
                NodeParameter(
                    name: "outputVolume", title: "Output volume", value: Double(mixer.outputVolume), minimum: 0,
                    maximum: 1
                ) { mixer.outputVolume = $0 })
        } else if let source = self as? any AVAudioMixing, inspectedKind != "output" {
            all += [
                NodeParameter(name: "volume", title: "Volume", value: Double(source.volume), minimum: 0, maximum: 1) {
                    source.volume = $0
                },
                NodeParameter(name: "pan", title: "Pan", value: Double(source.pan), minimum: -1, maximum: 1) {
                    source.pan = $0
                },
                NodeParameter(
                    name: "reverbBlend", title: "Reverb blend", value: Double(source.reverbBlend), minimum: 0,
                    maximum: 1
                ) { source.reverbBlend = $0 },
            ]
        }
        guard self is AVAudioUnit else { return all }
        return all
            + (auAudioUnit.parameterTree?.allParameters ?? []).prefix(32).map { parameter in
                NodeParameter(
                    name: parameter.keyPath, title: parameter.displayName, value: Double(parameter.value),
                    minimum: Double(parameter.minValue), maximum: Double(parameter.maxValue),
                    unit: parameter.unitName ?? ""
                ) { parameter.setValue($0, originator: nil) }
            }
    }
}

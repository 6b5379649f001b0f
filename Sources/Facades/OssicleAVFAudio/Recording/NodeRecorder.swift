import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRecording
import Synchronization

/// Writes down what a client does to one engine. Any thread; not the audio thread.
final class NodeRecorder: Sendable {
    let recording = CommandRecording()
    private let known = Mutex(Known())

    private struct Known {
        /// Of the nodes that are attached.
        var numbers: [ObjectIdentifier: Int] = [:]
        var count = 0
        var form: FormatRecord?
        // Under the lock; taps are made for any thread.
        nonisolated(unsafe) var captures: [(node: AVAudioNode, tap: Tap)] = []
    }

    var isRecording: Bool { recording.isRecording }

    func start(_ writer: CommandWriter) -> Bool {
        known.withLock { $0 = Known() }
        return recording.start(writer)
    }

    func number(of node: AVAudioNode) -> Int? {
        let id = ObjectIdentifier(node)
        return known.withLock { $0.numbers[id] }
    }

    func addNumber(of node: AVAudioNode) -> Int {
        let id = ObjectIdentifier(node)
        return known.withLock { known in
            known.count += 1
            known.numbers[id] = known.count
            return known.count
        }
    }

    func keep(_ tap: Tap, of node: AVAudioNode) {
        nonisolated(unsafe) let node = node
        known.withLock { $0.captures.append((node, tap)) }
    }

    func takeCaptures() -> [(node: AVAudioNode, tap: Tap)] {
        known.withLock { known in
            nonisolated(unsafe) let captures = known.captures
            known.captures = []
            return captures
        }
    }

    func forget(_ node: AVAudioNode) {
        let id = ObjectIdentifier(node)
        known.withLock { $0.numbers[id] = nil }
    }

    /// Whether a device's output has another form than at the start before.
    func isNew(_ form: FormatRecord) -> Bool {
        known.withLock { known in
            defer { known.form = form }
            return known.form != form
        }
    }
}

extension EngineMachine {
    /// Writes a command down, if there is a recording. Any thread.
    func note(_ command: @autoclosure () -> EngineCommand) {
        guard recorder.isRecording else { return }
        recorder.recording.with { $0.add(command(), at: session.executor.position) }
    }

    /// Writes down something that a replay cannot do.
    func noteGap(_ words: @autoclosure () -> String) {
        guard recorder.isRecording else { return }
        recorder.recording.with { $0.addGap(words(), at: session.executor.position) }
    }

    /// Writes down a command about a node that is attached.
    func note(_ node: AVAudioNode, _ command: (Int, CommandWriter) -> EngineCommand) {
        guard recorder.isRecording, let number = recorder.number(of: node) else { return }
        recorder.recording.with { $0.add(command(number, $0), at: session.executor.position) }
    }

    func note(_ change: UnitChange, of unit: AVAudioUnit) {
        note(unit) { number, _ in
            switch change {
            case .preset(let preset): .preset(number, preset)
            case .response(let record): .response(number, record)
            case .parameter(let address, let value):
                .parameters(number, [EngineCommand.Parameter(address: address, value: value)])
            case .bypass(let isOn): .bypass(number, isOn)
            }
        }
    }

    /// A node and all that was set on it before.
    func noteAttachment(of node: AVAudioNode) {
        guard recorder.isRecording, recorder.number(of: node) == nil else { return }
        let number = recorder.addNumber(of: node), kind = node.recordedKind
        note(.attach(number, kind))
        if case .standIn = kind { capture(node, number) }
        if node is any AVAudioMixing { noteMixing(of: node) }
        (node as? AVAudioUnit)?.noteState(self)
        (node as? AVAudioMixerNode).map { mixer in note(.volume(number, mixer.outputVolume)) }
        (node as? AVAudioEnvironmentNode)?.noteState(self)
    }

    /// Has the sound of a node written down as a tap hears it: behind the audio thread.
    func capture(_ node: AVAudioNode, _ number: Int) {
        guard node.numberOfOutputs > 0 else { return }
        let tap = Tap(node, bufferSize: 4096) { [weak self] buffer, time in
            guard let self, let buffer = buffer as? AVAudioPCMBuffer else { return }
            recorder.recording.with { writer in
                writer.add(
                    EngineCommand.captured(number, buffer.soundRecord(writer), from: time.frame),
                    at: session.executor.position)
            }
        }
        node.taps.add(tap)
        recorder.keep(tap, of: node)
    }

    /// Writes down what captured nodes have given out until now, and captures no more.
    func endCaptures() {
        for (node, tap) in recorder.takeCaptures() {
            _ = node.taps.remove { $0 === tap }
            tap.flush()
            tap.drain()
        }
        locked { reinstall() }
    }

    func noteMixing(of node: AVAudioNode) {
        note(node) { number, _ in
            let (base, overrides) = node.mixing.recorded
            let destinations = overrides.compactMap { key, mixing -> EngineCommand.Destination? in
                guard let mixer = locked({ model.nodes.first { ObjectIdentifier($0) == key.node } }),
                    let place = recorder.number(of: mixer)
                else { return nil }
                return EngineCommand.Destination(node: place, bus: key.bus, mixing: mixing)
            }
            return .mixing(number, base, destinations.sorted { ($0.node, $0.bus) < ($1.node, $1.bus) })
        }
    }

    func noteConnection(
        _ source: AVAudioNode, _ bus: Int, _ targets: [(node: AVAudioNode, bus: AVAudioNodeBus)],
        _ format: AVAudioFormat?
    ) {
        note(source) { number, _ in
            .connect(
                number, bus: bus,
                to: targets.compactMap { target in
                    recorder.number(of: target.node).map { EngineCommand.Input(node: $0, bus: target.bus) }
                }, format?.formatRecord)
        }
    }

    /// At a device a replay renders in the form of the output.
    func noteStart() {
        if manual == nil {
            let form = renderFormat.formatRecord
            if recorder.isNew(form) {
                note(.manual(form, maximum: 4096))
                noteGap("the engine plays to a device: calls take effect within a block of their time")
            }
        }
        note(.start)
    }
}

extension AVAudioNode {
    fileprivate var recordedKind: EngineCommand.Kind {
        switch self {
        case is AVAudioPlayerNode: return .player
        case is AVAudioMixerNode: return .mixer
        case is AVAudioEnvironmentNode: return .environment
        case let equalizer as AVAudioUnitEQ: return .equalizer(bands: equalizer.bands.count)
        case is AVAudioUnitDistortion: return .distortion
        case let unit as AVAudioUnit where unit.unit != nil && unit.numberOfInputs == 1:
            let description = unit.audioComponentDescription
            return .unit(
                type: description.componentType, subtype: description.componentSubType,
                isTimeEffect: unit is AVAudioUnitTimeEffect)
        default: return .standIn
        }
    }
}

extension AVAudioUnit {
    /// Writes a change down: with the engine it is attached to, or with the one in whose sound it is inserted.
    func note(_ change: UnitChange) {
        if let machine = home.machine {
            machine.note(change, of: self)
        } else {
            home.chain?.changeHandler(self, change)
        }
    }

    /// All that is set on it.
    fileprivate func noteState(_ machine: EngineMachine) {
        var values: [EngineCommand.Parameter] = []
        for change in insertState {
            switch change {
            case .parameter(let address, let value):
                values.append(EngineCommand.Parameter(address: address, value: value))
            case .bypass(false): break
            default: machine.note(change, of: self)
            }
        }
        machine.note(self) { number, _ in .parameters(number, values) }
    }
}

import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// A mixer by itself: inputs, their rows and the sum. Inputs that nothing feeds are silent.
final class MixerBody: UnitBody {
    let tree: AUParameterTree?
    let inputs: [AVAudioFormat]
    let outputs = [AVAudioFormat.initial]
    let takesAnyNumberOfInputs = true
    var meters: MixerMeters { desk.meters }
    private let desk: any MixerDesk
    /// Guards the desk.
    private let turn: UpdateTurn
    private let unit: UnitDescription
    private let parameters: AUParameterTree
    private var rig: MixerRig?

    init(_ unit: UnitDescription, _ tree: AUParameterTree, _ desk: any MixerDesk) {
        nonisolated(unsafe) let desk = desk
        let turn = UpdateTurn { desk.update() }
        (self.unit, parameters, self.tree, self.desk, self.turn) = (unit, tree, tree, desk, turn)
        inputs = Array(
            repeating: .initial, count: unit.component.componentSubType == kAudioUnitSubType_MultiChannelMixer ? 8 : 1)
        tree.stored.setOwner { _ in turn.run() }
    }

    /// Changes what no parameter of the desk sets, and takes it to the renderers.
    func edit<Result>(_ body: (any MixerDesk) throws -> Result) rethrows -> Result {
        try turn.alone {
            // Here and not on the render thread, which may be about to: another room needs memory.
            defer { desk.update() }
            return try body(desk)
        }
    }

    func allocate(_ shape: UnitShape) throws {
        guard let output = shape.outputs.first else { return }
        let busses = shape.inputs.enumerated().map { Lowering.Bus(index: $0.offset, format: $0.element) }
        rig = try turn.alone {
            desk.forget()
            try desk.prepare(busses, output)
            return try MixerRig(
                unit.name, busses, output, frames: shape.maximumFrames, ParameterRamps(parameters.stored.values, turn),
                desk)
        }
    }

    func deallocate() {
        turn.alone { desk.forget() }
        rig = nil
    }

    func reset() { rig?.reset() }

    func latency(sampleRate: Double) -> TimeInterval { turn.alone { desk.latency } }
    func tailTime(sampleRate: Double) -> TimeInterval { turn.alone { desk.tailTime } }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { _, time, frames, _, list, events, pull in rig.render(time, Int(frames), list, events, pull) }
    }
}

/// What a mixer needs while it is allocated.
private final class MixerRig: @unchecked Sendable {
    private let inputs: [MixerInput]
    private let graph: UnitGraph
    private let remembering: [OwnedRenderer]

    init(
        _ name: String, _ busses: [Lowering.Bus], _ output: AVAudioFormat, frames: Int, _ ramps: ParameterRamps,
        _ desk: any MixerDesk
    ) throws {
        let inputs = busses.map { MixerInput($0, rate: output.sampleRate, frames: frames) }
        self.inputs = inputs
        graph = try UnitGraph(
            name, inputs: zip(busses, inputs).map { UnitGraph.Input($1.planes, channels: $0.channels) },
            output: UnitOutput(output, frames: frames, ramps)
        ) { graph, sources in
            let ports = desk.add(to: &graph, name, busses: busses.map(\.index), meter: nil)
            for (bus, source) in zip(busses, sources) {
                if let port = ports.inputs[bus.index] { graph.connect(source, to: port) }
            }
            return ports.outputs[0]
        }
        remembering = desk.resettable
    }

    func reset() {
        for input in inputs { input.reset() }
        for renderer in remembering { graph.reset(renderer.reference, keeping: renderer.owner) }
    }

    func render(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ events: UnsafePointer<AURenderEvent>?,
        _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        var status = noErr
        for input in inputs {
            var result = kAudioUnitErr_NoConnection
            // `map` would wrap the block in a thunk that allocates.
            if let pull { result = input.pull(pull, time, frames) }
            if result != noErr, result != kAudioUnitErr_NoConnection { status = result }
        }
        graph.render(
            frames, from: RenderCycle.frame(time.pointee), ParameterEvents(events),
            into: UnsafeMutableAudioBufferListPointer(list))
        return status
    }
}

/// One input of a mixer, at the mixer's rate.
private final class MixerInput: @unchecked Sendable {
    /// What a cycle has pulled.
    let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let bus: Int
    private let source: Source

    private enum Source {
        case direct(PulledInput)
        case converted(ConvertedInput, PulledPlanes)
    }

    init(_ bus: Lowering.Bus, rate: Double, frames: Int) {
        self.bus = bus.index
        if bus.format.sampleRate == rate {
            let input = PulledInput(bus.format, capacity: frames)
            (source, planes) = (.direct(input), input.sound.planes)
        } else {
            let target = AVAudioFormat(
                unchecked: AVAudioCommonFormat.pcmFormatFloat32.description(
                    sampleRate: rate, channels: bus.format.channelCount, interleaved: false))
            let converted = PulledPlanes(channels: bus.channels, capacity: frames)
            let converter = ConvertedInput(
                from: bus.format, to: target, exit: RateExit.exit(from: bus.format, to: target), capacity: frames,
                bus: bus.index,
                map: Array(0..<bus.channels))
            (source, planes) = (.converted(converter, converted), converted.planes)
        }
    }

    func reset() {
        if case .converted(let converter, _) = source { converter.reset() }
    }

    func pull(_ pull: AURenderPullInputBlock, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int) -> AUAudioUnitStatus
    {
        switch source {
        case .direct(let input): input.pull(pull, time, frames: frames, bus: bus)
        case .converted(let converter, _):
            converter.render(frames, into: planes, hostTime: time.pointee.mHostTime, pull)
        }
    }
}

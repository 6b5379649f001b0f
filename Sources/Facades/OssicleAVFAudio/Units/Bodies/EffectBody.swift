import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// An effect by itself: a graph of two steps, the sound its host gives and the kernel, in an executor of its own.
final class EffectBody: UnitBody {
    let tree: AUParameterTree?
    let inputs = [AVAudioFormat.initial]
    let outputs = [AVAudioFormat.initial]
    private let unit: UnitDescription
    private let parameters: AUParameterTree
    private let driver: any UnitDriver
    /// Parameters may be set from any thread, the one that renders included.
    private let turn: UpdateTurn
    private let bypass: SharedFlag
    private var rig: EffectRig?

    init(_ unit: UnitDescription, _ tree: AUParameterTree, _ driver: any UnitDriver) {
        nonisolated(unsafe) let driver = driver
        let bypass = SharedFlag(), turn = UpdateTurn { driver.update(bypass: bypass.isOn) }
        (self.unit, parameters, self.tree, self.driver, self.bypass, self.turn) = (
            unit, tree, tree, driver, bypass, turn
        )
        tree.stored.setOwner { _ in turn.run() }
    }

    var presets: [String] { unit.presets.map(\.name) }

    func load(preset number: Int) {
        guard unit.presets.indices.contains(number) else { return }
        turn.alone { driver.choose(preset: number) }
        for (id, value) in unit.presets[number].values {
            parameters.parameter(withAddress: AUParameterAddress(id))?.value = value
        }
    }

    func setBypass(_ isBypassed: Bool) {
        bypass.isOn = isBypassed
        turn.run()
    }

    func allocate(_ shape: UnitShape) throws {
        guard let input = shape.inputs.first, let output = shape.outputs.first, input.sampleRate == output.sampleRate,
            input.channelCount == output.channelCount
        else { throw AUFault.shape(unit.name, shape, "An effect gives out the rate and the channels it takes in.") }
        unit.adapt(parameters, to: input.sampleRate)
        rig = try turn.alone {
            driver.forget()
            return try EffectRig(
                unit.name, input: input, output: output, frames: shape.maximumFrames,
                ParameterRamps(parameters.stored.values, turn),
                driver.renderer(sampleRate: input.sampleRate, channels: Int(input.channelCount), bypass: bypass.isOn))
        }
    }

    func deallocate() {
        turn.alone { driver.forget() }
        rig = nil
    }

    func reset() {
        rig?.reset()
        driver.reset()
    }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { _, time, frames, _, list, events, pull in rig.render(time, Int(frames), list, events, pull) }
    }

    func latency(sampleRate: Double) -> TimeInterval { Double(driver.latency(sampleRate: sampleRate)) / sampleRate }
    func tailTime(sampleRate: Double) -> TimeInterval { driver.tailTime(sampleRate: sampleRate) }
}

/// What an effect needs while it is allocated.
private final class EffectRig: @unchecked Sendable {
    private let input: PulledInput
    private let output: UnitOutput
    private let executor = Executor()
    /// Guards the control side of the executor.
    private let resetting = NSLock()
    private let renderer: (reference: RendererReference, owner: AnyObject)
    private let feed: InputFeeder

    init(
        _ name: String, input: AVAudioFormat, output: AVAudioFormat, frames: Int, _ ramps: ParameterRamps,
        _ renderer: (RendererReference, AnyObject)
    ) throws {
        let (feed, channels) = (InputFeeder(), Int(input.channelCount))
        self.input = PulledInput(input, capacity: frames)
        self.output = UnitOutput(output, frames: frames, ramps)
        (self.renderer, self.feed) = (renderer, feed)
        feed.planes = self.input.sound.planes
        var graph = Graph()
        let box = RendererBox(BlockRenderer { [unowned feed] ports, context in feed.render(ports, context) })
        let source = graph.add("\(name) input", .block(box.pointer), owner: box, inputs: [], outputs: [channels])
        let effect = graph.add(name, renderer.0, owner: renderer.1, inputs: [channels], outputs: [channels])
        graph.connect(Graph.Port(source), to: Graph.Port(effect))
        graph.output = Graph.Port(effect)
        executor.install(try GraphCompiler.compile(graph), at: 0)
    }

    /// Any thread.
    func reset() {
        resetting.withLock {
            executor.collect()
            executor.send(.reset(renderer.reference), keeping: renderer.owner, at: executor.position)
        }
    }

    func render(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ events: UnsafePointer<AURenderEvent>?,
        _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        guard let pull else { return kAudioUnitErr_NoConnection }
        let status = input.pull(pull, time, frames: frames, bus: 0)
        guard status == noErr else { return status }
        feed.offset = 0
        output.render(
            frames, from: RenderCycle.frame(time.pointee), ParameterEvents(events),
            into: UnsafeMutableAudioBufferListPointer(list), with: executor)
        return noErr
    }
}

import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// An effect by itself: the sound its host gives, and the kernel.
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
    private let graph: UnitGraph
    private let renderer: (reference: RendererReference, owner: AnyObject)

    init(
        _ name: String, input: AVAudioFormat, output: AVAudioFormat, frames: Int, _ ramps: ParameterRamps,
        _ renderer: (RendererReference, AnyObject)
    ) throws {
        let pulled = PulledInput(input, capacity: frames), channels = Int(input.channelCount)
        (self.input, self.renderer) = (pulled, renderer)
        graph = try UnitGraph(
            name, inputs: [UnitGraph.Input(pulled.sound.planes, channels: channels)],
            output: UnitOutput(output, frames: frames, ramps)
        ) { graph, sources in
            let effect = Graph.Port(
                graph.add(name, renderer.0, owner: renderer.1, inputs: [channels], outputs: [channels]))
            graph.connect(sources[0], to: effect)
            return effect
        }
    }

    /// Any thread.
    func reset() { graph.reset(renderer.reference, keeping: renderer.owner) }

    func render(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ events: UnsafePointer<AURenderEvent>?,
        _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        guard let pull else { return kAudioUnitErr_NoConnection }
        let status = input.pull(pull, time, frames: frames, bus: 0)
        guard status == noErr else { return status }
        graph.render(
            frames, from: RenderCycle.frame(time.pointee), ParameterEvents(events),
            into: UnsafeMutableAudioBufferListPointer(list))
        return noErr
    }
}

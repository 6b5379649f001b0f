// An LV2 plug-in behind the class that all units share.

import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlugins
import OssicleRender
import Synchronization

/// An LV2 plug-in, loaded when it is made. In a process of its own unless the options say otherwise.
final class PluginBody: UnitBody, @unchecked Sendable {
    let tree: AUParameterTree?
    let inputs: [AVAudioFormat]
    let outputs: [AVAudioFormat]
    let plugin: PluginDescription
    private let parameters: AUParameterTree
    let instance: PluginInstance
    private let presetList: [(uri: String, name: String)]
    private let bypass = SharedFlag()
    private let offline = SharedFlag()
    private let errors: PluginErrors
    private let meters: PluginMeters
    private var rig: PluginRig?
    private var statedLatency = 0.0
    private var ticker: PluginTicker?

    init(_ plugin: PluginDescription, options: AudioComponentInstantiationOptions) throws {
        let errors = PluginErrors(), meters = PluginMeters()
        let instance = PluginInstance(plugin, isInProcess: options.contains(.loadInProcess)) { errors.record($0) }
        (self.plugin, self.instance, self.errors, self.meters) = (plugin, instance, errors, meters)
        inputs = [plugin.mainInputs, plugin.sidechains.count].filter { $0 > 0 }.map { Self.format(channels: $0) }
        outputs =
            plugin.audioOutputs > 0 || plugin.audioInputs > 0
            ? [Self.format(channels: max(plugin.audioOutputs, 1))] : []
        // Before the first block, and from some plug-ins always, a meter says what lies outside its own range.
        parameters = plugin.makeParameterTree { port in
            min(max(meters.value(of: port), plugin.ports[port].minimum), plugin.ports[port].maximum)
        }
        tree = parameters
        do {
            try instance.prepare(Self.shape(plugin, inputs, outputs, rate: 44_100, frames: 512))
            presetList = try instance.presets()
        } catch { throw error.asOssicleError }
    }

    private static func format(channels: Int) -> AVAudioFormat {
        let description = AVAudioCommonFormat.pcmFormatFloat32.description(
            sampleRate: 44_100, channels: AVAudioChannelCount(channels), interleaved: false)
        return AVAudioFormat(unchecked: description)
    }

    private static func shape(
        _ plugin: PluginDescription, _ inputs: [AVAudioFormat], _ outputs: [AVAudioFormat], rate: Double, frames: Int
    ) -> PluginInstance.Shape {
        let routing = PluginRouting(
            inputPorts: plugin.audioInputs, outputPorts: plugin.audioOutputs,
            inputChannels: inputs.first.map { Int($0.channelCount) } ?? 0,
            outputChannels: outputs.first.map { Int($0.channelCount) } ?? 0,
            mayCopy: !plugin.ports.contains { $0.flags.contains(.atom) }, sidechains: plugin.sidechains,
            sidechainChannels: inputs.count > 1 ? Int(inputs[1].channelCount) : 0)
        return PluginInstance.Shape(rate: rate, capacity: frames, routing: routing)
    }

    // MARK: Rendering

    func allocate(_ shape: UnitShape) throws {
        let rates = Set((shape.inputs + shape.outputs).map(\.sampleRate))
        guard rates.count <= 1 else {
            throw AUFault.shape(plugin.name, shape, "Input and output have one sample rate.")
        }
        let wanted = Self.shape(
            plugin, shape.inputs, shape.outputs, rate: rates.first ?? 44_100, frames: shape.maximumFrames)
        do { try instance.prepare(wanted) } catch { throw error.asOssicleError }
        statedLatency = plugin.ports.contains { $0.flags.contains(.latency) && !$0.isInput } ? instance.latency() : 0
        guard let renderer = instance.renderer() else { throw PluginError.noProcess("no memory").asOssicleError }
        meters.set(renderer)
        rig = PluginRig(
            plugin, renderer, shape, parameters.stored.values, surroundings: shape.surroundings, bypass: bypass,
            offline: offline)
        ticker = PluginTicker { [instance] in instance.reportFaults() }
    }

    func deallocate() {
        ticker = nil
        instance.reportFaults()
        rig = nil
    }

    func reset() {
        instance.reset()
        rig?.reset()
    }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { flags, time, frames, _, list, events, pull in rig.render(flags, time, Int(frames), list, events, pull)
        }
    }

    func setBypass(_ isBypassed: Bool) { bypass.isOn = isBypassed }
    func setOffline(_ isOffline: Bool) { offline.isOn = isOffline }
    func onFault(_ handler: @escaping @Sendable (any Error) -> Void) { errors.set(handler) }
    var isInProcess: Bool { instance.isInProcess }
    /// Of the plug-in's own process; `nil` in this one.
    var processIdentifier: Int32? { instance.processIdentifier }
    func latency(sampleRate: Double) -> TimeInterval { (meters.latency(of: plugin) ?? statedLatency) / sampleRate }

    /// LV2 has no word for it: an effect may sound for ever.
    func tailTime(sampleRate: Double) -> TimeInterval { plugin.audioInputs > 0 ? .infinity : 0 }

    var channelCapabilities: [NSNumber]? {
        [NSNumber(value: plugin.mainInputs), NSNumber(value: max(plugin.audioOutputs, outputs.count))]
    }

    var midiOutputNames: [String] { plugin.midiOutput.map { [plugin.ports[$0].name] } ?? [] }

    // MARK: State

    private static let stateKey = "lv2-state", filesKey = "lv2-files"

    var presets: [String] { presetList.map(\.name) }

    func load(preset number: Int) {
        guard presetList.indices.contains(number) else { return }
        do { take(try instance.load(preset: presetList[number].uri)) } catch { errors.record(error) }
    }

    /// The state that LV2's extension knows beside the parameters, as Turtle, and the files that it names.
    var state: [String: Any] {
        do {
            let state = try instance.state()
            let files: [String: Any] = state.files.isEmpty ? [:] : [Self.filesKey: state.files]
            return files.merging([Self.stateKey: state.text, "lv2-uri": plugin.uri]) { $1 }
        } catch {
            errors.record(error)
            return [:]
        }
    }

    func restore(_ state: [String: Any]) throws {
        guard let text = state[Self.stateKey] as? String else { return }
        let files = state[Self.filesKey] as? [String: Data] ?? [:]
        do { take(try instance.restore(PluginState(text: text, files: files))) } catch { throw error.asOssicleError }
    }

    /// Values that the plug-in has by now.
    private func take(_ values: [Float]) {
        rig?.renderer.forgetSent()
        for (index, port) in plugin.ports.enumerated() where port.isInput && values.indices.contains(index) {
            if values[index].isFinite {
                parameters.parameter(withAddress: AUParameterAddress(index))?.value = values[index]
            }
        }
    }
}

/// Where a plug-in's errors go once its unit is there. Any thread.
private final class PluginErrors: Sendable {
    private let handler = Mutex<(@Sendable (any Error) -> Void)?>(nil)
    func set(_ new: @escaping @Sendable (any Error) -> Void) { handler.withLock { $0 = new } }
    func record(_ error: PluginError) { handler.withLock { $0 }?(error.asOssicleError) }
}

/// What a plug-in's output ports of control say, as the last block left them. Any thread.
private final class PluginMeters: Sendable {
    private let renderer = Mutex<PluginRenderer?>(nil)
    func set(_ new: PluginRenderer) { renderer.withLock { $0 = new } }
    func value(of port: Int) -> Float { renderer.withLock { $0 }?.value(ofPort: port) ?? 0 }

    /// Frames; `nil` before the first block.
    func latency(of plugin: PluginDescription) -> Double? {
        guard let renderer = renderer.withLock({ $0 }), renderer.hasRendered,
            let port = plugin.ports.firstIndex(where: { $0.flags.contains(.latency) && !$0.isInput })
        else { return nil }
        return Double(max(renderer.value(ofPort: port), 0))
    }
}

/// Looks after what a render thread has noted, ten times a second as long as it lives.
private final class PluginTicker {
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))

    init(_ work: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: work)
        timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
        timer.resume()
    }

    deinit { timer.cancel() }
}

import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleRender

/// Drives a unit whose class is the client's.
///
/// Setting formats and allocating are the client's code; they run when the graph is compiled, not while it is rendered.
final class HostedDriver: UnitDriver {
    let unit: AUAudioUnit
    /// Where to say that the unit refuses a format or cannot be allocated; it is silent then.
    var report: (any Error) -> Void = { _ in }
    private let hasInput: Bool
    private var box: RendererBox<BlockRenderer>?
    private var caller: UnitCaller?
    private var shape: (rate: Double, channels: Int) = (0, 0)

    init(_ unit: AUAudioUnit, hasInput: Bool) { (self.unit, self.hasInput) = (unit, hasInput) }

    /// For a component whose class the client has registered, if that can be made.
    static func make(for description: AudioComponentDescription) -> HostedDriver? {
        guard let unit = try? UnitClasses.type(for: description)?.init(registered: description) else { return nil }
        return HostedDriver(unit, hasInput: !AVAudioUnitGenerator.types.contains(description.componentType))
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> (RendererReference, AnyObject) {
        if let box, shape == (sampleRate, channels), unit.renderResourcesAllocated { return (.block(box.pointer), box) }
        do { try prepare(sampleRate, channels) } catch { report(error) }
        unit.shouldBypassEffect = bypass
        let caller = UnitCaller(unit.renderBlock, channels: channels, hasInput: hasInput, bypass: bypass)
        let made = RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        (box, self.caller, shape) = (made, caller, (sampleRate, channels))
        return (.block(made.pointer), made)
    }

    private func prepare(_ sampleRate: Double, _ channels: Int) throws {
        unit.deallocateRenderResources()
        let asbd = AVAudioCommonFormat.pcmFormatFloat32.description(sampleRate: sampleRate, channels: AVAudioChannelCount(channels), interleaved: false)
        let format = AVAudioFormat(unchecked: asbd)
        if hasInput, unit.inputBusses.count > 0 { try unit.inputBusses[0].setFormat(format) }
        try unit.outputBusses[0].setFormat(format)
        if unit.maximumFramesToRender < Grid.quantum { unit.maximumFramesToRender = AUAudioFrameCount(Grid.quantum) }
        try unit.allocateRenderResources()
    }

    func update(bypass: Bool) {
        unit.shouldBypassEffect = bypass
        caller?.setBypass(bypass)
    }

    var reference: RendererReference? { box.map { .block($0.pointer) } }

    func forget() {
        (box, caller) = (nil, nil)
        unit.deallocateRenderResources()
    }

    func latency(sampleRate: Double) -> Int { Self.frames(unit.latency * sampleRate) }

    func tailTime(sampleRate: Double) -> Double { unit.tailTime }

    private static func frames(_ value: Double) -> Int { value.isFinite ? Int(min(max(value, 0), 0x1p40).rounded()) : 0 }
}

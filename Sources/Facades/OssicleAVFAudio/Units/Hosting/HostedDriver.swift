import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// Drives a unit whose class is the client's.
///
/// Setting formats and allocating are the client's code: they run under no lock, in what `allocation` returns, and a
/// plan that is made before has silence in the unit's place.
final class HostedDriver: UnitDriver, @unchecked Sendable {
    let unit: AUAudioUnit
    /// What sequences and MIDI processors send it.
    let music: UnitMusic
    /// The unit as one that sends MIDI to others.
    let processor: MIDIProcessor
    /// Where to say that the unit refuses a format or cannot be allocated; it is silent then.
    var report: (any Error) -> Void = { _ in }
    private let hasInput: Bool
    /// One thread allocates at a time.
    private let allocating = NSRecursiveLock()
    private let lock = NSLock()

    // Under the lock.
    private var box: RendererBox<BlockRenderer>?
    private var caller: UnitCaller?
    private var shape: (rate: Double, channels: Int) = (0, 0)
    /// The unit was asked to allocate for `shape` and no plan has been made since: whatever it answered is final.
    private var isFresh = false

    init(_ unit: AUAudioUnit, hasInput: Bool) {
        let music = UnitMusic(unit)
        (self.unit, self.hasInput, self.music) = (unit, hasInput, music)
        processor = MIDIProcessor(unit, music)
    }

    /// For a component whose class the client has registered, a plug-in, and a built-in unit that renders by itself in
    /// an engine too; `nil` for one that is none of these. Throws where it cannot be made.
    static func make(for description: AudioComponentDescription) throws -> HostedDriver? {
        guard let unit = try makeUnit(for: description) else { return nil }
        return HostedDriver(unit)
    }

    convenience init(_ unit: AUAudioUnit) {
        self.init(unit, hasInput: !AVAudioUnit.typesWithoutInput.contains(unit.componentDescription.componentType))
    }

    private static func makeUnit(for description: AudioComponentDescription) throws -> AUAudioUnit? {
        if let builtIn = UnitCatalogue.unit(for: description) {
            guard builtIn.type == kAudioUnitType_Generator || builtIn.type == kAudioUnitType_MusicDevice else {
                return nil
            }
            return try AUAudioUnit(componentDescription: description)
        }
        if let type = UnitClasses.type(for: description) { return try type.init(registered: description) }
        guard let found = try? UnitClasses.find(description), found.isSameUnit(as: description),
            PluginComponents.plugin(for: found) != nil
        else { return nil }
        return try AUAudioUnit(componentDescription: found, options: [])
    }

    /// What has to be done before the unit sounds at a rate and with a number of channels; `nil` if it does.
    func allocation(sampleRate: Double, channels: Int, clock: RenderClock?, bypass: Bool) -> (() -> Void)? {
        let isDone = lock.withLock {
            defer { isFresh = false }
            return isReady(sampleRate, channels)
        }
        return isDone ? nil : { self.allocate(sampleRate, channels, clock: clock, bypass: bypass) }
    }

    /// Under the lock.
    private func isReady(_ sampleRate: Double, _ channels: Int) -> Bool {
        box != nil && shape == (sampleRate, channels) && (isFresh || unit.renderResourcesAllocated)
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        let allocated = lock.withLock { shape == (sampleRate, channels) ? box : nil }
        let renderer =
            allocated ?? RendererBox(BlockRenderer { ports, context in ports.silenceOutputs(context.frames) })
        return (.block(renderer.pointer), renderer)
    }

    /// Under no lock of the engine or the node. A unit that refuses reports it, and is silent.
    private func allocate(_ sampleRate: Double, _ channels: Int, clock: RenderClock?, bypass: Bool) {
        allocating.lock()
        defer { allocating.unlock() }
        // Another thread that made a plan may have done it meanwhile, and that plan may be the one in place.
        if lock.withLock({ isReady(sampleRate, channels) }) { return }
        // A plan may still render it as it was.
        lock.withLock { self.caller }?.retire()
        do { try prepare(sampleRate, channels) } catch { report(error) }
        unit.shouldBypassEffect = bypass
        let caller = UnitCaller(
            unit.renderBlock, channels: channels, rate: sampleRate, clock: clock, music: music, hasInput: hasInput,
            bypass: bypass)
        let made = RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        lock.withLock { (box, self.caller, shape, isFresh) = (made, caller, (sampleRate, channels), true) }
    }

    private func prepare(_ sampleRate: Double, _ channels: Int) throws {
        unit.deallocateRenderResources()
        let asbd = AVAudioCommonFormat.pcmFormatFloat32.description(
            sampleRate: sampleRate, channels: AVAudioChannelCount(channels), interleaved: false)
        let format = AVAudioFormat(unchecked: asbd)
        if hasInput, unit.inputBusses.count > 0 { try unit.inputBusses[0].setFormat(format) }
        try unit.outputBusses[0].setFormat(format)
        music.lendBeats(to: unit)
        if unit.maximumFramesToRender < Grid.quantum { unit.maximumFramesToRender = AUAudioFrameCount(Grid.quantum) }
        try unit.allocateRenderResources()
    }

    func update(bypass: Bool) {
        unit.shouldBypassEffect = bypass
        lock.withLock { caller }?.setBypass(bypass)
    }

    var current: OwnedRenderer? { lock.withLock { box }.map { (.block($0.pointer), $0) } }

    func reset() { unit.reset() }

    /// The unit is silent in the next plan; `deallocate` is still due.
    func forget() { lock.withLock { box = nil } }

    /// Under no lock, once the unit is not to sound any more.
    func deallocate() {
        allocating.lock()
        defer { allocating.unlock() }
        lock.withLock { self.caller }?.retire()
        processor.forget()
        unit.deallocateRenderResources()
    }

    func latency(sampleRate: Double) -> Int { Self.frames(unit.latency * sampleRate) }

    func tailTime(sampleRate: Double) -> Double { unit.tailTime }

    private static func frames(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value, 0), 0x1p40).rounded()) : 0
    }
}

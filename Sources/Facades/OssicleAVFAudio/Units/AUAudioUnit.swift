// A version 3 unit, as hosts use it and as clients write it.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleMessages
import OssicleNodes
import OssicleProperties
import OssicleRender

/// An audio unit. A host sets the formats of its busses, calls `allocateRenderResources()`, and renders with
/// `renderBlock`.
///
/// `AUAudioUnit` itself is one of the built-in units. A class of one's own overrides the busses and
/// `internalRenderBlock`, calls super in `allocateRenderResources()`, and is made known by `registerSubclass`; it has
/// `init(componentDescription:options:)` as its designated initialiser or inherits it. Calls may come from any thread
/// but the render thread; wrong ones throw or give an `OSStatus`.
open class AUAudioUnit: NSObject, ReplaceableInit {
    /// Type, subtype and maker.
    public let componentDescription: AudioComponentDescription
    let cycle = RenderCycle()
    let lock = NSRecursiveLock()
    let errors = ErrorLog()
    /// What makes a built-in unit work; `nil` for the client's classes.
    let body: (any UnitBody)?
    var settings = UnitSettings()
    private var tree: AUParameterTree?
    private var isAllocated = false
    private lazy var ownInputs = makeBusses(.input)
    private lazy var ownOutputs = makeBusses(.output)

    /// The unit of a component, or what a subclass starts with. Throws for a component there is not. An LV2 plug-in
    /// gets a process of its own, unless the options have `.loadInProcess`; every other unit lives in this process.
    public init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        if Self.self == AUAudioUnit.self {
            let found = try UnitClasses.find(componentDescription)
            self.componentDescription = found
            if let unit = UnitCatalogue.unit(for: found) {
                body = try UnitBodies.make(for: unit)
            } else if let plugin = PluginComponents.plugin(for: found) {
                body = try PluginBody(plugin, options: options)
            } else {
                throw UnitClasses.type(for: found) == nil ? AUFault.unknown(found) : AUFault.needsFactory(found)
            }
        } else {
            (self.componentDescription, body) = (componentDescription, nil)
        }
        tree = body?.tree
        super.init()
        let receiver = FaultReceiver(unit: self)
        body?.onFault { receiver.unit?.fail($0) }
    }

    /// The unit of a component, of the registered class if it has one. Zeros find the first that fits.
    public convenience init(componentDescription: AudioComponentDescription) throws {
        try self.init(insteadOf: { try Self.make(componentDescription) })
    }

    /// How a registered class is made. Inherited with `init(componentDescription:options:)`.
    public required convenience init(registered componentDescription: AudioComponentDescription) throws {
        try self.init(componentDescription: componentDescription, options: [])
    }

    deinit {
        hardware?.stop()
        cycle.close()
        if isAllocated, let tree = body?.tree { RenderedParameters.end(tree.stored) }
    }

    // MARK: Busses and resources

    /// Where sound goes in; the same array every time. Override it.
    open var inputBusses: AUAudioUnitBusArray { lock.withLock { ownInputs } }

    /// Where sound comes out; the same array every time. Override it.
    open var outputBusses: AUAudioUnitBusArray { lock.withLock { ownOutputs } }

    /// Makes ready to render: after the formats are set, before the first cycle. Overriders call super first. Throws
    /// what the unit has against its formats; twice does nothing.
    open func allocateRenderResources() throws {
        if renderResourcesAllocated { return }
        let frames = maximumFramesToRender
        guard (1...1 << 20).contains(frames) else { throw AUFault.maximumFrames(frames) }
        let surroundings = UnitSurroundings(
            musicalContext: musicalContextBlock, transportState: transportStateBlock, midiOutput: midiOutputEventBlock)
        let shape = UnitShape(
            inputs: inputBusses.map(\.format), outputs: outputBusses.map(\.format), maximumFrames: Int(frames),
            channelMap: channelMap?.map(\.intValue), inputChannelMap: setting(\.inputChannelMap),
            surroundings: surroundings)
        guard shape.sampleCount <= UnitShape.mostSamples else { throw AUFault.samples(shape) }
        try body?.allocate(shape)
        body?.setBypass(shouldBypassEffect)
        body?.setOffline(isRenderingOffline)
        cycle.prepare(
            outputs: shape.outputs, maximumFrames: shape.maximumFrames, isClients: body == nil
        ) { [weak self] in self?.internalRenderBlock }
        if let tree = body?.tree { RenderedParameters.begin(tree.stored) }
        setRenderResourcesAllocated(true)
    }

    /// Ends rendering; waits for the cycle under way, unless called from within. Overriders call super.
    open func deallocateRenderResources() {
        if cycle.isRendering { return }
        hardware?.stop()
        let wasAllocated = renderResourcesAllocated
        setRenderResourcesAllocated(false)
        body?.deallocate()
        if wasAllocated, let tree = body?.tree { RenderedParameters.end(tree.stored) }
    }

    /// Whether it can render.
    open var renderResourcesAllocated: Bool { lock.withLock { isAllocated } }

    /// For subclasses whose allocation fails after super's went well.
    open func setRenderResourcesAllocated(_ flag: Bool) {
        if flag { cycle.open() } else { cycle.close() }
        lock.withLock { isAllocated = flag }
    }

    /// Forgets what was heard, and the events that wait.
    open func reset() {
        let isOpen = cycle.isOpen
        if cycle.isRendering { return }
        cycle.close()
        cycle.events.clear()
        body?.reset()
        if isOpen { cycle.open() }
    }

    /// Whether a bus may take a format; subclasses override it. Base: false while resources are allocated.
    @discardableResult
    open func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool { !renderResourcesAllocated }

    // MARK: Rendering

    /// Renders. Fetch it once, after allocation and before real-time use. Without resources it gives
    /// `kAudioUnitErr_Uninitialized`, for too many frames `kAudioUnitErr_TooManyFramesToProcess`, for a wrong bus
    /// `kAudioUnitErr_InvalidElement`, and `kAudio_ParamError` for a list that does not fit the bus.
    open var renderBlock: AURenderBlock {
        cycle.fetch()
        return { [cycle] flags, time, frames, bus, list, pull in cycle.render(flags, time, frames, bus, list, pull) }
    }

    /// How the unit renders; override it, and capture no `self`. The list has memory, the events lie in this cycle.
    open var internalRenderBlock: AUInternalRenderBlock {
        // `??` would wrap the block in a thunk that allocates in every cycle.
        guard let body else { return { _, _, _, _, _, _, _ in kAudio_UnimplementedError } }
        return body.makeRenderBlock()
    }

    /// The most frames of a cycle, 1 … 1,048,576; fixed while resources are allocated. Default 512.
    open var maximumFramesToRender: AUAudioFrameCount {
        get { lock.withLock { settings.maximumFrames } }
        set { if !renderResourcesAllocated { lock.withLock { settings.maximumFrames = newValue } } }
    }

    // MARK: Parameters and state

    /// All parameters; `nil` if there are none.
    open var parameterTree: AUParameterTree? {
        get { lock.withLock { tree } }
        set { lock.withLock { tree = newValue } }
    }

    /// The addresses of the most important parameters, at most `count`. Base: none.
    @discardableResult
    open func parametersForOverview(withCount count: Int) -> [NSNumber] { [] }

    /// Description, name and parameters as a property list; setting it sets the parameters it names.
    open var fullState: [String: Any]? {
        get { UnitState.state(of: self) }
        set { if let newValue { errors.recording { try UnitState.restore(newValue, to: self) } } }
    }

    /// What to keep in a document. Base: `fullState`.
    open var fullStateForDocument: [String: Any]? {
        get { fullState }
        set { fullState = newValue }
    }

    /// The maker's presets; `nil` if there are none.
    open var factoryPresets: [AUAudioUnitPreset]? {
        body.flatMap { $0.presets.isEmpty ? nil : AUAudioUnitPreset.numbered($0.presets) }
    }

    /// The preset last chosen. Setting one of the maker's loads it, and so does setting one of the user's where
    /// `supportsUserPresets`; what cannot be loaded is recorded and changes nothing.
    open var currentPreset: AUAudioUnitPreset? {
        get { lock.withLock { settings.preset } }
        set {
            if let newValue, newValue.number < 0, supportsUserPresets {
                do {
                    let state = try presetState(for: newValue)
                    if body == nil { fullState = state } else { try UnitState.restore(state, to: self) }
                } catch {
                    return errors.record(error)
                }
            }
            lock.withLock { settings.preset = newValue }
            if let number = newValue?.number, number >= 0 { body?.load(preset: number) }
        }
    }

    /// The presets that were saved, from number −1 down.
    open var userPresets: [AUAudioUnitPreset] { UserPresets(of: self).all }

    /// Whether a user preset can be set as `currentPreset`. True for the built-in units; base: false.
    open var supportsUserPresets: Bool { body != nil }

    /// Saves `fullState` as a user preset, in place of one of the same name or number; a number that is not below 0
    /// becomes the next that is free. Throws where the file cannot be written.
    open func saveUserPreset(_ userPreset: AUAudioUnitPreset) throws {
        try UserPresets(of: self).save(userPreset, fullState ?? [:])
    }

    /// Deletes a user preset, found by its number, else by its name. Throws for one there is not.
    open func deleteUserPreset(_ userPreset: AUAudioUnitPreset) throws { try UserPresets(of: self).delete(userPreset) }

    /// The state a user preset holds. Throws for one there is not, and for a file that is damaged or another unit's.
    @discardableResult
    open func presetState(for userPreset: AUAudioUnitPreset) throws -> [String: Any] {
        try UserPresets(of: self).state(of: userPreset)
    }

    // MARK: Effects

    /// Seconds by which what comes out lags behind what goes in; 0 while bypassed.
    open var latency: TimeInterval {
        let rate = outputBusses[0].format.sampleRate
        guard let body, rate > 0, !shouldBypassEffect else { return 0 }
        return body.latency(sampleRate: rate)
    }

    /// Seconds it keeps sounding after its input has fallen silent; 0 while bypassed.
    open var tailTime: TimeInterval {
        let rate = outputBusses[0].format.sampleRate
        guard let body, rate > 0, !shouldBypassEffect else { return 0 }
        return body.tailTime(sampleRate: rate)
    }

    /// Whether sound passes untouched, from the next cycle on. Default false.
    open var shouldBypassEffect: Bool {
        get { lock.withLock { settings.isBypassed } }
        set {
            lock.withLock { settings.isBypassed = newValue }
            body?.setBypass(newValue)
        }
    }

    /// 0 … 127. Taken, and of no effect in the built-in units. Default 127.
    open var renderQuality: Int {
        get { lock.withLock { settings.quality } }
        set { lock.withLock { settings.quality = min(max(newValue, 0), 127) } }
    }

    /// Whether output may lie where input lies. Base: false.
    open var canProcessInPlace: Bool { false }

    /// Whether there is no hurry. Default false; an engine sets it by its own mode.
    open var isRenderingOffline: Bool {
        get { lock.withLock { settings.isOffline } }
        set {
            lock.withLock { settings.isOffline = newValue }
            body?.setOffline(newValue)
        }
    }

    /// Pairs of numbers of channels in and out that go together: −1 any, −1 and −2 any and any other. `nil` for any,
    /// the same on both sides.
    open var channelCapabilities: [NSNumber]? {
        body?.channelCapabilities
            ?? UnitCatalogue.unit(for: componentDescription).map {
                [NSNumber(value: $0.channels.inputs), NSNumber(value: $0.channels.outputs)]
            }
    }

    /// Which input channel goes to each output channel, −1 for none. Output units follow it from the next allocation
    /// on, others not at all. Default `nil`.
    open var channelMap: [NSNumber]? {
        get { lock.withLock { settings.channelMap } }
        set { lock.withLock { settings.channelMap = newValue } }
    }

    // MARK: What kind of unit it is

    /// A name of about 16 characters. Base: the name.
    open var audioUnitShortName: String? { audioUnitName.map { String($0.prefix(16)) } }
    /// Number of virtual MIDI cables, at most 256. Base: 0.
    open var virtualMIDICableCount: Int { 0 }
    /// Names of MIDI outputs. Base: none.
    open var midiOutputNames: [String] { body?.midiOutputNames ?? [] }
    /// The MIDI protocol it speaks. Base: 1.0.
    open var audioUnitMIDIProtocol: MIDIProtocolID { ._1_0 }
    /// Whether it takes MIDI Polyphonic Expression. Base: false.
    open var supportsMPE: Bool { false }
    /// Whether it has a view. Base: false.
    open var providesUserInterface: Bool { false }
    /// Whether it can take sound from a device: it has an input side, and there is a microphone.
    open var canPerformInput: Bool { hardware?.input.map { $0.channelCount > 0 } ?? false }
    /// Whether it can give sound to a device.
    open var canPerformOutput: Bool { hardware != nil }
    /// The units whose place it takes. Base: none.
    open var migrateFromPlugin: [Any] { [] }
    /// A way to talk about `channelName`. Base: one that answers nothing.
    @discardableResult
    open func messageChannel(for channelName: String) -> any AUMessageChannel { SilentChannel() }

    private func makeBusses(_ type: AUAudioUnitBusType) -> AUAudioUnitBusArray {
        let busses = body?.makeBusses(type) ?? []
        guard type == .input, body?.takesAnyNumberOfInputs == true else {
            return AUAudioUnitBusArray(audioUnit: self, busType: type, busses: busses)
        }
        return ChangeableBusArray(audioUnit: self, busType: type, busses: busses)
    }
}

/// Lets a convenience initialiser give another object than the one it was called for: the only way in Swift to an
/// initialiser that chooses the class.
protocol ReplaceableInit {}

extension ReplaceableInit {
    init(insteadOf make: () throws -> Self) rethrows { self = try make() }
}

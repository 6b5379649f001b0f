// Nodes that are audio units: found by a description, set by parameters.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleMIDI
import OssicleNodes
import OssicleRender

/// A node that is an audio unit.
///
/// A parameter of the unit and the property of the class that stands for it are two views of one number, which the
/// unit's parameter tree holds; `AudioUnitSetParameter` with `audioUnit` changes the same. Changes take effect at the
/// next render call. Any thread but the render thread.
open class AVAudioUnit: AVAudioNode {
    /// Type, subtype and maker of the unit.
    public let audioComponentDescription: AudioComponentDescription
    /// All parameters.
    let parameterTree: AUParameterTree
    /// What the unit is, if it is one of the built-in ones.
    let unit: UnitDescription?
    /// What makes it sound.
    let driver: (any UnitDriver)?
    private var strip: MixerRow?
    /// Where tracks of a sequence set parameters, once there are some.
    var target: ParameterTarget?
    private var handle: AudioUnit?
    private var isSettingTogether = false
    private(set) var lastPreset: Int?
    /// What was wrong with how it was made, until the engine has heard of it.
    private var fault: OssicleError?
    /// Limits that follow the sample rate are this one's until the node is rendered at another.
    private static let highestRate = 768_000.0
    /// Inputs of a mixer that have parameters.
    private static let inputCount = 64

    /// A unit that is built in, or one that passes sound through because there is none of this description.
    ///
    /// - Parameters:
    ///   - types: what the class hosts; another type is a fault, and passes sound through too.
    ///   - own: the class's own form of the unit.
    ///   - loaded: a unit that was made already, of this description.
    init(
        unit description: AudioComponentDescription, types: [OSType]? = nil, bandCount: Int = 16,
        as own: UnitDescription? = nil, hosting loaded: AUAudioUnit? = nil
    ) {
        audioComponentDescription = description
        let isHosted = types?.contains(description.componentType) ?? true
        // Built-in instruments are hosted as the client's are: events and sequences find them there.
        let builtIn = isHosted ? own ?? UnitCatalogue.unit(for: description) : nil
        let unit = builtIn?.type == kAudioUnitType_MusicDevice ? nil : builtIn
        var hosted = loaded.map { HostedDriver($0) }
        if isHosted, loaded == nil {
            do { hosted = try HostedDriver.make(for: description) } catch { fault = error as? OssicleError }
        }
        let tree =
            unit?.makeParameterTree(sampleRate: Self.highestRate, bandCount: bandCount, inputCount: Self.inputCount)
            ?? hosted?.unit.parameterTree
            ?? AUParameterTree.createTree(withChildren: [])
        (self.unit, parameterTree) = (unit, tree)
        driver = unit?.driver(of: tree) ?? hosted
        super.init()
        hosted?.report = { [weak self] in self?.home.machine?.errors.record($0) }
        let receiver = FaultReceiver(unit: hosted?.unit, node: self)
        hosted?.unit.body?.onFault { error in
            let machine = receiver.node?.home.machine
            (machine?.errors ?? receiver.unit?.errors)?.record(error)
            receiver.unit?.announce(error)
        }
        hosted?.processor.report = { [weak self] in self?.home.machine?.errors.record($0) }
        hosted?.music.locate(
            { [weak self] in self.flatMap { $0.home.machine?.position(of: $0)?.offset } ?? 0 },
            music: { [weak self] in self?.home.machine?.sequences.clock })
        if !isHosted {
            fault = UnitFault.wrongType(title, description)
        } else if unit == nil, hosted == nil, fault == nil {
            fault = UnitFault.unknown(description)
        }
        // A hosted unit's own tree has its body as owner.
        if unit != nil || hosted?.unit.body == nil {
            parameterTree.stored.setOwner { [weak self] in self?.parameterDidChange($0) }
        }
    }

    /// A unit of no component, which passes sound through; the engine records an error.
    public override convenience init() { self.init(unit: AudioComponentDescription()) }

    deinit {
        if let handle { UnitTable.shared.remove(handle) }
    }

    /// Name of the unit, such as "AUDelay".
    open var name: String { names.last.map(String.init) ?? title }

    /// Who made the unit; "Apple" for the built-in ones, as clients expect.
    open var manufacturerName: String { names.count > 1 ? String(names[0]) : "" }

    /// 0xMMMMmmDD: major, minor, patch.
    open var version: Int { Int(registered?.version ?? 0) }

    /// The unit in the C interface's spelling; valid as long as the node lives.
    open var audioUnit: AudioUnit {
        let unit = auAudioUnit
        return lock.withLock {
            if let handle { return handle }
            guard let made = UnitTable.shared.add(UnitInterface(unit, isOwned: false)) else {
                return AudioUnit(Unmanaged.passUnretained(self).toOpaque())
            }
            handle = made
            return made
        }
    }

    /// The version 3 unit: the client's own where the class is the client's, else a view of this node.
    open override var auAudioUnit: AUAudioUnit { (driver as? HostedDriver)?.unit ?? super.auAudioUnit }

    private var registered: RegisteredComponent? {
        ComponentRegistry.shared.handles(matching: audioComponentDescription).first.flatMap {
            ComponentRegistry.shared.component(of: $0)
        }
    }

    /// Maker and name.
    private var names: [Substring] {
        registered?.name.split(separator: ":", maxSplits: 1).map { $0.drop(while: \.isWhitespace) } ?? []
    }

    // MARK: The node

    /// Whether it passes sound by untouched.
    var isBypassed: Bool { false }

    package override var keepsFormat: Bool { true }

    /// The class where that says what the unit is, else the unit's name.
    package override var title: String {
        let hosts: [AVAudioUnit.Type] = [
            AVAudioUnit.self, AVAudioUnitEffect.self, AVAudioUnitTimeEffect.self, AVAudioUnitGenerator.self,
            AVAudioUnitMIDIInstrument.self,
        ]
        return hosts.contains { $0 == type(of: self) } ? unit?.name ?? super.title : super.title
    }

    /// Seconds by which what comes out lags behind what goes in; 0 while bypassed.
    open override var latency: TimeInterval {
        let rate = outputFormat(forBus: 0).sampleRate
        return isBypassed || rate <= 0 ? 0 : lock.withLock { Double(driver?.latency(sampleRate: rate) ?? 0) / rate }
    }

    /// Seconds it keeps sounding after its input has fallen silent; 0 while bypassed.
    var tailTime: TimeInterval {
        let rate = outputFormat(forBus: 0).sampleRate
        return isBypassed || rate <= 0 ? 0 : lock.withLock { driver?.tailTime(sampleRate: rate) ?? 0 }
    }

    open override func reset() {
        super.reset()
        driver?.reset()
    }

    override var resettable: [OwnedRenderer] { lock.withLock { driver?.current.map { [$0] } ?? [] } }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        lock.withLock {
            reportFault()
            unit?.adapt(parameterTree, to: lowering.sampleRate)
            let format = lowering.input(0)?.format ?? lowering.outputFormat
            let channels = Int(format.channelCount)
            if let hosted = driver as? HostedDriver {
                hosted.unit.isRenderingOffline = home.machine?.manual?.mode == .offline
                // It may have to allocate again.
                lowering.mayBeKept = false
                let allocation = hosted.allocation(
                    sampleRate: lowering.sampleRate, channels: channels, clock: home.machine?.session.clock,
                    bypass: isBypassed)
                if let allocation { lowering.waiting.append(allocation) }
            }
            if let midi = home.machine?.midi {
                lowering.waiting += midi.allocations(
                    before: self, sampleRate: lowering.sampleRate, isOffline: home.machine?.manual?.mode == .offline)
            }
            let (renderer, owner) =
                driver?.renderer(sampleRate: lowering.sampleRate, channels: channels, bypass: isBypassed)
                ?? passage(format)
            let node = lowering.graph.add(
                title, renderer, owner: owner, inputs: [channels], outputs: [channels], meter: lowering.meter)
            return NodePorts(inputs: [0: Graph.Port(node)], outputs: [0: Graph.Port(node)])
        }
    }

    func reportFault() {
        if let fault { home.machine?.errors.record(fault) }
        fault = nil
    }

    /// Sound passed on as it is.
    func passage(_ format: AVAudioFormat) -> (RendererReference, AnyObject) {
        let labels = format.channelLabels
        let strip = MixerRow.reuse(strip, from: labels, to: labels)
        self.strip = strip
        return (.matrix(strip.box.pointer), strip.box)
    }

    override func didDetach() {
        lock.withLock {
            strip = nil
            driver?.forget()
        }
        (driver as? HostedDriver)?.deallocate()
    }

    // MARK: Parameters

    /// A parameter has changed, on whichever thread. Not under any lock.
    func parameterDidChange(_ address: AUParameterAddress) {
        note(.parameter(address, parameterTree.stored.values[address]?.current ?? 0))
        if !lock.withLock({ isSettingTogether }) { update() }
    }

    /// Sets several parameters, and takes them to the renderer as one change.
    func setTogether(_ values: [(AUParameterAddress, Float)]) {
        lock.withLock { isSettingTogether = true }
        for (address, value) in values { parameterTree.parameter(withAddress: address)?.value = value }
        lock.withLock { isSettingTogether = false }
        update()
    }

    /// Sets what a factory preset of the unit sets.
    func load(preset number: Int) {
        guard let unit, unit.presets.indices.contains(number) else { return }
        lock.withLock {
            driver?.choose(preset: number)
            lastPreset = number
        }
        note(.preset(number))
        setTogether(unit.presets[number].values.map { (AUParameterAddress($0.id), $0.value) })
    }

    /// Takes parameters and bypass to the renderer.
    func update() {
        lock.withLock { driver?.update(bypass: isBypassed) }
    }

    /// The value of the parameter at `address`.
    func value(_ address: AudioUnitParameterID) -> Float {
        parameterTree.stored.values[AUParameterAddress(address)]?.current ?? 0
    }

    /// Sets the parameter at `address`, clamped; NaN is refused.
    func setValue(_ value: Float, _ address: AudioUnitParameterID) {
        guard !value.isNaN else {
            home.record(UnitFault.notANumber(title))
            return
        }
        parameterTree.parameter(withAddress: AUParameterAddress(address))?.value = value
    }
}

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties
import Synchronization

/// A unit of a component that a client has registered by `AudioComponentRegister`: the functions of its plug-in behind
/// the interface of version 3. Parameters are those of its global scope; events are given to it at their frames of a
/// cycle.
final class PlugInUnit: AUAudioUnit {
    private static let factories = Mutex<[AudioComponentDescription: AudioComponentFactoryFunction]>([:])

    private let functions: PlugInFunctions
    private let inputs = PlugInInputs()
    private lazy var sides = [busses(.input), busses(.output)]

    static func add(_ factory: @escaping AudioComponentFactoryFunction, for description: AudioComponentDescription) {
        factories.withLock { $0[UnitClasses.key(description)] = factory }
    }

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        let factory = Self.factories.withLock { $0[UnitClasses.key(componentDescription)] }
        var description = componentDescription
        // The factory is the client's code: under no lock. The plug-in takes the handle for what it is, a number.
        guard let factory, let plugIn = factory(&description),
            let functions = PlugInFunctions(plugIn, handle: AudioComponentInstance(plugIn))
        else { throw AUFault.notMade(componentDescription) }
        self.functions = functions
        try super.init(componentDescription: componentDescription, options: options)
        parameterTree = makeTree()
    }

    private func makeTree() -> AUParameterTree {
        let parameters = functions.numbers(kAudioUnitProperty_ParameterList, kAudioUnitScope_Global).compactMap { id in
            functions.property(
                kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, from: AudioUnitParameterInfo()
            ).map {
                parameter(id, $0)
            }
        }
        let tree = AUParameterTree.createTree(withChildren: parameters)
        for parameter in parameters {
            parameter.value = functions.parameter(AudioUnitParameterID(truncatingIfNeeded: parameter.address))
        }
        tree.implementorValueObserver = { [functions] in
            functions.setParameter(AudioUnitParameterID(truncatingIfNeeded: $0.address), $1)
        }
        tree.implementorValueProvider = { [functions] in
            functions.parameter(AudioUnitParameterID(truncatingIfNeeded: $0.address))
        }
        return tree
    }

    private func parameter(_ id: AudioUnitParameterID, _ info: AudioUnitParameterInfo) -> AUParameter {
        let own = info.cfNameString.map { name in
            "\(info.flags.contains(.flag_CFNameRelease) ? name.takeRetainedValue() : name.takeUnretainedValue())"
        }
        let short = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return AUParameterTree.createParameter(
            withIdentifier: "parameter\(id)", name: own ?? short, address: AUParameterAddress(id), min: info.minValue,
            max: info.maxValue, unit: info.unit, unitName: nil, flags: info.flags, valueStrings: nil,
            dependentParameters: nil)
    }

    // MARK: Busses

    override var inputBusses: AUAudioUnitBusArray { lock.withLock { sides[0] } }
    override var outputBusses: AUAudioUnitBusArray { lock.withLock { sides[1] } }

    private func busses(_ type: AUAudioUnitBusType) -> AUAudioUnitBusArray {
        let scope = type == .input ? kAudioUnitScope_Input : kAudioUnitScope_Output
        let count = functions.property(kAudioUnitProperty_ElementCount, scope, from: UInt32(0)) ?? 0
        let busses = (0..<min(count, UInt32(UnitInputs.capacity))).compactMap { element -> AUAudioUnitBus? in
            let asbd = functions.property(
                kAudioUnitProperty_StreamFormat, scope, element, from: AudioStreamBasicDescription())
            let format = asbd.flatMap { asbd in withUnsafePointer(to: asbd) { AVAudioFormat(streamDescription: $0) } }
            return try? AUAudioUnitBus(format: format ?? .initial)
        }
        return AUAudioUnitBusArray(audioUnit: self, busType: type, busses: busses)
    }

    /// What the plug-in takes; it answers for itself.
    override func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool {
        guard super.shouldChange(to: format, for: bus) else { return false }
        let scope = bus.busType == .input ? kAudioUnitScope_Input : kAudioUnitScope_Output
        return functions.setProperty(
            kAudioUnitProperty_StreamFormat, scope, UInt32(bus.index), format.streamDescription.pointee) == noErr
    }

    override var channelCapabilities: [NSNumber]? { nil }

    // MARK: Rendering

    override func allocateRenderResources() throws {
        if renderResourcesAllocated { return }
        try super.allocateRenderResources()
        do {
            _ = functions.setProperty(
                kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, maximumFramesToRender)
            for bus in 0..<inputBusses.count {
                _ = functions.setProperty(
                    kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, UInt32(bus), inputs.callback)
            }
            try functions.initialize()
        } catch {
            super.deallocateRenderResources()
            throw error
        }
    }

    override func deallocateRenderResources() {
        let wasAllocated = renderResourcesAllocated
        super.deallocateRenderResources()
        if wasAllocated { functions.uninitialize() }
    }

    override func reset() {
        super.reset()
        functions.reset()
    }

    override var latency: TimeInterval { functions.property(kAudioUnitProperty_Latency, from: 0.0) ?? 0 }
    override var tailTime: TimeInterval { functions.property(kAudioUnitProperty_TailTime, from: 0.0) ?? 0 }

    override var internalRenderBlock: AUInternalRenderBlock {
        let (functions, inputs) = (functions, inputs)
        return { flags, time, frames, bus, list, events, pull in
            let start = Int64(time.pointee.mSampleTime)
            var next = events
            while let event = next {
                let head = event.pointee.head
                let offset = UInt32(min(max(head.eventSampleTime - start, 0), Int64(frames)))
                switch head.eventType {
                case .parameter, .parameterRamp:
                    let change = event.pointee.parameter
                    functions.setParameter(
                        AudioUnitParameterID(truncatingIfNeeded: change.parameterAddress), change.value, offset: offset)
                case .MIDI: functions.send(event.pointee.MIDI.data, offset: offset)
                default: break
                }
                next = UnsafePointer(head.next)
            }
            return inputs.giving(pull) { functions.render(flags, time, bus, frames, list) }
        }
    }
}

/// The host's sound as the render callback of a plug-in. Render side, but for `callback`.
private final class PlugInInputs: @unchecked Sendable {
    private var pull: AURenderPullInputBlock?

    func giving(_ pull: AURenderPullInputBlock?, _ body: () -> OSStatus) -> OSStatus {
        self.pull = pull
        defer { self.pull = nil }
        return body()
    }

    /// For the plug-in that this belongs to.
    var callback: AURenderCallbackStruct {
        AURenderCallbackStruct(
            inputProc: { [unowned self] _, flags, time, bus, frames, list in
                guard let pull, let list else { return kAudioUnitErr_NoConnection }
                return pull(flags, time, frames, Int(bus), list)
            }, inputProcRefCon: nil)
    }
}

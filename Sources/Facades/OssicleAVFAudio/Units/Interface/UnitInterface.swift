import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization

/// What the C interface keeps beside a unit: where its inputs come from, who listens, what failed last.
final class UnitInterface: @unchecked Sendable {
    let unit: AUAudioUnit
    /// Whether `AudioComponentInstanceNew` made it, so that `AudioComponentInstanceDispose` ends it.
    let isOwned: Bool
    let inputs = UnitInputs()
    let lastError = Atomic<OSStatus>(noErr)
    let lastCycle = LastCycle()
    /// A built-in unit's, which no call replaces, so that events may be scheduled from a render thread.
    private let ownTree: AUParameterTree?
    private let lock = NSLock()
    private var kept = Kept()

    /// Values that only the C interface has.
    struct Kept {
        var listeners: [Listener] = []
        var notifies: [Notify] = []
        var nickName = ""
        /// Whether a unit without a device was started.
        var isStarted = false
    }

    struct Listener {
        let property: AudioUnitPropertyID
        let function: AudioUnitPropertyListenerProc
        let reference: UnsafeMutableRawPointer?
    }

    struct Notify {
        let callback: InlineArray<3, UInt>
        let token: Int
    }

    init(_ unit: AUAudioUnit, isOwned: Bool) { (self.unit, self.isOwned, ownTree) = (unit, isOwned, unit.body?.tree) }

    func keep<Result>(_ body: (inout Kept) -> Result) -> Result { lock.withLock { body(&kept) } }

    var parameterTree: AUParameterTree? { ownTree ?? unit.parameterTree }
    var isInitialized: Bool { unit.renderResourcesAllocated }
    // MARK: Rendering

    /// Render side.
    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32,
        _ frames: AUAudioFrameCount,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        lastCycle.start = time.pointee.mSampleTime
        let status = unit.cycle.render(flags, time, frames, Int(bus), list, inputs.pull)
        if status != noErr { lastError.store(status, ordering: .relaxed) }
        return status
    }

    /// Adds a function that is called before and after each cycle.
    func addNotify(_ function: @escaping AURenderCallback, _ reference: UnsafeMutableRawPointer?) {
        let token = unit.cycle.observers.add(.callback(function, reference))
        keep { $0.notifies.append(Notify(callback: CReference.bits(function, reference), token: token)) }
    }

    func removeNotify(_ function: @escaping AURenderCallback, _ reference: UnsafeMutableRawPointer?) {
        let callback = CReference.bits(function, reference)
        let found = keep { kept -> Notify? in
            let index = kept.notifies.firstIndex { notify in
                callback.indices.allSatisfy { notify.callback[$0] == callback[$0] }
            }
            guard let index else { return nil }
            return kept.notifies.remove(at: index)
        }
        if let found { unit.cycle.observers.remove(found.token) }
    }

    // MARK: Listeners

    /// Tells who listens to a property. Not under a lock.
    func report(
        _ property: AudioUnitPropertyID, _ handle: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement
    ) {
        typealias Listening =
            @convention(c) (UnsafeMutableRawPointer?, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement)
            -> Void
        for listener in keep({ $0.listeners }) where listener.property == property {
            unsafeBitCast(listener.function, to: Listening.self)(listener.reference, handle, property, scope, element)
        }
    }

    func removeListener(
        _ property: AudioUnitPropertyID, _ function: @escaping AudioUnitPropertyListenerProc,
        _ reference: UnsafeMutableRawPointer?
    ) {
        let bits = unsafeBitCast(function, to: UInt.self)
        keep { kept in
            kept.listeners.removeAll {
                $0.property == property && unsafeBitCast($0.function, to: UInt.self) == bits
                    && $0.reference == reference
            }
        }
    }

    // MARK: The device

    /// - Parameter handle: of this unit, for those who listen to `IsRunning` when the device is lost.
    func start(_ handle: AudioUnit) throws {
        guard let hardware = unit.hardware else {
            guard unit.componentDescription.componentType == kAudioUnitType_Output else { throw AUFault.noHardware }
            guard isInitialized else { throw AUFault.notAllocated("AudioOutputUnitStart") }
            return keep { $0.isStarted = true }
        }
        if unit.isOutputEnabled, unit.outputProvider == nil {
            unit.outputProvider = { [inputs] in inputs.pull($0, $1, $2, $3, $4) }
        }
        let place = UInt(bitPattern: handle)
        hardware.onLoss { [weak self] in
            guard let handle = AudioUnit(bitPattern: place) else { return }
            self?.report(kAudioOutputUnitProperty_IsRunning, handle, kAudioUnitScope_Global, 0)
        }
        try unit.startHardware()
    }

    func stop() {
        unit.stopHardware()
        keep { $0.isStarted = false }
    }

    var isRunning: Bool { unit.isRunning || keep { $0.isStarted } }
}

/// When the last render call began. Any thread.
final class LastCycle: Sendable {
    private let bits = Atomic<UInt64>(0)

    /// Its first frame.
    var start: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }
}

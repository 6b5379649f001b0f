// What a host tells a unit, and is told.

import OssicleAudioToolbox
import OssicleCoreAudioTypes

extension AUAudioUnit {
    func setting<Value>(_ path: WritableKeyPath<UnitSettings, Value>) -> Value {
        lock.withLock { settings[keyPath: path] }
    }
    func set<Value>(_ path: WritableKeyPath<UnitSettings, Value>, _ value: Value) {
        lock.withLock { settings[keyPath: path] = value }
    }

    /// Tells the tempo and the bar; set before allocation. Default `nil`.
    public var musicalContextBlock: AUHostMusicalContextBlock? {
        get { setting(\.musicalContext) }
        set { set(\.musicalContext, newValue) }
    }

    /// Tells what the transport does; set before allocation. Default `nil`.
    public var transportStateBlock: AUHostTransportStateBlock? {
        get { setting(\.transportState) }
        set { set(\.transportState, newValue) }
    }

    /// Where the unit is used, such as the name of a track. Default `nil`.
    public var contextName: String? {
        get { setting(\.contextName) }
        set { set(\.contextName, newValue) }
    }

    /// Is told before and after each cycle, on the render thread. The token removes it.
    @discardableResult
    public func token(byAddingRenderObserver observer: @escaping AURenderObserver) -> Int {
        cycle.observers.add(.block(observer))
    }

    /// Removes an observer; an unknown token does nothing.
    public func removeRenderObserver(_ token: Int) {
        cycle.observers.remove(token)
    }

    /// Whether every parameter may have changed; there is no key-value observing on Linux. Always true.
    public var allParameterValues: Bool { true }

    /// False for an LV2 plug-in in a process of its own.
    public var isLoadedInProcess: Bool { body?.isInProcess ?? true }

    /// What has gone wrong while rendering.
    func fail(_ error: any Error) {
        errors.record(error)
        announce(error)
    }

    /// A unit whose process has ended is announced as Apple announces it.
    func announce(_ error: any Error) {
        let ends = [kAudioComponentErr_InstanceInvalidated, kAudioComponentErr_InstanceTimedOut].map { Int($0) }
        guard let error = error as? OssicleError, ends.contains(error.code) else { return }
        NotificationCenter.default.post(
            name: NSNotification.Name("\(kAudioComponentInstanceInvalidationNotification)"), object: self,
            userInfo: ["error": error])
    }
}

/// Whom a body's faults concern, as long as they are there.
///
/// `@unchecked`: weak references are read under a lock of the runtime's, and what is called takes locks of its own.
struct FaultReceiver: @unchecked Sendable {
    weak var unit: AUAudioUnit?
    weak var node: AVAudioUnit?
}

// MARK: Events

extension AUAudioUnit {
    /// Schedules changes of parameters, from any thread. A ramp on a parameter that cannot ramp, an unknown one and NaN
    /// change nothing; so do events beyond the 512 that may wait. Fetch it again after `parameterTree` was set.
    public var scheduleParameterBlock: AUScheduleParameterBlock {
        let known = Dictionary(
            (parameterTree?.allParameters ?? []).map { ($0.address, $0.flags.contains(.flag_CanRamp)) },
            uniquingKeysWith: { first, _ in first })
        return { [events = cycle.events] time, ramp, address, value in
            guard let canRamp = known[address], canRamp || ramp == 0, !value.isNaN else { return }
            events.send(
                AURenderEvent(
                    parameter: AUParameterEvent(
                        next: nil, eventSampleTime: time, eventType: ramp > 0 ? .parameterRamp : .parameter,
                        reserved: (0, 0, 0), rampDurationSampleFrames: ramp,
                        parameterAddress: address, value: value)))
        }
    }

    /// Whether it plays or hears MIDI.
    public var isMusicDeviceOrEffect: Bool {
        [
            kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_RemoteInstrument,
            kAudioUnitType_RemoteMusicEffect, kAudioUnitType_MIDIProcessor,
        ]
        .contains(componentDescription.componentType)
    }

    /// Schedules a MIDI 1.0 message, from any thread; `nil` unless `isMusicDeviceOrEffect`. System exclusive messages
    /// have at most 255 bytes, all others three; longer ones are dropped.
    public var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
        guard isMusicDeviceOrEffect else { return nil }
        return { [events = cycle.events] time, cable, length, bytes in
            guard length > 0 else { return }
            events.send(midi: UnsafeRawBufferPointer(start: bytes, count: length), at: time, cable: cable)
        }
    }

    /// Schedules Universal MIDI messages, packet by packet, from any thread; `nil` unless `isMusicDeviceOrEffect`.
    public var scheduleMIDIEventListBlock: AUMIDIEventListBlock? {
        guard isMusicDeviceOrEffect else { return nil }
        return { [events = cycle.events] time, cable, list in events.send(list, at: time, cable: cable) }
    }

    /// Receives the unit's MIDI 1.0 output; set before allocation. Default `nil`.
    public var midiOutputEventBlock: AUMIDIOutputEventBlock? {
        get { setting(\.midiOutput) }
        set { set(\.midiOutput, newValue) }
    }

    /// Receives the unit's Universal MIDI output; set before allocation. Default `nil`.
    public var midiOutputEventListBlock: AUMIDIEventListBlock? {
        get { setting(\.midiOutputList) }
        set { set(\.midiOutputList, newValue) }
    }

    /// Bytes of MIDI output the host expects at most; 0 for no idea.
    public var midiOutputBufferSizeHint: Int {
        get { setting(\.midiOutputBufferSize) }
        set { set(\.midiOutputBufferSize, newValue) }
    }

    /// The protocol the host wants to hear. Default 1.0.
    public var hostMIDIProtocol: MIDIProtocolID {
        get { setting(\.hostProtocol) }
        set { set(\.hostProtocol, newValue) }
    }
}

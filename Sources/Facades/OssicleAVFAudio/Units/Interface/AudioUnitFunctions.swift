// Units and their parameters, in the C interface's spelling. Any thread but the render thread, unless said otherwise. A
// unit that is not there gives `kAudioUnitErr_InvalidElement`, in all of these functions.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties

/// Makes a unit ready to render, in the formats its busses have; twice does nothing. What the unit has against its
/// formats, or `kAudioUnitErr_CannotDoInCurrentContext` for the unit of a node, which the engine looks after.
@discardableResult
public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus {
    withUnit(inUnit) { try $0.unit.allocateRenderResources() }
}

/// Ends rendering; waits for the render call under way.
@discardableResult
public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus {
    withUnit(inUnit) { interface in
        interface.stop()
        interface.unit.deallocateRenderResources()
    }
}

/// Forgets what was heard; parameters stay. `kAudioUnitErr_InvalidScope` for a scope there is not.
@discardableResult
public func AudioUnitReset(_ inUnit: AudioUnit, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement) -> OSStatus {
    withUnit(inUnit) { interface in
        guard inScope <= kAudioUnitScope_LayerItem else { throw StatusError(kAudioUnitErr_InvalidScope) }
        interface.unit.reset()
    }
}

/// Starts an output unit, which then asks for its input at the device's pace; twice does nothing. Where the device is
/// lost it stops, and listeners to `IsRunning` are called.
///
/// `kAudioUnitErr_Uninitialized` before `AudioUnitInitialize`, `kAudioUnitErr_CannotDoInCurrentContext` for a unit that
/// is no output.
@discardableResult
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus {
    withUnit(ci) { interface in
        try interface.start(ci)
        interface.report(kAudioOutputUnitProperty_IsRunning, ci, kAudioUnitScope_Global, 0)
    }
}

/// Stops an output unit; returns when its input is asked for no more.
@discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus {
    withUnit(ci) { interface in
        guard interface.unit.componentDescription.componentType == kAudioUnitType_Output else {
            throw AUFault.noHardware
        }
        interface.stop()
        interface.report(kAudioOutputUnitProperty_IsRunning, ci, kAudioUnitScope_Global, 0)
    }
}

// MARK: Parameters

/// Sets a parameter to `inValue`, clamped to its range: at once, or, for a unit that is initialised, at that frame of
/// the next cycle, up to 4095. For a node of an engine whose unit is built in, at once in any case.
///
/// `kAudioUnitErr_InvalidElement` for an element that is not there, `kAudioUnitErr_InvalidParameter` for an unknown
/// parameter or one that can only be read, `kAudioUnitErr_InvalidScope` for one of another scope,
/// `kAudioUnitErr_InvalidParameterValue` for NaN, `kAudio_MemFullError` where more changes wait than a unit keeps.
@discardableResult
public func AudioUnitSetParameter(
    _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
    withUnit(inUnit) { interface in
        let parameter = try interface.parameter(inID, inScope, inElement)
        guard parameter.flags.contains(.flag_IsWritable) || !parameter.flags.contains(.flag_IsReadable) else {
            throw StatusError(kAudioUnitErr_InvalidParameter)
        }
        guard !inValue.isNaN else { throw StatusError(kAudioUnitErr_InvalidParameterValue) }
        if inBufferOffsetInFrames > 0, interface.isInitialized {
            try interface.send(parameter, at: inBufferOffsetInFrames, ramp: 0, inValue)
        } else {
            parameter.value = inValue
        }
    }
}

/// Writes a parameter's value to `outValue`. Errors as in `AudioUnitSetParameter`; then nothing is written.
@discardableResult
public func AudioUnitGetParameter(
    _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
    withUnit(inUnit) { outValue.pointee = try $0.parameter(inID, inScope, inElement).value }
}

/// Schedules steps and ramps for the next render call, at frames of it up to 4095. Errors as in
/// `AudioUnitSetParameter`, which end at the first event that is wrong; `kAudio_MemFullError` where more wait than a
/// unit keeps.
@discardableResult
public func AudioUnitScheduleParameters(
    _ inUnit: AudioUnit, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>, _ inNumParamEvents: UInt32
) -> OSStatus {
    withUnit(inUnit) { interface in
        for event in UnsafeBufferPointer(start: inParameterEvent, count: Int(inNumParamEvents)) {
            try interface.schedule(event)
        }
    }
}

extension UnitInterface {
    /// The parameter, or which of number, scope and element is wrong.
    func parameter(
        _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
    ) throws -> AUParameter {
        guard let tree = parameterTree else { throw StatusError(kAudioUnitErr_InvalidParameter) }
        if let parameter = tree.parameter(withID: id, scope: scope, element: element) {
            if scope == kAudioUnitScope_Input, isOfBusses, Int(element) >= unit.inputBusses.count {
                throw StatusError(kAudioUnitErr_InvalidElement)
            }
            return parameter
        }
        if tree.parameter(withID: id, scope: scope, element: 0) != nil {
            throw StatusError(kAudioUnitErr_InvalidElement)
        }
        let isElsewhere = UnitProperty.anywhere.contains { tree.parameter(withID: id, scope: $0, element: 0) != nil }
        throw StatusError(isElsewhere ? kAudioUnitErr_InvalidScope : kAudioUnitErr_InvalidParameter)
    }

    /// Whether elements of the input scope are busses; those of the matrix mixer are channels.
    private var isOfBusses: Bool {
        unit.componentDescription.isSameUnit(as: MixerUnits.multiChannelMixer.component)
    }

    fileprivate func schedule(_ event: AudioUnitParameterEvent) throws {
        let parameter = try parameter(event.parameter, event.scope, event.element)
        switch event.eventType {
        case .parameterEvent_Immediate:
            let change = event.eventValues.immediate
            guard !change.value.isNaN else { throw StatusError(kAudioUnitErr_InvalidParameterValue) }
            try send(parameter, at: change.bufferOffset, ramp: 0, change.value)
        case .parameterEvent_Ramped:
            let ramp = event.eventValues.ramp
            guard ramp.startValue.isFinite, ramp.endValue.isFinite else {
                throw StatusError(kAudioUnitErr_InvalidParameterValue)
            }
            // What began before continues from where it would be by now.
            let late = min(UInt32(clamping: -Int64(min(ramp.startBufferOffset, 0))), ramp.durationInFrames)
            let share = ramp.durationInFrames > 0 ? Float(Double(late) / Double(ramp.durationInFrames)) : 1
            let start = UInt32(clamping: ramp.startBufferOffset)
            try send(parameter, at: start, ramp: 0, ramp.startValue + (ramp.endValue - ramp.startValue) * share)
            if late < ramp.durationInFrames {
                try send(parameter, at: start, ramp: ramp.durationInFrames - late, ramp.endValue)
            }
        }
    }

    fileprivate func send(_ parameter: AUParameter, at offset: UInt32, ramp: UInt32, _ value: Float) throws {
        let event = AUParameterEvent(
            next: nil, eventSampleTime: AUEventSampleTimeImmediate + Int64(min(offset, 4095)),
            eventType: ramp > 0 ? .parameterRamp : .parameter,
            reserved: (0, 0, 0), rampDurationSampleFrames: ramp, parameterAddress: parameter.address, value: value)
        guard unit.cycle.events.send(AURenderEvent(parameter: event)) else { throw StatusError(kAudio_MemFullError) }
    }
}

/// Calls `body` with the unit of a handle.
func withUnit(_ handle: AudioUnit, _ body: (UnitInterface) throws -> Void) -> OSStatus {
    unitStatus {
        guard try UnitTable.shared.with(handle, body) != nil else { throw StatusError(kAudioUnitErr_InvalidElement) }
    }
}

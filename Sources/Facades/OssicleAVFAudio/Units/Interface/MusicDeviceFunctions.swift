// Instruments in the C interface's spelling. Any thread, the render thread included. A unit that is not there gives
// `kAudioUnitErr_InvalidElement`, one that takes no MIDI `kAudio_UnimplementedError`, and a full queue
// `kAudioUnitErr_MIDIOutputBufferFull`, in all of these functions.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

private func send(_ unit: MusicDeviceComponent, _ bytes: UnsafeRawBufferPointer, offset: UInt32) -> OSStatus {
    withUnit(unit) { interface in
        guard interface.unit.isMusicDeviceOrEffect else { throw StatusError(kAudio_UnimplementedError) }
        let frames = min(offset & UInt32(kMusicDeviceSampleFrameMask_SampleOffset), 4095)
        guard interface.unit.cycle.events.send(midi: bytes, at: AUEventSampleTimeImmediate + Int64(frames)) else {
            throw StatusError(kAudioUnitErr_MIDIOutputBufferFull)
        }
    }
}

/// Sends a channel message, for a frame of the next cycle, 0 … 4095. `kAudio_ParamError` for a status that is none.
@discardableResult
public func MusicDeviceMIDIEvent(
    _ inUnit: MusicDeviceComponent, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32,
    _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    guard (0x80...0xEF).contains(inStatus) else { return kAudio_ParamError }
    let isShort = inStatus & 0xE0 == 0xC0
    return withUnsafeBytes(of: (UInt8(inStatus), UInt8(inData1 & 127), UInt8(inData2 & 127))) {
        send(inUnit, UnsafeRawBufferPointer(rebasing: $0[0..<(isShort ? 2 : 3)]), offset: inOffsetSampleFrame)
    }
}

/// Sends a system exclusive message with 0xF0 and 0xF7, of at most 255 bytes: `kAudio_ParamError` for others.
@discardableResult
public func MusicDeviceSysEx(
    _ inUnit: MusicDeviceComponent, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
    guard (2...255).contains(inLength), inData.pointee == 0xF0 else { return kAudio_ParamError }
    return send(inUnit, UnsafeRawBufferPointer(start: inData, count: Int(inLength)), offset: 0)
}

/// Sends Universal MIDI messages, for a frame of the next cycle.
@discardableResult
public func MusicDeviceMIDIEventList(
    _ inUnit: MusicDeviceComponent, _ inOffsetSampleFrame: UInt32, _ evtList: UnsafePointer<MIDIEventList>
) -> OSStatus {
    withUnit(inUnit) { interface in
        guard let schedule = interface.unit.scheduleMIDIEventListBlock else {
            throw StatusError(kAudio_UnimplementedError)
        }
        let status = schedule(AUEventSampleTimeImmediate + Int64(min(inOffsetSampleFrame, 4095)), 0, evtList)
        if status != noErr { throw StatusError(status) }
    }
}

/// Begins a note on the MIDI channel of a group's lowest four bits, at the nearest MIDI note, and writes a number for
/// it.
@discardableResult
public func MusicDeviceStartNote(
    _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID, _ inGroupID: MusicDeviceGroupID,
    _ outNoteInstanceID: UnsafeMutablePointer<NoteInstanceID>, _ inOffsetSampleFrame: UInt32,
    _ inParams: UnsafePointer<MusicDeviceNoteParams>
) -> OSStatus {
    // The caller may have given a structure without controls.
    let numbers = UnsafeRawPointer(inParams)
    let pitch = numbers.loadUnaligned(fromByteOffset: 4, as: Float.self)
    let velocity = numbers.loadUnaligned(fromByteOffset: 8, as: Float.self)
    guard (0...127.5).contains(pitch), (0...127.5).contains(velocity) else { return kAudio_ParamError }
    let key = UInt32(min(pitch.rounded(), 127))
    outNoteInstanceID.pointee = (inGroupID & 15) << 8 | key
    return MusicDeviceMIDIEvent(
        inUnit, 0x90 | inGroupID & 15, key, UInt32(min(max(velocity.rounded(), 1), 127)), inOffsetSampleFrame)
}

/// Ends a note that `MusicDeviceStartNote` has begun.
@discardableResult
public func MusicDeviceStopNote(
    _ inUnit: MusicDeviceComponent, _ inGroupID: MusicDeviceGroupID, _ inNoteInstanceID: NoteInstanceID,
    _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    MusicDeviceMIDIEvent(inUnit, 0x80 | inGroupID & 15, inNoteInstanceID & 127, 0, inOffsetSampleFrame)
}

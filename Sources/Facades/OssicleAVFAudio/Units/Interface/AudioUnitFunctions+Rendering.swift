// Rendering, in the C interface's spelling. On one render thread at a time for each unit; no lock, no memory.

import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// Renders `inNumberFrames` frames of an output bus; the inputs come from callbacks and connections. A buffer without
/// data is lent memory until the next call.
///
/// `kAudioUnitErr_Uninitialized` before `AudioUnitInitialize`, `kAudioUnitErr_TooManyFramesToProcess` beyond
/// `MaximumFramesPerSlice`, `kAudioUnitErr_InvalidElement` for a bus or unit that is not there,
/// `kAudioUnitErr_NoConnection` without input, `kAudio_ParamError` for a list that does not fit the bus,
/// `kAudioUnitErr_CannotDoInCurrentContext` from within a render call of the same unit, and what a callback gives.
@discardableResult
public func AudioUnitRender(
    _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>,
    _ inOutputBusNumber: UInt32, _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    var own = AudioUnitRenderActionFlags()
    return withUnsafeMutablePointer(to: &own) { own in
        UnitTable.shared.with(inUnit) {
            $0.render(ioActionFlags ?? own, inTimeStamp, inOutputBusNumber, inNumberFrames, ioData)
        } ?? kAudioUnitErr_InvalidElement
    }
}

/// Renders from the sound in `ioData` into the same memory; callbacks and connections are not called. Errors as in
/// `AudioUnitRender`.
@discardableResult
public func AudioUnitProcess(
    _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>,
    _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    var input = UnsafePointer(ioData)
    return withUnsafeMutablePointer(to: &input) {
        process(inUnit, ioActionFlags, inTimeStamp, inNumberFrames, UnsafeBufferPointer(start: $0, count: 1), ioData)
    }
}

/// Renders from a list for each input into one for each output, of which there is one. Errors as in `AudioUnitRender`;
/// `kAudio_ParamError` for another number of outputs.
@discardableResult
public func AudioUnitProcessMultiple(
    _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32, _ inNumberInputBufferLists: UInt32,
    _ inInputBufferLists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>, _ inNumberOutputBufferLists: UInt32,
    _ ioOutputBufferLists: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
) -> OSStatus {
    guard inNumberOutputBufferLists == 1 else { return kAudio_ParamError }
    let inputs = UnsafeBufferPointer(start: inInputBufferLists, count: Int(inNumberInputBufferLists))
    return process(inUnit, ioActionFlags, inTimeStamp, inNumberFrames, inputs, ioOutputBufferLists[0])
}

private func process(
    _ unit: AudioUnit, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
    _ inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>>, _ output: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    var own = AudioUnitRenderActionFlags()
    return withUnsafeMutablePointer(to: &own) { own in
        UnitTable.shared.with(unit) { interface in
            interface.inputs.giving(inputs) { interface.render(flags ?? own, time, 0, frames, output) }
        } ?? kAudioUnitErr_InvalidElement
    }
}

/// Calls `inProc` before and after each cycle of the unit, on the render thread; the flags tell which. From any other
/// thread.
@discardableResult
public func AudioUnitAddRenderNotify(
    _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    withUnit(inUnit) { $0.addNotify(inProc, inProcUserData) }
}

/// Takes back one `AudioUnitAddRenderNotify` with the same function and reference; does nothing where there was none.
@discardableResult
public func AudioUnitRemoveRenderNotify(
    _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    withUnit(inUnit) { $0.removeNotify(inProc, inProcUserData) }
}

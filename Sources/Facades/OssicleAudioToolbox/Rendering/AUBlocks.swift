// The blocks through which a unit and its host talk while rendering. Those a unit calls run on the render thread.

/// Fetches input: flags, time, frames, bus, place for the data.
public typealias AURenderPullInputBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus
/// Renders: flags, time, frames, bus, place for the data, source of input. Where `mData` is `nil` the unit lends memory of its
/// own until the next call.
public typealias AURenderBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>,
    AURenderPullInputBlock?
) -> AUAudioUnitStatus
/// Renders, as a unit implements it: with the events of the cycle, in order of time.
public typealias AUInternalRenderBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>,
    UnsafePointer<AURenderEvent>?, AURenderPullInputBlock?
) -> AUAudioUnitStatus
/// Is told before and after each cycle, which the flags tell apart: flags, time, frames, bus.
public typealias AURenderObserver = (AudioUnitRenderActionFlags, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int) -> Void
/// Schedules a change of a parameter: time, frames of a ramp (0 for a step), address, value.
public typealias AUScheduleParameterBlock = (AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue) -> Void
/// Schedules MIDI 1.0 bytes: time, cable, number of bytes, bytes. No running status; system exclusive data alone.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> Void
/// Receives a unit's MIDI 1.0 output: time, cable, number of bytes, bytes.
public typealias AUMIDIOutputEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> OSStatus
/// Takes Universal MIDI events: time, cable, events.
public typealias AUMIDIEventListBlock = (AUEventSampleTime, UInt8, UnsafePointer<MIDIEventList>) -> OSStatus
/// Tells the musical context, where asked: tempo in beats per minute, numerator and denominator of the time signature, beat, frames
/// to the next beat, beat of the bar's start. `false` where the host does not know.
public typealias AUHostMusicalContextBlock = (
    UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Double>?,
    UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Double>?
) -> Bool
/// Tells the transport's state, where asked: flags, position in frames, first and last beat of the cycle. `false` where the host does
/// not know.
public typealias AUHostTransportStateBlock = (
    UnsafeMutablePointer<AUHostTransportStateFlags>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
) -> Bool
/// Is told that input is there, to be fetched with the render block: flags, time, frames, bus.
public typealias AUInputHandler = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

// The functions through which units and clients of the C interface call each other.

import OssicleCoreAudioTypes

/// Gives a unit its input, or is called with each render cycle: reference, flags, time, bus, frames, place for the
/// data. On the render thread. A Swift function that captures nothing mutable, because `@convention(c)` does not take
/// pointers to Swift's structures.
public typealias AURenderCallback =
    @Sendable (
        UnsafeMutableRawPointer, UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>,
        UInt32, UInt32, UnsafeMutablePointer<AudioBufferList>?
    ) -> OSStatus
/// Is called when a property has changed: reference, unit, property, scope, element. It reads the value itself.
public typealias AudioUnitPropertyListenerProc =
    @convention(c) (
        UnsafeMutableRawPointer, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
    ) -> Void
/// Tells how input and output belong together: reference, time of output, first input frame, number of input frames.
public typealias AUInputSamplesInOutputCallback =
    @Sendable (UnsafeMutableRawPointer, UnsafePointer<AudioTimeStamp>, Float64, Float64) -> Void

/// Who gives an input its sound; data of `kAudioUnitProperty_SetRenderCallback`.
public struct AURenderCallbackStruct: @unchecked Sendable {
    /// The function; `nil` takes the callback away.
    public var inputProc: AURenderCallback?
    /// Its first argument.
    public var inputProcRefCon: UnsafeMutableRawPointer?

    /// No callback.
    public init() {}

    /// A callback.
    public init(inputProc: AURenderCallback?, inputProcRefCon: UnsafeMutableRawPointer?) {
        (self.inputProc, self.inputProcRefCon) = (inputProc, inputProcRefCon)
    }
}

/// When an output unit begins; data of `kAudioOutputUnitProperty_StartTime`.
public struct AudioOutputUnitStartAtTimeParams: Sendable {
    /// The host time of the first frame at the device.
    public var mTimestamp: AudioTimeStamp
    /// Without effect.
    public var mFlags: UInt32

    /// No time.
    public init() { self.init(mTimestamp: AudioTimeStamp(), mFlags: 0) }

    /// Both fields.
    public init(mTimestamp: AudioTimeStamp, mFlags: UInt32) {
        self.mTimestamp = mTimestamp
        self.mFlags = mFlags
    }
}

/// Another unit that gives an input its sound; data of `kAudioUnitProperty_MakeConnection`.
public struct AudioUnitConnection: @unchecked Sendable {
    /// The unit; `nil` ends the connection.
    public var sourceAudioUnit: AudioUnit?
    /// Its output bus.
    public var sourceOutputNumber: UInt32
    /// The input bus.
    public var destInputNumber: UInt32

    /// A connection.
    public init(sourceAudioUnit: AudioUnit?, sourceOutputNumber: UInt32, destInputNumber: UInt32) {
        self.sourceAudioUnit = sourceAudioUnit
        self.sourceOutputNumber = sourceOutputNumber
        self.destInputNumber = destInputNumber
    }
}

/// Tells beat and tempo: reference, beat, beats per minute. `nil` where it does not matter.
public typealias HostCallback_GetBeatAndTempo =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Float64>?, UnsafeMutablePointer<Float64>?) ->
    OSStatus
/// Tells the place in the bar: reference, frames to the next beat, numerator, denominator, beat of the bar's start.
public typealias HostCallback_GetMusicalTimeLocation =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Float32>?,
        UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Float64>?
    ) -> OSStatus
/// Tells of the transport: reference, plays, has changed, frame, repeats, first and last beat of what is repeated.
public typealias HostCallback_GetTransportState =
    @Sendable (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<DarwinBoolean>?, UnsafeMutablePointer<DarwinBoolean>?,
        UnsafeMutablePointer<Float64>?,
        UnsafeMutablePointer<DarwinBoolean>?, UnsafeMutablePointer<Float64>?, UnsafeMutablePointer<Float64>?
    ) -> OSStatus
/// Tells of the transport, recording included: reference, plays, records, has changed, frame, repeats, first and last
/// beat of what is repeated.
public typealias HostCallback_GetTransportState2 =
    @Sendable (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<DarwinBoolean>?, UnsafeMutablePointer<DarwinBoolean>?,
        UnsafeMutablePointer<DarwinBoolean>?,
        UnsafeMutablePointer<Float64>?, UnsafeMutablePointer<DarwinBoolean>?, UnsafeMutablePointer<Float64>?,
        UnsafeMutablePointer<Float64>?
    ) -> OSStatus

/// Who tells of tempo and transport; data of `kAudioUnitProperty_HostCallbacks`.
public struct HostCallbackInfo: @unchecked Sendable {
    /// The functions' first argument.
    public var hostUserData: UnsafeMutableRawPointer?
    /// Beat and tempo.
    public var beatAndTempoProc: HostCallback_GetBeatAndTempo?
    /// Place in the bar.
    public var musicalTimeLocationProc: HostCallback_GetMusicalTimeLocation?
    /// The transport.
    public var transportStateProc: HostCallback_GetTransportState?
    /// The transport, recording included; preferred to the other.
    public var transportStateProc2: HostCallback_GetTransportState2?

    /// No callbacks.
    public init() {}

    /// Callbacks.
    public init(
        hostUserData: UnsafeMutableRawPointer?, beatAndTempoProc: HostCallback_GetBeatAndTempo?,
        musicalTimeLocationProc: HostCallback_GetMusicalTimeLocation?,
        transportStateProc: HostCallback_GetTransportState?,
        transportStateProc2: HostCallback_GetTransportState2?
    ) {
        self.hostUserData = hostUserData
        self.beatAndTempoProc = beatAndTempoProc
        self.musicalTimeLocationProc = musicalTimeLocationProc
        self.transportStateProc = transportStateProc
        self.transportStateProc2 = transportStateProc2
    }
}

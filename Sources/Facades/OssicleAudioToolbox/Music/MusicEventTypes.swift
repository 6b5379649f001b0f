// The events of tracks, as they lie in memory.

import OssicleCoreAudioTypes

/// A note with its length.
public struct MIDINoteMessage: BitwiseCopyable, Hashable, Sendable {
    /// 0 … 15.
    public var channel: UInt8
    /// 0 … 127.
    public var note: UInt8
    /// 0 … 127; 0 ends a note and begins none.
    public var velocity: UInt8
    /// 0 … 127.
    public var releaseVelocity: UInt8
    /// Beats.
    public var duration: Float32

    /// All zeros.
    public init() { self.init(channel: 0, note: 0, velocity: 0, releaseVelocity: 0, duration: 0) }

    /// A note with every field given.
    public init(channel: UInt8, note: UInt8, velocity: UInt8, releaseVelocity: UInt8, duration: Float32) {
        self.channel = channel
        self.note = note
        self.velocity = velocity
        self.releaseVelocity = releaseVelocity
        self.duration = duration
    }
}

/// A channel message that is no note.
public struct MIDIChannelMessage: BitwiseCopyable, Hashable, Sendable {
    /// Kind and channel: 0x80 … 0xEF.
    public var status: UInt8
    /// First data byte.
    public var data1: UInt8
    /// Second data byte; 0 where there is none.
    public var data2: UInt8
    /// Always 0.
    public var reserved: UInt8

    /// All zeros.
    public init() { self.init(status: 0, data1: 0, data2: 0, reserved: 0) }

    /// A message with every field given.
    public init(status: UInt8, data1: UInt8, data2: UInt8, reserved: UInt8) {
        self.status = status
        self.data1 = data1
        self.data2 = data2
        self.reserved = reserved
    }
}

/// Bytes that are sent as they are. They run on in memory.
public struct MIDIRawData: BitwiseCopyable, Hashable, Sendable {
    /// Number of bytes.
    public var length: UInt32
    /// The first of them.
    public var data: (UInt8)

    /// No bytes.
    public init() { self.init(length: 0, data: 0) }

    /// A head with its first byte.
    public init(length: UInt32, data: (UInt8)) { (self.length, self.data) = (length, data) }
}

/// A meta event of a MIDI file. Its data runs on in memory.
public struct MIDIMetaEvent: BitwiseCopyable, Hashable, Sendable {
    /// 0 … 127.
    public var metaEventType: UInt8
    /// Not used.
    public var unused1: UInt8
    /// Not used.
    public var unused2: UInt8
    /// Not used.
    public var unused3: UInt8
    /// Number of bytes.
    public var dataLength: UInt32
    /// The first of them.
    public var data: (UInt8)

    /// A sequence number without data.
    public init() {
        self.init(metaEventType: 0, unused1: 0, unused2: 0, unused3: 0, dataLength: 0, data: 0)
    }

    /// A head with its first byte.
    public init(
        metaEventType: UInt8, unused1: UInt8, unused2: UInt8, unused3: UInt8, dataLength: UInt32, data: (UInt8)
    ) {
        self.metaEventType = metaEventType
        self.unused1 = unused1
        self.unused2 = unused2
        self.unused3 = unused3
        self.dataLength = dataLength
        self.data = data
    }
}

/// Bytes of the client's own. They run on in memory.
public struct MusicEventUserData: BitwiseCopyable, Hashable, Sendable {
    /// Number of bytes.
    public var length: UInt32
    /// The first of them.
    public var data: (UInt8)

    /// No bytes.
    public init() { self.init(length: 0, data: 0) }

    /// A head with its first byte.
    public init(length: UInt32, data: (UInt8)) { (self.length, self.data) = (length, data) }
}

/// A note whose pitch and velocity may be fractions. Its controls run on in memory.
public struct ExtendedNoteOnEvent: BitwiseCopyable, Hashable, Sendable {
    /// `kMusicNoteEvent_UseGroupInstrument` for the group's.
    public var instrumentID: MusicDeviceInstrumentID
    /// The group; its lowest four bits are the MIDI channel.
    public var groupID: MusicDeviceGroupID
    /// Beats.
    public var duration: Float32
    /// Pitch, velocity and controls.
    public var extendedParams: MusicDeviceNoteParams

    /// All zeros.
    public init() {
        self.init(instrumentID: 0, groupID: 0, duration: 0, extendedParams: MusicDeviceNoteParams())
    }

    /// A note with every field given.
    public init(
        instrumentID: MusicDeviceInstrumentID, groupID: MusicDeviceGroupID, duration: Float32,
        extendedParams: MusicDeviceNoteParams
    ) {
        self.instrumentID = instrumentID
        self.groupID = groupID
        self.duration = duration
        self.extendedParams = extendedParams
    }
}

/// A value of a parameter of the track's unit.
public struct ParameterEvent: BitwiseCopyable, Hashable, Sendable {
    /// Which parameter.
    public var parameterID: AudioUnitParameterID
    /// Its scope.
    public var scope: AudioUnitScope
    /// Its element.
    public var element: AudioUnitElement
    /// The value.
    public var value: AudioUnitParameterValue

    /// All zeros.
    public init() { self.init(parameterID: 0, scope: 0, element: 0, value: 0) }

    /// A value with every field given.
    public init(
        parameterID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement,
        value: AudioUnitParameterValue
    ) {
        self.parameterID = parameterID
        self.scope = scope
        self.element = element
        self.value = value
    }
}

/// A tempo, of the tempo track.
public struct ExtendedTempoEvent: BitwiseCopyable, Hashable, Sendable {
    /// Beats per minute, above 0.
    public var bpm: Float64

    /// A tempo of 0, which no track takes.
    public init() { self.init(bpm: 0) }

    /// A tempo.
    public init(bpm: Float64) { self.bpm = bpm }
}

/// A preset for the track's unit.
public struct AUPresetEvent {
    /// Its scope.
    public var scope: AudioUnitScope
    /// Its element.
    public var element: AudioUnitElement
    /// The state, as `fullState` gives it.
    public var preset: Unmanaged<CFPropertyList>

    /// A preset with every field given.
    public init(scope: AudioUnitScope, element: AudioUnitElement, preset: Unmanaged<CFPropertyList>) {
        (self.scope, self.element, self.preset) = (scope, element, preset)
    }
}

/// A musical position.
public struct CABarBeatTime: BitwiseCopyable, Hashable, Sendable {
    /// From 1.
    public var bar: Int32
    /// Note of the bar, from 1.
    public var beat: UInt16
    /// Parts of that note, from 0.
    public var subbeat: UInt16
    /// How many parts a note has.
    public var subbeatDivisor: UInt16
    /// Always 0.
    public var reserved: UInt16

    /// All zeros.
    public init() { self.init(bar: 0, beat: 0, subbeat: 0, subbeatDivisor: 0, reserved: 0) }

    /// A position with every field given.
    public init(bar: Int32, beat: UInt16, subbeat: UInt16, subbeatDivisor: UInt16, reserved: UInt16) {
        self.bar = bar
        self.beat = beat
        self.subbeat = subbeat
        self.subbeatDivisor = subbeatDivisor
        self.reserved = reserved
    }
}

/// How a track repeats its end.
public struct MusicTrackLoopInfo: BitwiseCopyable, Hashable, Sendable {
    /// Beats before the track's end; 0 for no loop.
    public var loopDuration: MusicTimeStamp
    /// How often they are played altogether; 0 for ever.
    public var numberOfLoops: Int32

    /// No loop.
    public init() { self.init(loopDuration: 0, numberOfLoops: 0) }

    /// A loop.
    public init(loopDuration: MusicTimeStamp, numberOfLoops: Int32) {
        (self.loopDuration, self.numberOfLoops) = (loopDuration, numberOfLoops)
    }
}

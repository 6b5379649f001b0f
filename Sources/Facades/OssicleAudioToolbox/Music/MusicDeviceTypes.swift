// Types and properties of instruments.

import OssicleCoreAudioTypes

/// An instrument.
public typealias MusicDeviceComponent = AudioComponentInstance
/// A sound of an instrument.
public typealias MusicDeviceInstrumentID = UInt32
/// A group of notes; as MIDI channel its lowest four bits.
public typealias MusicDeviceGroupID = UInt32
/// A note that sounds.
public typealias NoteInstanceID = UInt32

/// A note with pitch and velocity only.
public struct MusicDeviceStdNoteParams: BitwiseCopyable, Hashable, Sendable {
    /// Always 2.
    public var argCount: UInt32
    /// MIDI note, with a fraction.
    public var mPitch: Float32
    /// 0 … 127, with a fraction.
    public var mVelocity: Float32

    /// All zeros.
    public init() { self.init(argCount: 0, mPitch: 0, mVelocity: 0) }

    /// A note with every field given.
    public init(argCount: UInt32, mPitch: Float32, mVelocity: Float32) {
        (self.argCount, self.mPitch, self.mVelocity) = (argCount, mPitch, mVelocity)
    }
}

/// One control of a note.
public struct NoteParamsControlValue: BitwiseCopyable, Hashable, Sendable {
    /// Which control.
    public var mID: AudioUnitParameterID
    /// Its value.
    public var mValue: AudioUnitParameterValue

    /// All zeros.
    public init() { self.init(mID: 0, mValue: 0) }

    /// A control and its value.
    public init(mID: AudioUnitParameterID, mValue: AudioUnitParameterValue) { (self.mID, self.mValue) = (mID, mValue) }
}

/// A note with controls, which run on in memory.
public struct MusicDeviceNoteParams: BitwiseCopyable, Hashable, Sendable {
    /// 2 and one for each control.
    public var argCount: UInt32
    /// MIDI note, with a fraction.
    public var mPitch: Float32
    /// 0 … 127, with a fraction.
    public var mVelocity: Float32
    /// The first control.
    public var mControls: (NoteParamsControlValue)

    /// All zeros.
    public init() { self.init(argCount: 0, mPitch: 0, mVelocity: 0, mControls: NoteParamsControlValue()) }

    /// A note with every field given.
    public init(argCount: UInt32, mPitch: Float32, mVelocity: Float32, mControls: (NoteParamsControlValue)) {
        self.argCount = argCount
        self.mPitch = mPitch
        self.mVelocity = mVelocity
        self.mControls = mControls
    }
}

/// The group's instrument plays.
public let kMusicNoteEvent_UseGroupInstrument: UInt32 = 0xFFFF_FFFF
/// No note.
public let kMusicNoteEvent_Unused: UInt32 = 0xFFFF_FFFF
/// The frames of an offset.
public let kMusicDeviceSampleFrameMask_SampleOffset = 0xFF_FFFF
/// Set in an offset that a sequence has scheduled.
public let kMusicDeviceSampleFrameMask_IsScheduled = 0x0100_0000

/// Number of instruments; `UInt32`, read only.
public let kMusicDeviceProperty_InstrumentCount: AudioUnitPropertyID = 1000
/// Name of an instrument; read only.
public let kMusicDeviceProperty_InstrumentName: AudioUnitPropertyID = 1001
/// Number of an instrument; `UInt32`, read only.
public let kMusicDeviceProperty_InstrumentNumber: AudioUnitPropertyID = 1004
/// Whether the reverb and the chorus that the instrument has of its own are heard; `UInt32`, 1 to begin with.
public let kMusicDeviceProperty_UsesInternalReverb: AudioUnitPropertyID = 1005
/// Names of what MIDI selects; `CFURL`, read only.
public let kMusicDeviceProperty_MIDIXMLNames: AudioUnitPropertyID = 1006
/// Name of the bank; `CFString`, read only.
public let kMusicDeviceProperty_BankName: AudioUnitPropertyID = 1007
/// The bank's bytes.
public let kMusicDeviceProperty_SoundBankData: AudioUnitPropertyID = 1008
/// Group of a part; `AudioUnitElement`.
public let kMusicDeviceProperty_PartGroup: AudioUnitPropertyID = 1010
/// Whether samples are read while they are played.
public let kMusicDeviceProperty_StreamFromDisk: AudioUnitPropertyID = 1011
/// The bank as a file reference.
public let kMusicDeviceProperty_SoundBankFSRef: AudioUnitPropertyID = 1012
/// Whether MIDI is scheduled by two threads; `UInt32`.
public let kMusicDeviceProperty_DualSchedulingMode: AudioUnitPropertyID = 1013
/// Whether notes are begun and ended by `MusicDeviceStartNote` and `MusicDeviceStopNote`; `UInt32`, read only.
public let kMusicDeviceProperty_SupportsStartStopNote: AudioUnitPropertyID = 1014
/// The bank's file; `CFURL`.
public let kMusicDeviceProperty_SoundBankURL: AudioUnitPropertyID = 1100

// The scalar types and scopes of audio units.

import OssicleCoreAudioTypes

/// Result of an audio unit's render block.
public typealias AUAudioUnitStatus = OSStatus
/// A time of an event, in sample frames.
public typealias AUEventSampleTime = Int64
/// A number of sample frames.
public typealias AUAudioFrameCount = UInt32
/// A number of channels.
public typealias AUAudioChannelCount = UInt32
/// The value of a parameter.
public typealias AUValue = Float
/// The address of a parameter in its unit.
public typealias AUParameterAddress = UInt64
/// Identifies an observer of parameters.
public typealias AUParameterObserverToken = UnsafeMutableRawPointer
/// Which side of a unit is meant.
public typealias AudioUnitScope = UInt32
/// A bus or element of a scope.
public typealias AudioUnitElement = UInt32
/// Number of a parameter.
public typealias AudioUnitParameterID = UInt32
/// Number of a property.
public typealias AudioUnitPropertyID = UInt32
/// The value of a parameter in the C interface.
public typealias AudioUnitParameterValue = Float32

/// "As soon as possible"; up to 4095 frames may be added.
public let AUEventSampleTimeImmediate = AUEventSampleTime(bitPattern: 0xFFFF_FFFF_0000_0000)

/// The unit as a whole.
public let kAudioUnitScope_Global: AudioUnitScope = 0
/// Its inputs.
public let kAudioUnitScope_Input: AudioUnitScope = 1
/// Its outputs.
public let kAudioUnitScope_Output: AudioUnitScope = 2
/// A group of notes.
public let kAudioUnitScope_Group: AudioUnitScope = 3
/// A part of an instrument.
public let kAudioUnitScope_Part: AudioUnitScope = 4
/// One note.
public let kAudioUnitScope_Note: AudioUnitScope = 5
/// A layer.
public let kAudioUnitScope_Layer: AudioUnitScope = 6
/// An item of a layer.
public let kAudioUnitScope_LayerItem: AudioUnitScope = 7

/// Unit of a parameter's value.
public enum AudioUnitParameterUnit: UInt32, Sendable {
    case generic = 0, indexed, boolean, percent, seconds, sampleFrames, phase, rate, hertz, cents, relativeSemiTones,
        midiNoteNumber,
        midiController, decibels, linearGain, degrees, equalPowerCrossfade, mixerFaderCurve1, pan, meters,
        absoluteCents, octaves,
        BPM, beats, milliseconds, ratio, customUnit, midi2Controller
}

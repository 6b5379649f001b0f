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
    /// A number of no unit, often 0 … 1.
    case generic = 0
    /// One of several choices, counted from the least value on.
    case indexed
    /// 0 for off, anything else for on.
    case boolean
    /// Percent.
    case percent
    /// Seconds.
    case seconds
    /// Frames; their duration depends on the rate.
    case sampleFrames
    /// Degrees of a period, −180 … 180 or 0 … 360.
    case phase
    /// A factor of speed: 1 for as it is.
    case rate
    /// Hz.
    case hertz
    /// Hundredths of a semitone, as a difference of pitch.
    case cents
    /// Semitones, as a difference of pitch.
    case relativeSemiTones
    /// A key, 0 … 127; 60 is middle C.
    case midiNoteNumber
    /// A MIDI controller's value, 0 … 127.
    case midiController
    /// dB.
    case decibels
    /// A factor of amplitude: 1 for as it is.
    case linearGain
    /// Degrees, −180 … 180, as of a direction.
    case degrees
    /// 0 … 100: a cross-fade that keeps the power, √0.5 of both at 50.
    case equalPowerCrossfade
    /// 0 … 1 of a mixer's fader, whose gain is the cube.
    case mixerFaderCurve1
    /// −1 (left) … 1 (right).
    case pan
    /// Metres.
    case meters
    /// Pitch in cents above 8.1758 Hz, as SoundFonts count: 6,900 is 440 Hz.
    case absoluteCents
    /// Octaves, as a bandwidth.
    case octaves
    /// Beats a minute.
    case BPM
    /// Beats.
    case beats
    /// Milliseconds.
    case milliseconds
    /// A quotient, as of a compressor.
    case ratio
    /// What the parameter's `unitName` says.
    case customUnit
    /// A MIDI 2.0 controller's value, 0 … 2³² − 1.
    case midi2Controller
}

// Properties of output units in the C interface.

import OssicleCoreAudioTypes

/// The device: 1, the default one. Global; `AudioObjectID`.
public let kAudioOutputUnitProperty_CurrentDevice: AudioUnitPropertyID = 2000
/// Whether sound flows. Global; `UInt32`, read only.
public let kAudioOutputUnitProperty_IsRunning: AudioUnitPropertyID = 2001
/// Which channel of the sound goes to each channel of the device, −1 for none. Array of `Int32`, set while the unit is not initialised.
public let kAudioOutputUnitProperty_ChannelMap: AudioUnitPropertyID = 2002
/// Whether a side of the unit is in use. Output of element 0, input of element 1; `UInt32`. Input cannot be enabled.
public let kAudioOutputUnitProperty_EnableIO: AudioUnitPropertyID = 2003
/// When to start. No unit here has it.
public let kAudioOutputUnitProperty_StartTime: AudioUnitPropertyID = 2004
/// Called with sound from the device. Global; `AURenderCallbackStruct`. Kept; there is no input.
public let kAudioOutputUnitProperty_SetInputCallback: AudioUnitPropertyID = 2005
/// Whether a side of the unit is there. Output of element 0, input of element 1; `UInt32`, read only.
public let kAudioOutputUnitProperty_HasIO: AudioUnitPropertyID = 2006
/// Whether time begins at 0 with each start. No unit here has it.
public let kAudioOutputUnitProperty_StartTimestampsAtZero: AudioUnitPropertyID = 2007
/// The device's workgroup. No unit here has it.
public let kAudioOutputUnitProperty_OSWorkgroup: AudioUnitPropertyID = 2015

/// A device, stream or other object of the audio system; 0 is none.
public typealias AudioObjectID = UInt32
/// A device.
public typealias AudioDeviceID = AudioObjectID
/// No object.
public let kAudioObjectUnknown: AudioObjectID = 0

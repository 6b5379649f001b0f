// Names of the properties of MIDI objects.

import OssicleCoreAudioTypes

/// Name of the object.
public nonisolated(unsafe) let kMIDIPropertyName: CFString = "name"
/// Name to show to the user.
public nonisolated(unsafe) let kMIDIPropertyDisplayName: CFString = "displayName"
/// Who made the device.
public nonisolated(unsafe) let kMIDIPropertyManufacturer: CFString = "manufacturer"
/// Model of the device.
public nonisolated(unsafe) let kMIDIPropertyModel: CFString = "model"
/// A number that identifies the object between runs.
public nonisolated(unsafe) let kMIDIPropertyUniqueID: CFString = "uniqueID"
/// The device ID in system exclusive messages.
public nonisolated(unsafe) let kMIDIPropertyDeviceID: CFString = "deviceID"
/// 1 while the device is not there.
public nonisolated(unsafe) let kMIDIPropertyOffline: CFString = "offline"
/// 1 for endpoints that other clients do not see.
public nonisolated(unsafe) let kMIDIPropertyPrivate: CFString = "private"
/// Name of the driver.
public nonisolated(unsafe) let kMIDIPropertyDriverOwner: CFString = "driver"
/// Path of a picture.
public nonisolated(unsafe) let kMIDIPropertyImage: CFString = "image"
/// Most bytes of system exclusive data per second.
public nonisolated(unsafe) let kMIDIPropertyMaxSysExSpeed: CFString = "maxSysExSpeed"
/// Bits of the channels received, channel 1 in bit 0.
public nonisolated(unsafe) let kMIDIPropertyReceiveChannels: CFString = "receiveChannels"
/// Bits of the channels sent, channel 1 in bit 0.
public nonisolated(unsafe) let kMIDIPropertyTransmitChannels: CFString = "transmitChannels"
/// 1 for an entity inside its device.
public nonisolated(unsafe) let kMIDIPropertyIsEmbeddedEntity: CFString = "embedded"
/// The `MIDIProtocolID` the endpoint speaks.
public nonisolated(unsafe) let kMIDIPropertyProtocolID: CFString = "protocol"
/// Microseconds by which a destination gets messages before their time.
public nonisolated(unsafe) let kMIDIPropertyAdvanceScheduleTimeMuSec: CFString = "scheduleAheadMuSec"
/// 1 for a device that routes messages between its ports.
public nonisolated(unsafe) let kMIDIPropertyCanRoute: CFString = "canRoute"
/// Unique ID of the external device that is connected, or several in a `CFData`, big-endian.
public nonisolated(unsafe) let kMIDIPropertyConnectionUniqueID: CFString = "connUniqueID"
/// Path of the program that configures the driver's devices.
public nonisolated(unsafe) let kMIDIPropertyDriverDeviceEditorApp: CFString = "driverDeviceEditorApp"
/// Version of the driver.
public nonisolated(unsafe) let kMIDIPropertyDriverVersion: CFString = "driverVersion"
/// 1 for a destination that sends to all others of its device.
public nonisolated(unsafe) let kMIDIPropertyIsBroadcast: CFString = "broadcast"
/// 1 for a drum machine.
public nonisolated(unsafe) let kMIDIPropertyIsDrumMachine: CFString = "drumMachine"
/// 1 for an effect unit.
public nonisolated(unsafe) let kMIDIPropertyIsEffectUnit: CFString = "effectUnit"
/// 1 for a mixer.
public nonisolated(unsafe) let kMIDIPropertyIsMixer: CFString = "mixer"
/// 1 for a sampler.
public nonisolated(unsafe) let kMIDIPropertyIsSampler: CFString = "sampler"
/// Most channels received at a time.
public nonisolated(unsafe) let kMIDIPropertyMaxReceiveChannels: CFString = "maxReceiveChannels"
/// Most channels sent at a time.
public nonisolated(unsafe) let kMIDIPropertyMaxTransmitChannels: CFString = "maxTransmitChannels"
/// Names of patches, notes and controllers; a `CFDictionary`.
public nonisolated(unsafe) let kMIDIPropertyNameConfigurationDictionary: CFString = "nameConfigurationDictionary"
/// 1 where panning spoils stereo sounds.
public nonisolated(unsafe) let kMIDIPropertyPanDisruptsStereo: CFString = "panDisruptsStereo"
/// 1 where the fine part of bank numbers is received.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectLSB: CFString = "receivesBankSelectLSB"
/// 1 where the coarse part of bank numbers is received.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectMSB: CFString = "receivesBankSelectMSB"
/// 1 where beat clock is received.
public nonisolated(unsafe) let kMIDIPropertyReceivesClock: CFString = "receivesClock"
/// 1 where MIDI time code is received.
public nonisolated(unsafe) let kMIDIPropertyReceivesMTC: CFString = "receivesMTC"
/// 1 where notes are received.
public nonisolated(unsafe) let kMIDIPropertyReceivesNotes: CFString = "receivesNotes"
/// 1 where program changes are received.
public nonisolated(unsafe) let kMIDIPropertyReceivesProgramChanges: CFString = "receivesProgramChanges"
/// Index of the only entity that carries real-time messages.
public nonisolated(unsafe) let kMIDIPropertySingleRealtimeEntity: CFString = "singleRealtimeEntity"
/// 1 for a General MIDI sound set.
public nonisolated(unsafe) let kMIDIPropertySupportsGeneralMIDI: CFString = "supportsGeneralMIDI"
/// 1 where MIDI machine control is understood.
public nonisolated(unsafe) let kMIDIPropertySupportsMMC: CFString = "supportsMMC"
/// 1 where MIDI show control is understood.
public nonisolated(unsafe) let kMIDIPropertySupportsShowControl: CFString = "supportsShowControl"
/// 1 where the fine part of bank numbers is sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectLSB: CFString = "transmitsBankSelectLSB"
/// 1 where the coarse part of bank numbers is sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectMSB: CFString = "transmitsBankSelectMSB"
/// 1 where beat clock is sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsClock: CFString = "transmitsClock"
/// 1 where MIDI time code is sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsMTC: CFString = "transmitsMTC"
/// 1 where notes are sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsNotes: CFString = "transmitsNotes"
/// 1 where program changes are sent.
public nonisolated(unsafe) let kMIDIPropertyTransmitsProgramChanges: CFString = "transmitsProgramChanges"

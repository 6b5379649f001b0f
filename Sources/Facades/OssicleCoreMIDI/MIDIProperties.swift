// Names of the properties of MIDI objects. Constants never written to, of a class that Foundation does not call `Sendable`.

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

// The scalar types of Core MIDI.

@_exported import CMIDIPackets
@_exported import OssicleCoreAudioTypes

/// Any object of the MIDI system; 0 is none.
public typealias MIDIObjectRef = UInt32
/// A client of the MIDI system.
public typealias MIDIClientRef = MIDIObjectRef
/// A client's port.
public typealias MIDIPortRef = MIDIObjectRef
/// A device.
public typealias MIDIDeviceRef = MIDIObjectRef
/// A part of a device.
public typealias MIDIEntityRef = MIDIObjectRef
/// A source or a destination.
public typealias MIDIEndpointRef = MIDIObjectRef
/// A time in host ticks, nanoseconds here; 0 means now.
public typealias MIDITimeStamp = UInt64
/// A number that identifies an object between runs.
public typealias MIDIUniqueID = Int32
/// A MIDI channel, 0...15.
public typealias MIDIChannelNumber = UInt8
/// A MIDI note, 0...127.
public typealias MIDINoteNumber = UInt8
/// A 7-bit MIDI value.
public typealias MIDIUInteger7 = UInt8

/// Which MIDI protocol a stream speaks: `._1_0` or `._2_0`.
public typealias MIDIProtocolID = CMIDIPackets.MIDIProtocolID

/// Kind of an object of the MIDI system.
public enum MIDIObjectType: Int32, Sendable {
    /// None of the others.
    case other = -1
    /// A device.
    case device = 0
    /// A part of a device.
    case entity = 1
    /// Sends to clients.
    case source = 2
    /// Receives from clients.
    case destination = 3
    /// A device behind an interface.
    case externalDevice = 16
    /// A part of such a device.
    case externalEntity = 17
    /// Its sending side.
    case externalSource = 18
    /// Its receiving side.
    case externalDestination = 19
}

/// What a notification is about.
public enum MIDINotificationMessageID: Int32, Sendable {
    /// Something has changed.
    case msgSetupChanged = 1
    /// An object was added.
    case msgObjectAdded = 2
    /// An object was removed.
    case msgObjectRemoved = 3
    /// A property has changed.
    case msgPropertyChanged = 4
    /// A persistent thru connection has changed.
    case msgThruConnectionsChanged = 5
    /// A serial port has another owner.
    case msgSerialPortOwnerChanged = 6
    /// A driver reported an error.
    case msgIOError = 7
}

// The scalar types of Core MIDI.

@_exported import CMIDIPackets
@_exported import OssicleCoreAudioTypes
import OssicleCoreAudioTypes

/// Any object of the MIDI system; 0 is none. No reference is given twice in a process: a stale one names nothing, and
/// functions answer it with a status.
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
/// A thru connection.
public typealias MIDIThruConnectionRef = MIDIObjectRef
/// A setup; there is one, the current.
public typealias MIDISetupRef = MIDIObjectRef
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

/// Receives a list of packets, and what the source was connected with.
public typealias MIDIReadBlock = (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) -> Void
/// Receives a list of events, and what the source was connected with.
public typealias MIDIReceiveBlock = (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) -> Void

/// The MIDI client does not exist.
public let kMIDIInvalidClient: OSStatus = -10830
/// The MIDI port does not exist.
public let kMIDIInvalidPort: OSStatus = -10831
/// The endpoint is a source where a destination is needed, or the reverse.
public let kMIDIWrongEndpointType: OSStatus = -10832
/// There is no such MIDI connection.
public let kMIDINoConnection: OSStatus = -10833
/// The MIDI endpoint does not exist.
public let kMIDIUnknownEndpoint: OSStatus = -10834
/// The MIDI object does not have this property.
public let kMIDIUnknownProperty: OSStatus = -10835
/// The property has another type.
public let kMIDIWrongPropertyType: OSStatus = -10836
/// There is no MIDI setup.
public let kMIDINoCurrentSetup: OSStatus = -10837
/// The MIDI message could not be sent.
public let kMIDIMessageSendErr: OSStatus = -10838
/// The MIDI server could not be started.
public let kMIDIServerStartErr: OSStatus = -10839
/// The MIDI setup file is malformed.
public let kMIDISetupFormatErr: OSStatus = -10840
/// The call came on another thread than the first one.
public let kMIDIWrongThread: OSStatus = -10841
/// The MIDI object does not exist.
public let kMIDIObjectNotFound: OSStatus = -10842
/// The unique ID is already taken.
public let kMIDIIDNotUnique: OSStatus = -10843
/// The process may not use MIDI in this way.
public let kMIDINotPermitted: OSStatus = -10844
/// Something went wrong in MIDI.
public let kMIDIUnknownError: OSStatus = -10845

/// No object has this unique ID.
public let kMIDIInvalidUniqueID: MIDIUniqueID = 0
/// The bit in the kinds of external objects.
public let kMIDIObjectType_ExternalMask = MIDIObjectType.externalDevice

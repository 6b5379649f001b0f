// Status codes of Core MIDI.

import OssicleCoreAudioTypes

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

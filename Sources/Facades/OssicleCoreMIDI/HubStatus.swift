// The hub's errors as statuses.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Something of the client's that the hub keeps and calls on its own threads, as Core MIDI does.
struct Foreign<Value>: @unchecked Sendable {
    let value: Value
}

/// Runs a call; what the hub refuses becomes its status.
func status(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return (error as? HubFault)?.kind.status ?? kMIDIUnknownError
    }
}

/// Runs a call whose result goes to `out`; nothing is written where it fails.
func status<Value>(_ out: UnsafeMutablePointer<Value>?, _ body: () throws -> Value) -> OSStatus {
    status {
        let value = try body()
        out?.pointee = value
    }
}

extension HubRefusal {
    var status: OSStatus {
        switch self {
        case .invalidClient: kMIDIInvalidClient
        case .invalidPort: kMIDIInvalidPort
        case .wrongEndpointType: kMIDIWrongEndpointType
        case .noConnection: kMIDINoConnection
        case .unknownEndpoint: kMIDIUnknownEndpoint
        case .unknownProperty: kMIDIUnknownProperty
        case .wrongPropertyType: kMIDIWrongPropertyType
        case .messageNotSent: kMIDIMessageSendErr
        case .objectNotFound: kMIDIObjectNotFound
        case .notUnique: kMIDIIDNotUnique
        case .notPermitted: kMIDINotPermitted
        case .badArgument: kAudio_ParamError
        }
    }
}

extension HubKind {
    var objectType: MIDIObjectType {
        switch self {
        case .client, .inputPort, .outputPort, .thruConnection: .other
        case .device: .device
        case .entity: .entity
        case .source: .source
        case .destination: .destination
        case .externalDevice: .externalDevice
        case .externalEntity: .externalEntity
        case .externalSource: .externalSource
        case .externalDestination: .externalDestination
        }
    }
}

extension MIDIProtocolID {
    /// MIDI 1.0 for any other number.
    var engine: MIDIProtocol { self == ._2_0 ? .midi2 : .midi1 }
}

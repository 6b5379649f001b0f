// Sources and destinations, virtual ones and all that there are.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Makes a virtual destination that receives lists of packets with a function.
@discardableResult
public func MIDIDestinationCreate(
    _ client: MIDIClientRef, _ name: CFString, _ readProc: @escaping MIDIReadProc, _ refCon: UnsafeMutableRawPointer?,
    _ outDest: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
    create(MIDIHub.shared.createDestination, client, name, .bytes, receiver(readProc, refCon), outDest)
}

/// Makes a virtual destination that receives lists of packets: bytes of MIDI 1.0, into which other messages are
/// translated.
@discardableResult
public func MIDIDestinationCreateWithBlock(
    _ client: MIDIClientRef, _ name: CFString, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
    _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
    create(MIDIHub.shared.createDestination, client, name, .bytes, receiver(readBlock), outDest)
}

/// Makes a virtual destination that receives lists of events of `protocol`, into which other messages are translated.
@discardableResult
public func MIDIDestinationCreateWithProtocol(
    _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID,
    _ outDest: UnsafeMutablePointer<MIDIEndpointRef>, _ readBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
    create(MIDIHub.shared.createDestination, client, name, .words(`protocol`.engine), receiver(readBlock), outDest)
}

/// Makes a virtual source of MIDI 1.0.
@discardableResult
public func MIDISourceCreate(
    _ client: MIDIClientRef, _ name: CFString, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
    MIDISourceCreateWithProtocol(client, name, ._1_0, outSrc)
}

/// Makes a virtual source that speaks `protocol`. Feed it with `MIDIReceivedEventList`.
@discardableResult
public func MIDISourceCreateWithProtocol(
    _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID,
    _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
    status(outSrc) {
        try MIDIHub.shared.createSource(
            client: client, name: String(describing: name), protocol: `protocol`.engine)
    }
}

/// Disposes of a virtual endpoint. `kMIDINotPermitted` for a device's.
@discardableResult
public func MIDIEndpointDispose(_ endpt: MIDIEndpointRef) -> OSStatus {
    status { try MIDIHub.shared.disposeEndpoint(endpt) }
}

/// Writes the entity that an endpoint belongs to. `kMIDIObjectNotFound` for a virtual one.
@discardableResult
public func MIDIEndpointGetEntity(
    _ inEndpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
    parent(inEndpoint, [.source, .destination, .externalSource, .externalDestination], outEntity)
}

/// Writes the device that an entity belongs to.
@discardableResult
public func MIDIEntityGetDevice(
    _ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
    parent(inEntity, [.entity, .externalEntity], outDevice)
}

private func parent(
    _ id: MIDIObjectRef, _ kinds: [HubKind], _ out: UnsafeMutablePointer<MIDIObjectRef>?
) -> OSStatus {
    var found: MIDIObjectRef = 0
    let status = status(&found) { try MIDIHub.shared.parent(of: id, kinds: kinds) }
    guard status == noErr else { return status }
    guard found != 0 else { return kMIDIObjectNotFound }
    out?.pointee = found
    return noErr
}

extension Array {
    /// `nil` for an index there is not.
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// Number of sources in the system.
public func MIDIGetNumberOfSources() -> Int { MIDIHub.shared.sources.count }
/// A source; 0 for an index there is not.
public func MIDIGetSource(_ sourceIndex0: Int) -> MIDIEndpointRef { MIDIHub.shared.sources.at(sourceIndex0) ?? 0 }
/// Number of destinations in the system.
public func MIDIGetNumberOfDestinations() -> Int { MIDIHub.shared.destinations.count }
/// A destination; 0 for an index there is not.
public func MIDIGetDestination(_ destIndex0: Int) -> MIDIEndpointRef {
    MIDIHub.shared.destinations.at(destIndex0) ?? 0
}
/// Number of devices.
public func MIDIGetNumberOfDevices() -> Int { MIDIHub.shared.devices.count }
/// A device; 0 for an index there is not.
public func MIDIGetDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { MIDIHub.shared.devices.at(deviceIndex0) ?? 0 }
/// Number of external devices.
public func MIDIGetNumberOfExternalDevices() -> Int { MIDIHub.shared.externalDevices.count }
/// An external device; 0 for an index there is not.
public func MIDIGetExternalDevice(_ deviceIndex0: Int) -> MIDIDeviceRef {
    MIDIHub.shared.externalDevices.at(deviceIndex0) ?? 0
}

private func entities(_ device: MIDIDeviceRef) -> [MIDIEntityRef] {
    MIDIHub.shared.children(of: device) { $0 == .entity || $0 == .externalEntity }
}

private func sources(_ entity: MIDIEntityRef) -> [MIDIEndpointRef] {
    MIDIHub.shared.children(of: entity) { $0 == .source || $0 == .externalSource }
}

private func destinations(_ entity: MIDIEntityRef) -> [MIDIEndpointRef] {
    MIDIHub.shared.children(of: entity) { $0 == .destination || $0 == .externalDestination }
}

/// Number of entities of a device; 0 for a stale reference.
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int { entities(device).count }
/// An entity of a device; 0 for an index there is not.
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ entityIndex0: Int) -> MIDIEntityRef {
    entities(device).at(entityIndex0) ?? 0
}
/// Number of sources of an entity; 0 for a stale reference.
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int { sources(entity).count }
/// A source of an entity; 0 for an index there is not.
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ sourceIndex0: Int) -> MIDIEndpointRef {
    sources(entity).at(sourceIndex0) ?? 0
}
/// Number of destinations of an entity; 0 for a stale reference.
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int { destinations(entity).count }
/// A destination of an entity; 0 for an index there is not.
public func MIDIEntityGetDestination(_ entity: MIDIEntityRef, _ destIndex0: Int) -> MIDIEndpointRef {
    destinations(entity).at(destIndex0) ?? 0
}

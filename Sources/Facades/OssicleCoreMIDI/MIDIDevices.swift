// Devices that a client describes.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Makes an external device, which is in no list before `MIDISetupAddExternalDevice`.
@discardableResult
public func MIDIExternalDeviceCreate(
    _ name: CFString, _ manufacturer: CFString, _ model: CFString, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>
) -> OSStatus {
    outDevice.pointee = MIDIHub.shared.createDevice(
        name: String(describing: name), manufacturer: String(describing: manufacturer),
        model: String(describing: model), isExternal: true)
    return noErr
}

/// Adds a driver's device to the setup.
@discardableResult
public func MIDISetupAddDevice(_ device: MIDIDeviceRef) -> OSStatus {
    status { try MIDIHub.shared.setInSetup(device, true, isExternal: false) }
}

/// Takes a driver's device out of the setup.
@discardableResult
public func MIDISetupRemoveDevice(_ device: MIDIDeviceRef) -> OSStatus {
    status { try MIDIHub.shared.setInSetup(device, false, isExternal: false) }
}

/// Adds an external device to the setup.
@discardableResult
public func MIDISetupAddExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
    status { try MIDIHub.shared.setInSetup(device, true, isExternal: true) }
}

/// Takes an external device out of the setup.
@discardableResult
public func MIDISetupRemoveExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
    status { try MIDIHub.shared.setInSetup(device, false, isExternal: true) }
}

/// Adds an entity that speaks `protocol` to a device, with 0...256 sources and destinations.
@discardableResult
public func MIDIDeviceNewEntity(
    _ device: MIDIDeviceRef, _ name: CFString, _ protocol: MIDIProtocolID, _ embedded: Bool,
    _ numSourceEndpoints: Int, _ numDestinationEndpoints: Int, _ newEntity: UnsafeMutablePointer<MIDIEntityRef>
) -> OSStatus {
    status(newEntity) {
        try MIDIHub.shared.addEntity(
            to: device, name: String(describing: name), protocol: `protocol`.engine, isEmbedded: embedded,
            sources: numSourceEndpoints, destinations: numDestinationEndpoints)
    }
}

/// Adds an entity of MIDI 1.0 to a device, with 0...256 sources and destinations.
@discardableResult
public func MIDIDeviceAddEntity(
    _ device: MIDIDeviceRef, _ name: CFString, _ embedded: Bool, _ numSourceEndpoints: Int,
    _ numDestinationEndpoints: Int, _ newEntity: UnsafeMutablePointer<MIDIEntityRef>
) -> OSStatus {
    MIDIDeviceNewEntity(device, name, ._1_0, embedded, numSourceEndpoints, numDestinationEndpoints, newEntity)
}

/// Removes an entity and its endpoints from a device.
@discardableResult
public func MIDIDeviceRemoveEntity(_ device: MIDIDeviceRef, _ entity: MIDIEntityRef) -> OSStatus {
    status { try MIDIHub.shared.removeEntity(entity, from: device) }
}

/// Adds endpoints to an entity, or removes its last ones, until there are so many of each.
@discardableResult
public func MIDIEntityAddOrRemoveEndpoints(
    _ entity: MIDIEntityRef, _ numSourceEndpoints: Int, _ numDestinationEndpoints: Int
) -> OSStatus {
    status {
        try MIDIHub.shared.setEndpoints(
            of: entity, sources: numSourceEndpoints, destinations: numDestinationEndpoints)
    }
}

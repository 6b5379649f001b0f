// Properties of objects.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Writes a property of text, retained for the caller.
@discardableResult
public func MIDIObjectGetStringProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    status {
        guard case .string(let text) = try value(obj, propertyID, .string) else { return }
        str.pointee = .passRetained(CFString(string: text))
    }
}

/// Sets a property of text.
@discardableResult
public func MIDIObjectSetStringProperty(_ obj: MIDIObjectRef, _ propertyID: CFString, _ str: CFString) -> OSStatus {
    set(obj, propertyID, .string(String(describing: str)))
}

/// Writes a property that is a number.
@discardableResult
public func MIDIObjectGetIntegerProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outValue: UnsafeMutablePointer<Int32>
) -> OSStatus {
    status {
        guard case .integer(let number) = try value(obj, propertyID, .integer) else { return }
        outValue.pointee = number
    }
}

/// Sets a property that is a number. `kMIDIIDNotUnique` for another object's unique ID.
@discardableResult
public func MIDIObjectSetIntegerProperty(_ obj: MIDIObjectRef, _ propertyID: CFString, _ value: Int32) -> OSStatus {
    set(obj, propertyID, .integer(value))
}

/// Writes a property of bytes, retained for the caller.
@discardableResult
public func MIDIObjectGetDataProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
    status {
        guard case .data(let bytes) = try value(obj, propertyID, .data) else { return }
        outData.pointee = .passRetained(CFData(data: Data(bytes)))
    }
}

/// Sets a property of bytes.
@discardableResult
public func MIDIObjectSetDataProperty(_ obj: MIDIObjectRef, _ propertyID: CFString, _ data: CFData) -> OSStatus {
    set(obj, propertyID, .data([UInt8](Data(referencing: data))))
}

/// Writes a property that is a dictionary, retained for the caller.
@discardableResult
public func MIDIObjectGetDictionaryProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outDict: UnsafeMutablePointer<Unmanaged<CFDictionary>?>
) -> OSStatus {
    status {
        guard case .dictionary(let list) = try value(obj, propertyID, .dictionary) else { return }
        outDict.pointee = .passRetained(dictionary(list))
    }
}

/// Sets a property that is a dictionary. `kAudio_ParamError` for one that holds something else than property lists do.
@discardableResult
public func MIDIObjectSetDictionaryProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ dict: CFDictionary
) -> OSStatus {
    guard PropertyListSerialization.propertyList(dict, isValidFor: .binary),
        let list = try? PropertyListSerialization.data(fromPropertyList: dict, format: .binary, options: 0)
    else { return kAudio_ParamError }
    return set(obj, propertyID, .dictionary([UInt8](list)))
}

/// Removes a property. Name and unique ID stay: `kMIDINotPermitted`.
@discardableResult
public func MIDIObjectRemoveProperty(_ obj: MIDIObjectRef, _ propertyID: CFString) -> OSStatus {
    status { try MIDIHub.shared.removeProperty(String(describing: propertyID), of: obj) }
}

/// Writes a dictionary of all properties that an object has by itself, retained for the caller; with `deep` those of
/// its entities, sources and destinations, too, as arrays with these names.
@discardableResult
public func MIDIObjectGetProperties(
    _ obj: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<Unmanaged<CFPropertyList>?>, _ deep: Bool
) -> OSStatus {
    status { outProperties.pointee = .passRetained(try contents(obj, deep)) }
}

/// Writes the object with a unique ID and its kind. `kMIDIObjectNotFound` where there is none.
@discardableResult
public func MIDIObjectFindByUniqueID(
    _ inUniqueID: MIDIUniqueID, _ outObject: UnsafeMutablePointer<MIDIObjectRef>?,
    _ outObjectType: UnsafeMutablePointer<MIDIObjectType>?
) -> OSStatus {
    status {
        let found = try MIDIHub.shared.find(uniqueID: inUniqueID)
        outObject?.pointee = found.id
        outObjectType?.pointee = found.kind.objectType
    }
}

private func value(_ object: MIDIObjectRef, _ name: CFString, _ kind: HubValueKind) throws -> HubValue {
    try MIDIHub.shared.property(String(describing: name), of: object, as: kind)
}

private func set(_ object: MIDIObjectRef, _ name: CFString, _ value: HubValue) -> OSStatus {
    status { try MIDIHub.shared.setProperty(String(describing: name), of: object, to: value) }
}

private func dictionary(_ list: [UInt8]) -> NSDictionary {
    let read = try? PropertyListSerialization.propertyList(from: Data(list), options: [], format: nil)
    return (read as? [String: Any]).map { NSDictionary(dictionary: $0) } ?? NSDictionary()
}

private func contents(_ object: MIDIObjectRef, _ isDeep: Bool) throws -> NSDictionary {
    let contents = try MIDIHub.shared.contents(of: object)
    let found = NSMutableDictionary()
    for (name, value) in contents.properties {
        let entry: Any =
            switch value {
            case .integer(let number): NSNumber(value: number)
            case .string(let text): NSString(string: text)
            case .data(let bytes): NSData(data: Data(bytes))
            case .dictionary(let list): dictionary(list)
            }
        found.setObject(entry, forKey: NSString(string: name))
    }
    guard isDeep else { return found }
    for (name, kinds) in [
        ("entities", [HubKind.entity, .externalEntity]), ("sources", [.source, .externalSource]),
        ("destinations", [.destination, .externalDestination]),
    ] {
        let children = try contents.children.filter { kinds.contains($0.kind) }.map {
            try OssicleCoreMIDI.contents($0.id, true)
        }
        if !children.isEmpty { found.setObject(NSArray(array: children), forKey: NSString(string: name)) }
    }
    return found
}

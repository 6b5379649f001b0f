// Properties of objects, and objects by their unique numbers.

import OssicleCore

extension MIDIHub {
    /// The value of an object's property. An endpoint asks its entity and device for what it lacks.
    package func property(_ name: String, of id: HubID, as kind: HubValueKind) throws(HubFault) -> HubValue {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(id, .objectNotFound, "object") { _ in true }
            guard let value = state.inherited(name, of: object) else {
                throw HubFault(
                    .unknownProperty, object: "MIDI object \(id)", found: "has no property \"\(name)\"",
                    rule: "Only properties that were set can be read.", cure: "Set it, or do without.")
            }
            guard value.kind == kind else { throw MIDIHub.wrongType(name, id, value.kind) }
            return value
        }
    }

    /// Sets a property and notifies. A unique ID must not be another object's, nor 0.
    package func setProperty(_ name: String, of id: HubID, to value: HubValue) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(id, .objectNotFound, "object") { _ in true }
            try MIDIHub.check(name, id, value)
            if name == HubProperty.uniqueID, case .integer(let unique) = value {
                try state.setUniqueID(unique, of: id, object)
            }
            state.objects[id]?.properties[name] = value
            state.notify(.propertyChanged(object: id, object.kind, name: name))
        }
    }

    package func removeProperty(_ name: String, of id: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(id, .objectNotFound, "object") { _ in true }
            guard name != HubProperty.uniqueID, name != HubProperty.name else {
                throw HubFault(
                    .notPermitted, object: "MIDI object \(id)", found: "is to lose its property \"\(name)\"",
                    rule: "Every object has a name and a unique ID.", cure: "Set another value.")
            }
            guard object.properties[name] != nil else {
                throw HubFault(
                    .unknownProperty, object: "MIDI object \(id)", found: "has no property \"\(name)\" of its own",
                    rule: "Only properties that were set can be removed.", cure: "Leave the call out.")
            }
            state.objects[id]?.properties[name] = nil
            state.notify(.propertyChanged(object: id, object.kind, name: name))
        }
    }

    /// An object's own properties, sorted by name, and its children with their kinds.
    package func contents(
        of id: HubID
    ) throws(HubFault) -> (properties: [(name: String, value: HubValue)], children: [(id: HubID, kind: HubKind)]) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(id, .objectNotFound, "object") { _ in true }
            return (
                object.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
                object.children.compactMap { child in state.objects[child].map { (child, $0.kind) } }
            )
        }
    }

    /// The object with this number.
    package func find(uniqueID: Int32) throws(HubFault) -> (id: HubID, kind: HubKind) {
        try state.withLock { (state) throws(HubFault) in
            guard let id = state.uniqueIDs[uniqueID], let object = state.objects[id] else {
                throw HubFault(
                    .objectNotFound, object: "MIDI object with the unique ID \(uniqueID)", found: "is not there",
                    rule: "A unique ID names a device, entity or endpoint.",
                    cure: "Look for it again when a notification says that the setup has changed.")
            }
            return (id, object.kind)
        }
    }

    private static func check(_ name: String, _ id: HubID, _ value: HubValue) throws(HubFault) {
        guard name != HubProperty.displayName else {
            throw HubFault(
                .notPermitted, object: "MIDI object \(id)", found: "is to have another display name",
                rule: "Display names are made of the names of device and entity.", cure: "Set the name.")
        }
        if HubProperty.strings.contains(name), value.kind != .string, name != "nameConfiguration" {
            throw wrongType(name, id, .string)
        }
        if HubProperty.integers.contains(name), value.kind != .integer { throw wrongType(name, id, .integer) }
    }

    private static func wrongType(_ name: String, _ id: HubID, _ kind: HubValueKind) -> HubFault {
        HubFault(
            .wrongPropertyType, object: "MIDI object \(id)", found: "has \"\(name)\" as another type",
            rule: "The property \"\(name)\" is of type \(kind).", cure: "Use the function for that type.")
    }
}

extension HubState {
    /// The object's own value, or that of the entity or device it belongs to.
    func inherited(_ name: String, of object: HubObject) -> HubValue? {
        if name == HubProperty.displayName { return displayName(of: object).map { .string($0) } }
        var current = object
        while true {
            if let value = current.properties[name] { return value }
            guard !HubProperty.own.contains(name), let above = objects[current.parent], above.kind != .client else {
                return nil
            }
            current = above
        }
    }

    /// The device's name before an endpoint's, unless that begins with it.
    private func displayName(of object: HubObject) -> String? {
        guard case .string(let name)? = object.properties[HubProperty.name] else { return nil }
        guard let above = objects[object.parent], above.kind != .client, let prefix = deviceName(above),
            !name.hasPrefix(prefix)
        else { return name }
        return name.isEmpty ? prefix : prefix + " " + name
    }

    private func deviceName(_ object: HubObject) -> String? {
        if object.kind.isEntity, let device = objects[object.parent] { return deviceName(device) }
        guard case .string(let name)? = object.properties[HubProperty.name] else { return nil }
        return name
    }

    mutating func setUniqueID(_ unique: Int32, of id: HubID, _ object: HubObject) throws(HubFault) {
        guard unique != 0, uniqueIDs[unique] ?? id == id else {
            throw HubFault(
                .notUnique, object: "MIDI object \(id)", found: "is to have the unique ID \(unique)",
                rule: "A unique ID is not 0 and belongs to one object.", cure: "Choose another number.")
        }
        if case .integer(let before)? = object.properties[HubProperty.uniqueID] { uniqueIDs[before] = nil }
        uniqueIDs[unique] = id
    }
}

// Objects as clients find them: lists, relations, properties.

import OssicleCore

extension MIDIHub {
    package var devices: [HubID] { state.withLock { $0.setup[.device] } }
    package var externalDevices: [HubID] { state.withLock { $0.setup[.externalDevice] } }
    /// Sources that clients see: virtual ones, and those of devices, as they came. Private ones are left out.
    package var sources: [HubID] { state.withLock { $0.visible(.source) } }
    /// Destinations that clients see.
    package var destinations: [HubID] { state.withLock { $0.visible(.destination) } }

    /// What kind of object a reference names; `nil` for a stale one.
    package func kind(of id: HubID) -> HubKind? { state.withLock { $0.objects[id]?.kind } }

    /// The entity an endpoint belongs to, the device of an entity, the client of a port; 0 for virtual endpoints.
    package func parent(of id: HubID, kinds: [HubKind]) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(id, "object", else: .objectNotFound) { kinds.contains($0) }
            return state.objects.visibleParent(object)
        }
    }

    /// Entities of a device, or endpoints of an entity that fit; empty for a stale reference.
    package func children(of id: HubID, where fits: (HubKind) -> Bool) -> [HubID] {
        state.withLock { $0.children(of: id).filter { fits($0.kind) }.map(\.id) }
    }

    /// An object's own properties, sorted by name, and its children with their kinds.
    package func contents(
        of id: HubID
    ) throws(HubFault) -> (properties: [(name: String, value: HubValue)], children: [(id: HubID, kind: HubKind)]) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(id, "object", else: .objectNotFound)
            return (object.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, state.children(of: id))
        }
    }

    /// The object with this number.
    package func find(uniqueID: Int32) throws(HubFault) -> (id: HubID, kind: HubKind) {
        try state.withLock { (state) throws(HubFault) in
            guard let id = state.objects.find(uniqueID: uniqueID), let object = state.objects[id] else {
                throw HubFault(
                    .objectNotFound, object: "MIDI object with the unique ID \(uniqueID)", found: "is not there",
                    rule: "A unique ID names a device, entity or endpoint.",
                    cure: "Look for it again when a notification says that the setup has changed.")
            }
            return (id, object.kind)
        }
    }

    /// The value of an object's property. An endpoint asks its entity and device for what it lacks.
    package func property(_ name: String, of id: HubID, as kind: HubValueKind) throws(HubFault) -> HubValue {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(id, "object", else: .objectNotFound)
            guard let value = state.objects.value(name, of: object) else {
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
            let object = try state.objects.require(id, "object", else: .objectNotFound)
            guard name != HubProperty.displayName else {
                throw HubFault(
                    .notPermitted, object: "MIDI object \(id)", found: "is to have another display name",
                    rule: "Display names are made of the names of device and entity.", cure: "Set the name.")
            }
            if let kind = HubProperty.requiredKind(name), kind != value.kind {
                throw MIDIHub.wrongType(name, id, kind)
            }
            try state.objects.set(name, of: id, to: value)
            state.clients.notify(.propertyChanged(object: id, object.kind, name: name))
        }
    }

    package func removeProperty(_ name: String, of id: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(id, "object", else: .objectNotFound)
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
            state.objects.removeValue(name, of: id)
            state.clients.notify(.propertyChanged(object: id, object.kind, name: name))
        }
    }

    private static func wrongType(_ name: String, _ id: HubID, _ kind: HubValueKind) -> HubFault {
        HubFault(
            .wrongPropertyType, object: "MIDI object \(id)", found: "has \"\(name)\" as another type",
            rule: "The property \"\(name)\" is of type \(kind).", cure: "Use the function for that type.")
    }
}

extension HubState {
    /// The list of a kind without objects that are private.
    fileprivate func visible(_ kind: HubKind) -> [HubID] {
        setup[kind].filter { (objects[$0]?.integer(HubProperty.isPrivate) ?? 0) == 0 }
    }

    fileprivate func children(of id: HubID) -> [(id: HubID, kind: HubKind)] {
        (objects[id]?.children ?? []).compactMap { child in objects[child].map { (child, $0.kind) } }
    }
}

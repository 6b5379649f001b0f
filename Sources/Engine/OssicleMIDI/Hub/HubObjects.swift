import OssicleCore

/// All objects of a hub, as trees below clients and devices.
struct HubObjects: Sendable {
    private var lastID: HubID = 0
    private var objects: [HubID: HubObject] = [:]
    private var uniqueIDs: [Int32: HubID] = [:]

    subscript(id: HubID) -> HubObject? { objects[id] }

    mutating func add(
        _ kind: HubKind, parent: HubID = 0, properties: [String: HubValue] = [:]
    ) -> HubID {
        lastID += 1
        objects[lastID] = HubObject(kind: kind, parent: parent, properties: properties)
        objects[parent]?.children.append(lastID)
        if kind.isPublic { assignUniqueID(lastID) }
        return lastID
    }

    /// Removes an object and what belongs to it; returns all that is gone, innermost first.
    mutating func remove(_ id: HubID) -> [(id: HubID, kind: HubKind)] {
        guard let object = objects[id] else { return [] }
        let gone = object.children.flatMap { remove($0) }
        objects[id] = nil
        objects[object.parent]?.children.removeAll { $0 == id }
        if let unique = object.integer(HubProperty.uniqueID) { uniqueIDs[unique] = nil }
        return gone + [(id, object.kind)]
    }

    func require(
        _ id: HubID, _ what: String, else refusal: HubRefusal, where fits: (HubKind) -> Bool = { _ in true }
    ) throws(HubFault) -> HubObject {
        guard let object = objects[id], fits(object.kind) else { throw .noObject(id, refusal, what) }
        return object
    }

    /// A source or destination that carries messages.
    func requireEndpoint(_ id: HubID, _ wanted: HubKind) throws(HubFault) -> HubObject {
        let object = try require(id, "endpoint", else: .unknownEndpoint) { $0.isEndpoint }
        guard object.kind == wanted else { throw .wrongEndpoint(id, wanted: "\(wanted)") }
        return object
    }

    /// The object an object belongs to as others see it: a client is no part of the system.
    func visibleParent(_ object: HubObject) -> HubID {
        objects[object.parent]?.kind == .client ? 0 : object.parent
    }
}

// Properties and unique IDs.
extension HubObjects {
    /// The object's own value, or that of the entity or device it belongs to.
    func value(_ name: String, of object: HubObject) -> HubValue? {
        if name == HubProperty.displayName { return displayName(of: object).map { .string($0) } }
        var current = object
        while true {
            if let value = current.properties[name] { return value }
            guard !HubProperty.own.contains(name), let above = objects[visibleParent(current)] else { return nil }
            current = above
        }
    }

    /// The device's name before an endpoint's, unless that begins with it.
    private func displayName(of object: HubObject) -> String? {
        guard let name = object.string(HubProperty.name) else { return nil }
        guard let above = objects[visibleParent(object)], let prefix = deviceName(above), !name.hasPrefix(prefix) else {
            return name
        }
        return name.isEmpty ? prefix : prefix + " " + name
    }

    private func deviceName(_ object: HubObject) -> String? {
        if object.kind.isEntity, let device = objects[object.parent] { return deviceName(device) }
        return object.string(HubProperty.name)
    }

    mutating func set(_ name: String, of id: HubID, to value: HubValue) throws(HubFault) {
        if name == HubProperty.uniqueID, case .integer(let unique) = value { try reserve(unique, for: id) }
        objects[id]?.properties[name] = value
    }

    mutating func removeValue(_ name: String, of id: HubID) { objects[id]?.properties[name] = nil }

    func find(uniqueID: Int32) -> HubID? { uniqueIDs[uniqueID] }

    private mutating func reserve(_ unique: Int32, for id: HubID) throws(HubFault) {
        guard unique != 0, uniqueIDs[unique] ?? id == id else {
            throw HubFault(
                .notUnique, object: "MIDI object \(id)", found: "is to have the unique ID \(unique)",
                rule: "A unique ID is not 0 and belongs to one object.", cure: "Choose another number.")
        }
        if let before = objects[id]?.integer(HubProperty.uniqueID) { uniqueIDs[before] = nil }
        uniqueIDs[unique] = id
    }

    /// Gives an object a number that is the same in every run with objects of the same names.
    private mutating func assignUniqueID(_ id: HubID) {
        guard let object = objects[id] else { return }
        var path = "\(object.kind.rawValue)"
        var above: HubID? = id
        while let current = above, let object = objects[current] {
            if let name = object.string(HubProperty.name) { path += "/" + name }
            above = object.parent == 0 ? nil : object.parent
        }
        let random = CounterRandom(seed: CounterRandom.number(of: path), object: 0)
        var draw: UInt64 = 0
        while true {
            let unique = Int32(truncatingIfNeeded: random.bits(draw))
            if unique != 0, uniqueIDs[unique] == nil {
                uniqueIDs[unique] = id
                objects[id]?.properties[HubProperty.uniqueID] = .integer(unique)
                return
            }
            draw += 1
        }
    }
}

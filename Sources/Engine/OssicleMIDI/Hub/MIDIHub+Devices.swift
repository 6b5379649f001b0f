// Devices, their entities, and the endpoints of those.

import OssicleCore

extension MIDIHub {
    /// Makes a device without entities, which is not in the setup yet.
    /// - Parameter isExternal: a device behind an interface, which is only described: its endpoints carry nothing.
    package func createDevice(
        name: String, manufacturer: String, model: String, isExternal: Bool
    ) -> HubID {
        state.withLock { state in
            let id = state.add(
                HubObject(
                    kind: isExternal ? .externalDevice : .device, parent: 0,
                    properties: [
                        HubProperty.name: .string(name), HubProperty.manufacturer: .string(manufacturer),
                        HubProperty.model: .string(model), HubProperty.offline: .integer(0),
                    ]))
            state.assignUniqueID(id)
            return id
        }
    }

    /// Adds a device to the setup, or takes it out; it stays, and its references stay valid.
    package func setInSetup(_ device: HubID, _ isIn: Bool, isExternal: Bool) throws(HubFault) {
        let wanted: HubKind = isExternal ? .externalDevice : .device
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(device, .objectNotFound, "device") { $0 == wanted }
            let isThere = state.devices.contains(device) || state.externalDevices.contains(device)
            guard isIn != isThere else { return }
            let endpoints = object.children.flatMap { state.objects[$0]?.children ?? [] }
            if isIn {
                if isExternal { state.externalDevices.append(device) } else { state.devices.append(device) }
                for endpoint in endpoints { state.show(endpoint) }
                state.notifyAdded(device)
            } else {
                state.devices.removeAll { $0 == device }
                state.externalDevices.removeAll { $0 == device }
                for endpoint in endpoints { state.hide(endpoint) }
                state.notify(.objectRemoved(parent: 0, nil, child: device, wanted))
                state.notify(.setupChanged)
            }
        }
    }

    /// Adds an entity with endpoints to a device.
    package func addEntity(
        to device: HubID, name: String, protocol: MIDIProtocol, isEmbedded: Bool, sources: Int, destinations: Int
    ) throws(HubFault) -> HubID {
        try check(sources, destinations)
        return try state.withLock { (state) throws(HubFault) in
            let object = try state.object(device, .objectNotFound, "device") { $0.isDevice }
            let entity = state.add(
                HubObject(
                    kind: object.kind.isExternal ? .externalEntity : .entity, parent: device,
                    properties: [
                        HubProperty.name: .string(name), HubProperty.isEmbedded: .integer(isEmbedded ? 1 : 0),
                        HubProperty.protocolID: .integer(`protocol`.rawValue),
                    ]))
            state.assignUniqueID(entity)
            state.setEndpoints(entity, sources: sources, destinations: destinations)
            if state.isInSetup(device) { state.notifyAdded(entity) }
            return entity
        }
    }

    package func removeEntity(_ entity: HubID, from device: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(device, .objectNotFound, "device") { $0.isDevice }
            let object = try state.object(entity, .objectNotFound, "entity") { $0.isEntity }
            guard object.parent == device else { throw .noObject(entity, .objectNotFound, "entity of that device") }
            state.dispose(entity)
        }
    }

    /// Adds endpoints at the end, or removes the last ones, until there are so many.
    package func setEndpoints(of entity: HubID, sources: Int, destinations: Int) throws(HubFault) {
        try check(sources, destinations)
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(entity, .objectNotFound, "entity") { $0.isEntity }
            state.setEndpoints(entity, sources: sources, destinations: destinations)
            state.notify(.setupChanged)
        }
    }

    /// No entity has more endpoints of a kind.
    package static let mostEndpoints = 256

    private func check(_ sources: Int, _ destinations: Int) throws(HubFault) {
        let range = 0...MIDIHub.mostEndpoints
        guard range.contains(sources), range.contains(destinations) else {
            throw HubFault(
                .badArgument, object: "MIDI entity",
                found: "is to have \(sources) sources, \(destinations) destinations",
                rule: "An entity has 0...\(MIDIHub.mostEndpoints) of each.", cure: "Pass numbers in this range.")
        }
    }

    /// Has a device's destination send: `receive` gets what is due, in `form`.
    package func attach(_ destination: HubID, form: MIDIForm, receive: @escaping MIDIReceiver) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.endpoint(destination, isSource: false)
            state.endpoints[destination]?.sink = HubSink(form: form, receive: receive)
        }
    }

    package var devices: [HubID] { state.withLock { $0.devices } }
    package var externalDevices: [HubID] { state.withLock { $0.externalDevices } }

    /// Entities of a device, or endpoints of an entity that fit; empty for a stale reference.
    package func children(of id: HubID, where fits: (HubKind) -> Bool) -> [HubID] {
        state.withLock { state in
            (state.objects[id]?.children ?? []).filter { child in state.objects[child].map { fits($0.kind) } ?? false }
        }
    }
}

extension HubState {
    func isInSetup(_ device: HubID) -> Bool { devices.contains(device) || externalDevices.contains(device) }

    mutating func setEndpoints(_ entity: HubID, sources: Int, destinations: Int) {
        guard let object = objects[entity] else { return }
        let isExternal = object.kind.isExternal
        set(entity, isExternal ? .externalSource : .source, sources)
        set(entity, isExternal ? .externalDestination : .destination, destinations)
    }

    private mutating func set(_ entity: HubID, _ kind: HubKind, _ count: Int) {
        guard let object = objects[entity] else { return }
        let present = object.children.filter { objects[$0]?.kind == kind }
        for endpoint in present.dropFirst(count) { dispose(endpoint) }
        for number in present.count..<max(count, present.count) { addEndpoint(entity, object, kind, number + 1) }
    }

    private mutating func addEndpoint(_ entity: HubID, _ object: HubObject, _ kind: HubKind, _ number: Int) {
        var properties: [String: HubValue] = [:]
        for name in [HubProperty.name, HubProperty.protocolID] { properties[name] = object.properties[name] }
        if number > 1, case .string(let name)? = properties[HubProperty.name] {
            properties[HubProperty.name] = .string("\(name) \(number)")
        }
        let id = add(HubObject(kind: kind, parent: entity, properties: properties))
        endpoints[id] = HubEndpoint()
        assignUniqueID(id)
        guard isInSetup(object.parent) else { return }
        show(id)
        notifyAdded(id)
    }
}

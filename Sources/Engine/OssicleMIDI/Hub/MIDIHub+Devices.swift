// Devices, their entities, and the endpoints of those.

import OssicleCore

extension MIDIHub {
    /// Makes a device without entities, which is not in the setup yet.
    /// - Parameter isExternal: a device behind an interface, which is only described: its endpoints carry nothing.
    package func createDevice(
        name: String, manufacturer: String, model: String, isExternal: Bool
    ) -> HubID {
        let properties: [String: HubValue] = [
            HubProperty.name: .string(name), HubProperty.manufacturer: .string(manufacturer),
            HubProperty.model: .string(model), HubProperty.offline: .integer(0),
        ]
        return state.withLock { $0.objects.add(isExternal ? .externalDevice : .device, properties: properties) }
    }

    /// Adds a device to the setup, or takes it out; it stays, and its references stay valid.
    package func setInSetup(_ device: HubID, _ isIn: Bool, isExternal: Bool) throws(HubFault) {
        let kind: HubKind = isExternal ? .externalDevice : .device
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(device, "device", else: .objectNotFound) { $0 == kind }
            guard isIn != state.setup.contains(device) else { return }
            let endpoints = object.children.flatMap { state.objects[$0]?.children ?? [] }
            if isIn {
                state.setup.add(device, kind)
                for endpoint in endpoints { state.show(endpoint) }
                state.notifyAdded(device)
            } else {
                for member in [device] + endpoints { state.setup.remove(member) }
                state.clients.notify(.objectRemoved(parent: 0, nil, child: device, kind))
                state.clients.notify(.setupChanged)
            }
        }
    }

    /// Adds an entity with endpoints to a device.
    package func addEntity(
        to device: HubID, name: String, protocol: MIDIProtocol, isEmbedded: Bool, sources: Int, destinations: Int
    ) throws(HubFault) -> HubID {
        try check(sources, destinations)
        return try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(device, "device", else: .objectNotFound) { $0.isDevice }
            let entity = state.objects.add(
                object.kind.isExternal ? .externalEntity : .entity, parent: device,
                properties: [
                    HubProperty.name: .string(name), HubProperty.isEmbedded: .integer(isEmbedded ? 1 : 0),
                    HubProperty.protocolID: .integer(`protocol`.rawValue),
                ])
            state.setEndpoints(of: entity, sources: sources, destinations: destinations)
            if state.setup.contains(device) { state.notifyAdded(entity) }
            return entity
        }
    }

    package func removeEntity(_ entity: HubID, from device: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(device, "device", else: .objectNotFound) { $0.isDevice }
            let object = try state.objects.require(entity, "entity", else: .objectNotFound) { $0.isEntity }
            guard object.parent == device else { throw .noObject(entity, .objectNotFound, "entity of that device") }
            state.dispose(entity)
        }
        releaseReceivers()
    }

    /// Adds endpoints at the end, or removes the last ones, until there are so many.
    package func setEndpoints(of entity: HubID, sources: Int, destinations: Int) throws(HubFault) {
        try check(sources, destinations)
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(entity, "entity", else: .objectNotFound) { $0.isEntity }
            state.setEndpoints(of: entity, sources: sources, destinations: destinations)
            state.clients.notify(.setupChanged)
        }
        releaseReceivers()
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
            _ = try state.objects.requireEndpoint(destination, .destination)
            state.routes.attach(HubSink(form: form, receive: receive), to: destination)
        }
    }
}

extension HubState {
    fileprivate mutating func setEndpoints(of entity: HubID, sources: Int, destinations: Int) {
        guard let object = objects[entity] else { return }
        let isExternal = object.kind.isExternal
        set(isExternal ? .externalSource : .source, sources, of: entity, object)
        set(isExternal ? .externalDestination : .destination, destinations, of: entity, object)
    }

    private mutating func set(_ kind: HubKind, _ count: Int, of entity: HubID, _ object: HubObject) {
        let present = object.children.filter { objects[$0]?.kind == kind }
        for endpoint in present.dropFirst(count) { dispose(endpoint) }
        for number in present.count..<max(count, present.count) {
            var properties = object.properties.filter { [HubProperty.name, HubProperty.protocolID].contains($0.key) }
            if number > 0, let name = object.string(HubProperty.name) {
                properties[HubProperty.name] = .string("\(name) \(number + 1)")
            }
            let id = objects.add(kind, parent: entity, properties: properties)
            routes.addEndpoint(id)
            guard setup.contains(object.parent) else { continue }
            show(id)
            notifyAdded(id)
        }
    }

    /// Puts an endpoint into the list of its kind; one of an external device is in none.
    fileprivate mutating func show(_ endpoint: HubID) {
        if let object = objects[endpoint] { setup.add(endpoint, object.kind) }
    }
}

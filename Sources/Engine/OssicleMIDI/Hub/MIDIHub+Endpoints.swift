// Sources and destinations: virtual ones, and the lists of all.

import OssicleCore

extension MIDIHub {
    /// Makes a virtual source, which the client feeds by `receive(_:from:)`.
    package func createSource(client: HubID, name: String, protocol: MIDIProtocol) throws(HubFault) -> HubID {
        try createEndpoint(client, name, .source, `protocol`, sink: nil)
    }

    /// Makes a virtual destination.
    /// - Parameter receive: called with what other clients send, on the thread that delivers.
    package func createDestination(
        client: HubID, name: String, form: MIDIForm, receive: @escaping MIDIReceiver
    ) throws(HubFault) -> HubID {
        let spoken: MIDIProtocol = if case .words(let wanted) = form { wanted } else { .midi1 }
        return try createEndpoint(client, name, .destination, spoken, sink: HubSink(form: form, receive: receive))
    }

    private func createEndpoint(
        _ client: HubID, _ name: String, _ kind: HubKind, _ spoken: MIDIProtocol, sink: HubSink?
    ) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(client, .invalidClient, "client") { $0 == .client }
            let id = state.add(
                HubObject(
                    kind: kind, parent: client,
                    properties: [HubProperty.name: .string(name), HubProperty.protocolID: .integer(spoken.rawValue)]))
            state.endpoints[id] = HubEndpoint(sink: sink)
            state.assignUniqueID(id)
            state.show(id)
            state.notifyAdded(id)
            return id
        }
    }

    /// Disposes of a virtual endpoint and its connections.
    package func disposeEndpoint(_ endpoint: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(endpoint, .unknownEndpoint, "endpoint") { $0.isEndpoint }
            guard state.objects[object.parent]?.kind == .client else {
                throw HubFault(
                    .notPermitted, object: "MIDI endpoint \(endpoint)", found: "belongs to a device",
                    rule: "Only virtual endpoints can be disposed of.",
                    cure: "Remove the device or entity, or change the number of its endpoints.")
            }
            state.dispose(endpoint)
        }
    }

    /// Sources that clients see: virtual ones, and those of devices, as they came. Private ones are left out.
    package var sources: [HubID] { state.withLock { state in state.sources.filter { !state.isPrivate($0) } } }
    /// Destinations that clients see.
    package var destinations: [HubID] { state.withLock { state in state.destinations.filter { !state.isPrivate($0) } } }

    /// The entity an endpoint belongs to, the device of an entity, the client of a port; 0 for virtual endpoints.
    package func parent(of id: HubID, kinds: [HubKind]) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(id, .objectNotFound, "object") { kinds.contains($0) }
            return state.objects[object.parent]?.kind == .client ? 0 : object.parent
        }
    }

    /// What kind of object a reference names; `nil` for a stale one.
    package func kind(of id: HubID) -> HubKind? { state.withLock { $0.objects[id]?.kind } }
}

extension HubState {
    /// Puts an endpoint into the lists.
    mutating func show(_ id: HubID) {
        switch objects[id]?.kind {
        case .source?: if !sources.contains(id) { sources.append(id) }
        case .destination?: if !destinations.contains(id) { destinations.append(id) }
        default: break
        }
    }

    mutating func hide(_ id: HubID) {
        sources.removeAll { $0 == id }
        destinations.removeAll { $0 == id }
    }

    func isPrivate(_ id: HubID) -> Bool {
        guard case .integer(let value)? = objects[id]?.properties[HubProperty.isPrivate] else { return false }
        return value != 0
    }

    /// Gives an object a number that is the same in every run with objects of the same names.
    mutating func assignUniqueID(_ id: HubID) {
        guard let object = objects[id] else { return }
        var path = "\(object.kind.rawValue)"
        var above: HubID? = id
        while let current = above, let object = objects[current] {
            if case .string(let name)? = object.properties[HubProperty.name] { path += "/" + name }
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

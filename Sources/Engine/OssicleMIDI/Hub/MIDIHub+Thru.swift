// Thru connections: the hub itself passes messages on.

import OssicleCore

/// The thru connections of a hub.
struct ThruTable: Sendable {
    struct Connection: Sendable {
        let id: HubID
        let owner: String?
        var parameters: ThruParameters
        var processor: ThruProcessor
    }

    /// As they were made.
    var connections: [Connection] = []

    func index(_ id: HubID) throws(HubFault) -> Int {
        guard let index = connections.firstIndex(where: { $0.id == id }) else {
            throw .noObject(id, .objectNotFound, "thru connection")
        }
        return index
    }
}

extension MIDIHub {
    /// Makes a thru connection. - Parameter owner: a name to find it by; it stays for as long as the process does.
    package func createThru(_ parameters: ThruParameters, owner: String?) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            let resolved = try state.resolved(parameters)
            let id = state.add(HubObject(kind: .thruConnection, parent: 0))
            state.thru.connections.append(
                ThruTable.Connection(
                    id: id, owner: owner, parameters: resolved, processor: ThruProcessor(resolved)))
            if owner != nil { state.notify(.thruConnectionsChanged) }
            return id
        }
    }

    package func disposeThru(_ connection: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let removed = state.thru.connections.remove(at: try state.thru.index(connection))
            _ = state.remove(connection)
            if removed.owner != nil { state.notify(.thruConnectionsChanged) }
        }
    }

    package func thruParameters(of connection: HubID) throws(HubFault) -> ThruParameters {
        try state.withLock { (state) throws(HubFault) in
            state.thru.connections[try state.thru.index(connection)].parameters
        }
    }

    package func setThruParameters(_ parameters: ThruParameters, of connection: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let index = try state.thru.index(connection)
            let resolved = try state.resolved(parameters)
            state.thru.connections[index].parameters = resolved
            state.thru.connections[index].processor = ThruProcessor(resolved)
            if state.thru.connections[index].owner != nil { state.notify(.thruConnectionsChanged) }
        }
    }

    /// The connections of an owner, as they were made.
    package func thruConnections(of owner: String) -> [HubID] {
        state.withLock { state in state.thru.connections.filter { $0.owner == owner }.map(\.id) }
    }

    /// Most sources, and most destinations, of one connection.
    package static let mostThruEndpoints = 8
}

extension HubState {
    /// With references beside the unique IDs. An endpoint that is not there yet may be named by its unique ID.
    fileprivate func resolved(_ parameters: ThruParameters) throws(HubFault) -> ThruParameters {
        var parameters = parameters
        let most = MIDIHub.mostThruEndpoints
        guard parameters.sources.count <= most, parameters.destinations.count <= most,
            parameters.channelMap.count == 16, parameters.maps.allSatisfy({ $0.count == 128 })
        else {
            throw HubFault(
                .badArgument, object: "MIDI thru connection",
                found: "has \(parameters.sources.count) sources, \(parameters.destinations.count) destinations",
                rule: "It has at most \(most) of each, a map of 16 channels and tables of 128 values.",
                cure: "Make several connections.")
        }
        for index in parameters.sources.indices {
            parameters.sources[index] = try resolved(parameters.sources[index], isSource: true)
        }
        for index in parameters.destinations.indices {
            parameters.destinations[index] = try resolved(parameters.destinations[index], isSource: false)
        }
        return parameters
    }

    private func resolved(
        _ named: ThruParameters.Endpoint, isSource: Bool
    ) throws(HubFault) -> ThruParameters.Endpoint {
        guard named.id != 0 else { return named }
        let object = try endpoint(named.id, isSource: isSource)
        guard case .integer(let unique)? = object.properties[HubProperty.uniqueID] else { return named }
        return ThruParameters.Endpoint(id: named.id, uniqueID: unique)
    }

    /// The endpoint a connection means: by reference, or by unique ID once that is there.
    private func find(_ named: ThruParameters.Endpoint) -> HubID {
        objects[named.id] != nil ? named.id : uniqueIDs[named.uniqueID] ?? 0
    }

    /// Passes what a source has produced to the destinations of the thru connections it belongs to.
    mutating func passThru(_ packets: [MIDIWordPacket], from source: HubID, _ now: UInt64) {
        for index in thru.connections.indices
        where thru.connections[index].parameters.sources.contains(where: { find($0) == source }) {
            let passed = packets.map { packet in
                MIDIWordPacket(time: packet.time, words: thru.connections[index].processor.process(packet.words))
            }
            let connection = thru.connections[index]
            for named in connection.parameters.destinations {
                let sender = connection.id
                try? post(.words(passed, .midi1), to: find(named), sender: sender, now: now)
            }
        }
    }
}

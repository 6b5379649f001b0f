import OssicleCore

/// The thru connections of a hub, through which it passes messages on by itself.
struct ThruTable: Sendable {
    private struct Connection: Sendable {
        let id: HubID
        let owner: String?
        var parameters: ThruParameters
        var processor: ThruProcessor
    }

    /// Most sources, and most destinations, of one connection.
    static let mostEndpoints = 8

    /// As they were made.
    private var connections: [Connection] = []

    /// - Parameter parameters: from `resolve`.
    mutating func add(_ id: HubID, _ parameters: ThruParameters, owner: String?) {
        let processor = ThruProcessor(parameters)
        connections.append(Connection(id: id, owner: owner, parameters: parameters, processor: processor))
    }

    /// Returns the connection's owner, as `set` does.
    mutating func remove(_ id: HubID) throws(HubFault) -> String? { connections.remove(at: try index(id)).owner }

    func parameters(of id: HubID) throws(HubFault) -> ThruParameters { connections[try index(id)].parameters }

    mutating func set(
        _ parameters: ThruParameters, of id: HubID, in objects: HubObjects
    ) throws(HubFault) -> String? {
        let index = try index(id)
        connections[index].parameters = try ThruTable.resolve(parameters, in: objects)
        connections[index].processor = ThruProcessor(connections[index].parameters)
        return connections[index].owner
    }

    /// The connections of an owner, as they were made.
    func connections(of owner: String) -> [HubID] { connections.filter { $0.owner == owner }.map(\.id) }

    private func index(_ id: HubID) throws(HubFault) -> Int {
        guard let index = connections.firstIndex(where: { $0.id == id }) else {
            throw .noObject(id, .objectNotFound, "thru connection")
        }
        return index
    }

    /// What a source has produced, as it arrives at each destination of the connections that the source belongs to.
    mutating func pass(
        _ packets: [MIDIWordPacket], from source: HubID, in objects: HubObjects
    ) -> [(connection: HubID, destination: HubID, packets: [MIDIWordPacket])] {
        var passed: [(HubID, HubID, [MIDIWordPacket])] = []
        for index in connections.indices
        where connections[index].parameters.sources.contains(where: { $0.reference(in: objects) == source }) {
            let words = packets.map { packet in
                MIDIWordPacket(time: packet.time, words: connections[index].processor.process(packet.words))
            }
            for destination in connections[index].parameters.destinations {
                passed.append((connections[index].id, destination.reference(in: objects), words))
            }
        }
        return passed
    }
}

extension ThruTable {
    /// With unique IDs beside the references. An endpoint that is not there yet may be named by its unique ID.
    static func resolve(_ parameters: ThruParameters, in objects: HubObjects) throws(HubFault) -> ThruParameters {
        var parameters = parameters
        guard parameters.sources.count <= mostEndpoints, parameters.destinations.count <= mostEndpoints,
            parameters.channelMap.count == 16, parameters.maps.allSatisfy({ $0.count == 128 })
        else {
            throw HubFault(
                .badArgument, object: "MIDI thru connection",
                found: "has \(parameters.sources.count) sources, \(parameters.destinations.count) destinations",
                rule: "It has at most \(mostEndpoints) of each, a map of 16 channels and tables of 128 values.",
                cure: "Make several connections.")
        }
        for index in parameters.sources.indices {
            try parameters.sources[index].resolve(.source, in: objects)
        }
        for index in parameters.destinations.indices {
            try parameters.destinations[index].resolve(.destination, in: objects)
        }
        return parameters
    }
}

extension ThruParameters.Endpoint {
    fileprivate mutating func resolve(_ kind: HubKind, in objects: HubObjects) throws(HubFault) {
        guard id != 0 else { return }
        uniqueID = try objects.requireEndpoint(id, kind).integer(HubProperty.uniqueID) ?? uniqueID
    }

    /// The endpoint that is meant: by reference, or by unique ID once that is there; else 0.
    fileprivate func reference(in objects: HubObjects) -> HubID {
        objects[id] != nil ? id : objects.find(uniqueID: uniqueID) ?? 0
    }
}

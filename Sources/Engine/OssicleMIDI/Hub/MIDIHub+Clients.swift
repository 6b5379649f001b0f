// Clients, their ports, and the connections of ports.

import Dispatch
import OssicleCore

extension MIDIHub {
    /// Makes a client.
    /// - Parameter notify: called on a serial queue of the client's own, one notification after the other, until the
    ///   client is disposed of.
    package func createClient(
        name: String, notify: (@Sendable (HubNotification) -> Void)? = nil
    ) -> HubID {
        state.withLock { state in
            let id = state.add(
                HubObject(kind: .client, parent: 0, properties: [HubProperty.name: .string(name)]))
            let queue = DispatchQueue(label: "ossicle.midi.client.\(id)")
            state.clients[id] = HubClient(queue: queue, notify: notify)
            state.clientOrder.append(id)
            return id
        }
    }

    /// Disposes of a client, its ports and its virtual endpoints.
    package func disposeClient(_ client: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.object(client, .invalidClient, "client") { $0 == .client }
            for child in object.children { state.dispose(child) }
            _ = state.remove(client)
        }
    }

    package func createInputPort(
        client: HubID, name: String, form: MIDIForm, receive: @escaping MIDIReceiver
    ) throws(HubFault) -> HubID {
        let port = try createPort(client, name, .inputPort)
        state.withLock { $0.inputs[port] = HubInput(sink: HubSink(form: form, receive: receive)) }
        return port
    }

    package func createOutputPort(client: HubID, name: String) throws(HubFault) -> HubID {
        try createPort(client, name, .outputPort)
    }

    private func createPort(_ client: HubID, _ name: String, _ kind: HubKind) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(client, .invalidClient, "client") { $0 == .client }
            return state.add(HubObject(kind: kind, parent: client, properties: [HubProperty.name: .string(name)]))
        }
    }

    /// Disposes of a port and its connections. A call of its receiver may be under way.
    package func disposePort(_ port: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(port, .invalidPort, "port") { $0 == .inputPort || $0 == .outputPort }
            _ = state.remove(port)
        }
    }

    /// Connects an input port to a source; a second time only changes the context.
    package func connect(port: HubID, to source: HubID, context: UInt) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(port, .invalidPort, "port") { $0 == .inputPort }
            _ = try state.endpoint(source, isSource: true)
            guard var input = state.inputs[port] else { return }
            let connection = HubInput.Connection(
                source: source, context: context, converter: DeliveryConverter(form: input.sink.form))
            if let index = input.connections.firstIndex(where: { $0.source == source }) {
                input.connections[index] = connection
            } else {
                input.connections.append(connection)
                state.endpoints[source]?.listeners.append(port)
            }
            state.inputs[port] = input
        }
    }

    package func disconnect(port: HubID, from source: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(port, .invalidPort, "port") { $0 == .inputPort }
            _ = try state.endpoint(source, isSource: true)
            guard state.endpoints[source]?.listeners.contains(port) == true else {
                throw HubFault(
                    .noConnection, object: "MIDI port \(port)", found: "is not connected to source \(source)",
                    rule: "Only a connection that was made can be undone.", cure: "Connect the port first.")
            }
            state.endpoints[source]?.listeners.removeAll { $0 == port }
            state.inputs[port]?.connections.removeAll { $0.source == source }
        }
    }
}

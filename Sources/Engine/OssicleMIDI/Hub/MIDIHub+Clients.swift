// Clients, their ports and virtual endpoints, and the connections of ports.

import OssicleCore

extension MIDIHub {
    /// Makes a client.
    /// - Parameter notify: called on a serial queue of the client's own, one notification after the other, until the
    ///   client is disposed of.
    package func createClient(
        name: String, notify: (@Sendable (HubNotification) -> Void)? = nil
    ) -> HubID {
        state.withLock { state in
            let id = state.objects.add(.client, properties: [HubProperty.name: .string(name)])
            if let notify { state.clients.add(id, notify: notify) }
            return id
        }
    }

    /// Disposes of a client, its ports and its virtual endpoints.
    package func disposeClient(_ client: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(client, "client", else: .invalidClient) { $0 == .client }
            for child in object.children { state.dispose(child) }
            state.dispose(client)
        }
        releaseReceivers()
    }

    package func createInputPort(
        client: HubID, name: String, form: MIDIForm, receive: @escaping MIDIReceiver
    ) throws(HubFault) -> HubID {
        try create(.inputPort, client, [HubProperty.name: .string(name)]) { state, port in
            state.routes.addInput(port, HubSink(form: form, receive: receive))
        }
    }

    package func createOutputPort(client: HubID, name: String) throws(HubFault) -> HubID {
        try create(.outputPort, client, [HubProperty.name: .string(name)])
    }

    /// Makes a virtual source, which the client feeds by `receive(_:from:)`.
    package func createSource(client: HubID, name: String, protocol: MIDIProtocol) throws(HubFault) -> HubID {
        try createEndpoint(.source, client, name, `protocol`, nil)
    }

    /// Makes a virtual destination.
    /// - Parameter receive: called with what other clients send, on the thread that delivers.
    package func createDestination(
        client: HubID, name: String, form: MIDIForm, receive: @escaping MIDIReceiver
    ) throws(HubFault) -> HubID {
        let spoken: MIDIProtocol = if case .words(let wanted) = form { wanted } else { .midi1 }
        return try createEndpoint(.destination, client, name, spoken, HubSink(form: form, receive: receive))
    }

    private func createEndpoint(
        _ kind: HubKind, _ client: HubID, _ name: String, _ spoken: MIDIProtocol, _ sink: HubSink?
    ) throws(HubFault) -> HubID {
        let properties: [String: HubValue] = [
            HubProperty.name: .string(name), HubProperty.protocolID: .integer(spoken.rawValue),
        ]
        return try create(kind, client, properties) { state, id in
            state.routes.addEndpoint(id, sink)
            state.setup.add(id, kind)
            state.notifyAdded(id)
        }
    }

    private func create(
        _ kind: HubKind, _ client: HubID, _ properties: [String: HubValue],
        _ install: (inout HubState, HubID) -> Void = { _, _ in }
    ) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(client, "client", else: .invalidClient) { $0 == .client }
            let id = state.objects.add(kind, parent: client, properties: properties)
            install(&state, id)
            return id
        }
    }

    /// Disposes of a port and its connections. A call of its receiver may be under way.
    package func disposePort(_ port: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(port, "port", else: .invalidPort) { $0 == .inputPort || $0 == .outputPort }
            state.dispose(port)
        }
        releaseReceivers()
    }

    /// Disposes of a virtual endpoint and its connections.
    package func disposeEndpoint(_ endpoint: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let object = try state.objects.require(endpoint, "endpoint", else: .unknownEndpoint) { $0.isEndpoint }
            guard state.objects[object.parent]?.kind == .client else {
                throw HubFault(
                    .notPermitted, object: "MIDI endpoint \(endpoint)", found: "belongs to a device",
                    rule: "Only virtual endpoints can be disposed of.",
                    cure: "Remove the device or entity, or change the number of its endpoints.")
            }
            state.dispose(endpoint)
        }
        releaseReceivers()
    }

    /// To be called without the lock after something was disposed of: a receiver may be the last that holds an object
    /// of the client's, whose end calls the hub.
    func releaseReceivers() { withExtendedLifetime(state.withLock { $0.takeReleased() }) {} }

    /// Connects an input port to a source; a second time only changes the context.
    package func connect(port: HubID, to source: HubID, context: UInt) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(port, "port", else: .invalidPort) { $0 == .inputPort }
            _ = try state.objects.requireEndpoint(source, .source)
            state.routes.connect(port, to: source, context: context)
        }
    }

    package func disconnect(port: HubID, from source: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(port, "port", else: .invalidPort) { $0 == .inputPort }
            _ = try state.objects.requireEndpoint(source, .source)
            guard state.routes.disconnect(port, from: source) else {
                throw HubFault(
                    .noConnection, object: "MIDI port \(port)", found: "is not connected to source \(source)",
                    rule: "Only a connection that was made can be undone.", cure: "Connect the port first.")
            }
        }
    }
}

import OssicleCore

/// Where messages end: a client's block, or a device.
struct HubSink: Sendable {
    let form: MIDIForm
    let receive: MIDIReceiver
}

/// Who receives from whom, and what messages leave open on their way: the connections of input ports to sources, the
/// receivers of destinations, and a converter and a parser for each pair of sender and receiver.
struct HubRoutes: Sendable {
    /// An input port and what it is connected to.
    private struct Input: Sendable {
        struct Connection: Sendable {
            let source: HubID
            let context: UInt
            var converter: DeliveryConverter
        }

        let sink: HubSink
        var connections: [Connection] = []
    }

    private struct Endpoint: Sendable {
        /// A destination's receiver; `nil` at sources and at endpoints of devices without a driver.
        var sink: HubSink?
        /// At a destination, for each sender; 0 is one without a port.
        var converters: [HubID: DeliveryConverter] = [:]
        /// Bytes of senders that are no whole messages yet; at a source with the key 0.
        var parsers: [HubID: ByteStreamToPackets] = [:]
        /// Input ports connected to a source, in the order in which they were connected.
        var listeners: [HubID] = []
    }

    private var inputs: [HubID: Input] = [:]
    private var endpoints: [HubID: Endpoint] = [:]

    mutating func addInput(_ port: HubID, _ sink: HubSink) { inputs[port] = Input(sink: sink) }

    mutating func addEndpoint(_ id: HubID, _ sink: HubSink? = nil) { endpoints[id] = Endpoint(sink: sink) }

    mutating func attach(_ sink: HubSink, to destination: HubID) { endpoints[destination]?.sink = sink }

    /// Connects an input port to a source; a second time only changes the context.
    mutating func connect(_ port: HubID, to source: HubID, context: UInt) {
        guard var input = inputs[port] else { return }
        let connection = Input.Connection(
            source: source, context: context, converter: DeliveryConverter(form: input.sink.form))
        if let index = input.connections.firstIndex(where: { $0.source == source }) {
            input.connections[index] = connection
        } else {
            input.connections.append(connection)
            endpoints[source]?.listeners.append(port)
        }
        inputs[port] = input
    }

    /// False where there was no connection.
    mutating func disconnect(_ port: HubID, from source: HubID) -> Bool {
        guard endpoints[source]?.listeners.contains(port) == true else { return false }
        endpoints[source]?.listeners.removeAll { $0 == port }
        inputs[port]?.connections.removeAll { $0.source == source }
        return true
    }

    /// The input ports that a source's messages go to.
    func listeners(of source: HubID) -> [HubID] { endpoints[source]?.listeners ?? [] }

    /// Forgets a port, thru connection or endpoint that is gone.
    /// - Returns: its receiver.
    mutating func remove(_ id: HubID) -> HubSink? {
        let (input, gone) = (inputs.removeValue(forKey: id), endpoints.removeValue(forKey: id))
        for connection in input?.connections ?? [] {
            endpoints[connection.source]?.listeners.removeAll { $0 == id }
        }
        for port in gone?.listeners ?? [] {
            inputs[port]?.connections.removeAll { $0.source == id }
        }
        for endpoint in endpoints.keys.sorted() {
            endpoints[endpoint]?.parsers[id] = nil
            endpoints[endpoint]?.converters[id] = nil
        }
        return input?.sink ?? gone?.sink
    }
}

extension HubRoutes {
    /// Packets as words; bytes of a message that is not whole wait at the endpoint.
    mutating func words(
        of packets: MIDIPackets, at endpoint: HubID, sender: HubID
    ) -> [MIDIWordPacket] {
        switch packets {
        case .words(let packets, _): return packets.filter { !$0.words.isEmpty }
        case .bytes(let packets):
            var parser = endpoints[endpoint]?.parsers[sender] ?? ByteStreamToPackets()
            let words = packets.map { MIDIWordPacket(time: $0.time, words: parser.words(of: $0.bytes)) }
            endpoints[endpoint]?.parsers[sender] = parser
            return words.filter { !$0.words.isEmpty }
        }
    }

    /// The receiver's call for packets at a destination.
    mutating func delivery(
        of packets: [MIDIWordPacket], to destination: HubID, from sender: HubID
    ) -> [@Sendable () -> Void] {
        guard let sink = endpoints[destination]?.sink else { return [] }
        let fresh = DeliveryConverter(form: sink.form)
        guard let converted = endpoints[destination]?.converters[sender, default: fresh].convert(packets) else {
            return []
        }
        return [{ sink.receive(converted, 0) }]
    }

    /// The calls for packets of a source, in the order of connection.
    mutating func distribution(of packets: [MIDIWordPacket], from source: HubID) -> [@Sendable () -> Void] {
        var calls: [@Sendable () -> Void] = []
        for port in listeners(of: source) {
            guard let index = inputs[port]?.connections.firstIndex(where: { $0.source == source }),
                let sink = inputs[port]?.sink,
                let converted = inputs[port]?.connections[index].converter.convert(packets),
                let context = inputs[port]?.connections[index].context
            else { continue }
            calls.append { sink.receive(converted, context) }
        }
        return calls
    }
}

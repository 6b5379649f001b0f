// The way of messages: from sources to ports and thru connections, from ports to destinations.

import OssicleCore

extension MIDIHub {
    /// Sends packets through an output port. Those of a time to come wait for it; 0 and what is over is sent now.
    ///
    /// A destination with the property `advanceScheduleTime` gets them so much earlier, with their own times. Packets of
    /// one time keep their order.
    package func send(_ packets: MIDIPackets, port: HubID, to destination: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.object(port, .invalidPort, "port") { $0 == .outputPort }
            try state.post(packets, to: destination, sender: port, now: now(state))
        }
        deliverSoon()
    }

    /// Sends words at a host time (0: now) to a destination without a port of one's own: for sequences and other
    /// senders in the engine.
    package func send(
        _ words: [UInt32], protocol: MIDIProtocol, at time: UInt64, to destination: HubID
    ) throws(HubFault) {
        try post(.words([MIDIWordPacket(time: time, words: words)], `protocol`), to: destination)
    }

    /// Sends bytes at a host time (0: now) to a destination without a port of one's own.
    package func send(_ bytes: [UInt8], at time: UInt64, to destination: HubID) throws(HubFault) {
        try post(.bytes([MIDIBytePacket(time: time, bytes: bytes)]), to: destination)
    }

    private func post(_ packets: MIDIPackets, to destination: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            try state.post(packets, to: destination, sender: 0, now: now(state))
        }
        deliverSoon()
    }

    /// Distributes what a source has produced, at once, to all ports connected to it. The times say when it happened; 0
    /// becomes the time of the call.
    package func receive(_ packets: MIDIPackets, from source: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.endpoint(source, isSource: true)
            let now = now(state)
            let words = state.words(packets, at: source, sender: 0).map { packet in
                MIDIWordPacket(time: packet.time == 0 ? now : packet.time, words: packet.words)
            }
            guard !words.isEmpty else { return }
            state.queue.add(.distribute(words, from: source), at: now)
        }
        deliverSoon()
    }

    /// Drops what waits to be sent to `destination`; to all of them for 0.
    package func flush(_ destination: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            guard destination != 0 else { return state.queue.removeDeliveries(to: nil) }
            _ = try state.endpoint(destination, isSource: false)
            state.queue.removeDeliveries(to: destination)
        }
    }
}

extension HubState {
    /// Puts packets into the queue, together where they are due now.
    mutating func post(_ packets: MIDIPackets, to destination: HubID, sender: HubID, now: UInt64) throws(HubFault) {
        let target = try endpoint(destination, isSource: false)
        let advance = microseconds(target) * 1000
        var due: [MIDIWordPacket] = []
        for packet in words(packets, at: destination, sender: sender) {
            let isNow = packet.time <= now + min(advance, UInt64.max - now)
            if isNow {
                due.append(MIDIWordPacket(time: packet.time == 0 ? now : packet.time, words: packet.words))
            } else {
                queue.add(.deliver([packet], to: destination, from: sender), at: packet.time - advance)
            }
        }
        if !due.isEmpty { queue.add(.deliver(due, to: destination, from: sender), at: now) }
    }

    private func microseconds(_ object: HubObject) -> UInt64 {
        guard case .integer(let value)? = inherited(HubProperty.advanceScheduleTime, of: object) else { return 0 }
        return UInt64(max(value, 0))
    }

    /// Packets as words; bytes of a message that is not whole wait at the endpoint.
    mutating func words(_ packets: MIDIPackets, at endpoint: HubID, sender: HubID) -> [MIDIWordPacket] {
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
        _ packets: [MIDIWordPacket], to destination: HubID, from sender: HubID
    ) -> [@Sendable () -> Void] {
        guard let sink = endpoints[destination]?.sink else { return [] }
        let fresh = DeliveryConverter(form: sink.form)
        guard let converted = endpoints[destination]?.converters[sender, default: fresh].convert(packets) else {
            return []
        }
        return [{ sink.receive(converted, 0) }]
    }

    /// The calls for packets of a source: its ports in the order of connection, then the destinations of thru
    /// connections.
    mutating func distribution(
        _ packets: [MIDIWordPacket], from source: HubID, _ now: UInt64
    ) -> [@Sendable () -> Void] {
        var calls: [@Sendable () -> Void] = []
        for port in endpoints[source]?.listeners ?? [] {
            guard let index = inputs[port]?.connections.firstIndex(where: { $0.source == source }),
                let sink = inputs[port]?.sink,
                let converted = inputs[port]?.connections[index].converter.convert(packets),
                let context = inputs[port]?.connections[index].context
            else { continue }
            calls.append { sink.receive(converted, context) }
        }
        passThru(packets, from: source, now)
        return calls
    }
}

// The way of messages: from sources to ports and thru connections, from ports to destinations.

import OssicleCore

extension MIDIHub {
    /// Sends packets through an output port. Those of a time to come wait for it; 0 and what is over is sent now.
    ///
    /// A destination with the property `advanceScheduleTime` gets them so much earlier, with their own times. Packets
    /// of one time keep their order.
    package func send(_ packets: MIDIPackets, port: HubID, to destination: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            _ = try state.objects.require(port, "port", else: .invalidPort) { $0 == .outputPort }
            try state.post(packets, to: destination, sender: port)
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
            try state.post(packets, to: destination, sender: 0)
        }
        deliverSoon()
    }

    /// Distributes what a source has produced, at once, to all ports connected to it. The times say when it happened; 0
    /// becomes the time of the call.
    package func receive(_ packets: MIDIPackets, from source: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in try state.distribute(packets, from: source) }
        deliverSoon()
    }

    /// Drops what waits to be sent to `destination`; to all of them for 0.
    package func flush(_ destination: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            if destination != 0 { _ = try state.objects.requireEndpoint(destination, .destination) }
            state.schedule.queue.removeDeliveries(to: destination == 0 ? nil : destination)
        }
    }
}

/// Bytes of a long system exclusive message, which are sent one piece after the other while the program does other
/// things. Called on the thread that delivers.
package struct SysExRequest: Sendable {
    /// The next bytes, at most so many; empty when there are no more, or when the sending is to stop.
    package let next: @Sendable (_ most: Int) -> [UInt8]
    /// Called once, at the end, however it came.
    package let completed: @Sendable () -> Void

    /// Most bytes of one piece.
    fileprivate static let piece = 256

    package init(next: @escaping @Sendable (_ most: Int) -> [UInt8], completed: @escaping @Sendable () -> Void) {
        self.next = next
        self.completed = completed
    }
}

extension MIDIHub {
    /// Sends a request to a destination no faster than its property `maxSysExSpeed` says, in bytes a second; without
    /// one a virtual destination gets all pieces at once, and a device 3125 bytes a second, as MIDI 1.0 cables carry
    /// them. Ends early where the destination goes.
    package func send(_ request: SysExRequest, to destination: HubID) throws(HubFault) {
        let speed = try state.withLock { (state) throws(HubFault) -> Double? in
            let object = try state.objects.requireEndpoint(destination, .destination)
            if case .integer(let speed)? = state.objects.value(HubProperty.maxSysExSpeed, of: object), speed > 0 {
                return Double(speed)
            }
            return state.objects[object.parent]?.kind == .client ? nil : 3125.0
        }
        schedule(at: now) { [weak self] in self?.sendPiece(request, to: destination, speed: speed) }
    }

    private func sendPiece(_ request: SysExRequest, to destination: HubID, speed: Double?) {
        let bytes = request.next(SysExRequest.piece)
        guard !bytes.isEmpty, (try? send(bytes, at: 0, to: destination)) != nil else { return request.completed() }
        let pause = speed.map { UInt64(1e9 * Double(bytes.count) / $0) } ?? 0
        schedule(at: now + pause) { [weak self] in self?.sendPiece(request, to: destination, speed: speed) }
    }

    /// Runs `action` at `time`, on the thread that delivers.
    private func schedule(at time: UInt64, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.schedule.queue.add(.call(action), at: time) }
        deliverSoon()
    }
}

extension MIDIHub {
    /// Makes a thru connection. - Parameter owner: a name to find it by; it stays for as long as the process does.
    package func createThru(_ parameters: ThruParameters, owner: String?) throws(HubFault) -> HubID {
        try state.withLock { (state) throws(HubFault) in
            let resolved = try ThruTable.resolve(parameters, in: state.objects)
            let id = state.objects.add(.thruConnection)
            state.thru.add(id, resolved, owner: owner)
            state.notifyThru(of: owner)
            return id
        }
    }

    package func disposeThru(_ connection: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            let owner = try state.thru.remove(connection)
            state.dispose(connection)
            state.notifyThru(of: owner)
        }
    }

    package func thruParameters(of connection: HubID) throws(HubFault) -> ThruParameters {
        try state.withLock { (state) throws(HubFault) in try state.thru.parameters(of: connection) }
    }

    package func setThruParameters(_ parameters: ThruParameters, of connection: HubID) throws(HubFault) {
        try state.withLock { (state) throws(HubFault) in
            state.notifyThru(of: try state.thru.set(parameters, of: connection, in: state.objects))
        }
    }

    /// The connections of an owner, as they were made.
    package func thruConnections(of owner: String) -> [HubID] { state.withLock { $0.thru.connections(of: owner) } }
}

extension HubState {
    /// Connections without an owner belong to one client; others do not learn of them.
    fileprivate func notifyThru(of owner: String?) { if owner != nil { clients.notify(.thruConnectionsChanged) } }
}

import OssicleCore
import OssicleMIDINetwork
import Synchronization

/// A network session as a device of a hub with one source and one destination: what ends send comes out of the source,
/// and what is sent to the destination goes to all of them.
package final class NetworkEndpoints: Sendable {
    /// What ends do. On the session's thread.
    package enum Change: Sendable {
        case connected(SessionPeerInfo)
        case disconnected(SessionPeerInfo)
        case refused(NetworkAddress)
    }

    package let source: HubID
    package let destination: HubID
    private let hub: MIDIHub
    private let session = Mutex<NetworkSession?>(nil)

    /// Makes the device, which is offline until `open`.
    package init(at hub: MIDIHub, name: String) throws(HubFault) {
        self.hub = hub
        let device = hub.createDevice(name: "Network", manufacturer: "", model: "RTP MIDI", isExternal: false)
        try hub.setInSetup(device, true, isExternal: false)
        try hub.setProperty(HubProperty.driver, of: device, to: .string("RTP MIDI"))
        try hub.setProperty(HubProperty.offline, of: device, to: .integer(1))
        let entity = try hub.addEntity(
            to: device, name: name, protocol: .midi1, isEmbedded: false, sources: 1, destinations: 1)
        let ends = hub.children(of: entity) { $0.isEndpoint }
        guard ends.count == 2 else { throw .noObject(entity, .objectNotFound, "entity with two endpoints") }
        (source, destination) = (ends[0], ends[1])
        self.device = device
        try hub.attach(destination, form: .bytes) { [weak self] packets, _ in
            guard case .bytes(let list) = packets, let session = self?.current else { return }
            for packet in list { session.send(packet.bytes, at: packet.time) }
        }
    }

    private let device: HubID

    /// The session while it is open.
    package var current: NetworkSession? { session.withLock { $0 } }

    /// Opens the ports and lets ends in that `accepts` takes. Closes what was open before.
    package func open(
        name: String, address: NetworkAddress, seed: UInt64,
        accepts: @escaping @Sendable (SessionPeerInfo) -> Bool, changes: @escaping @Sendable (Change) -> Void
    ) throws(NetworkSessionError) {
        close()
        let (hub, source) = (hub, source)
        let session = try NetworkSession(name: name, address: address, seed: seed, accepts: accepts) { event in
            switch event {
            case .connected(let peer): changes(.connected(peer))
            case .disconnected(let peer): changes(.disconnected(peer))
            case .refused(let address): changes(.refused(address))
            case .received(let bytes, let time):
                try? hub.receive(.bytes([MIDIBytePacket(time: time, bytes: bytes)]), from: source)
            }
        }
        self.session.withLock { $0 = session }
        session.start()
        try? hub.setProperty(HubProperty.offline, of: device, to: .integer(0))
    }

    /// Ends all connections and frees the ports.
    package func close() {
        let open = session.withLock { session in
            defer { session = nil }
            return session
        }
        guard let open else { return }
        open.stop()
        try? hub.setProperty(HubProperty.offline, of: device, to: .integer(1))
    }
}

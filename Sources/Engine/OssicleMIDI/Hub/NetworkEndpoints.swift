import OssicleCore
import OssicleMIDINetwork
import Synchronization

/// A network session as a device of a hub with one source and one destination: what ends send comes out of the source,
/// and what is sent to the destination goes to all of them.
package final class NetworkEndpoints: Sendable {
    /// What ends do, on the session's thread.
    package enum Change: Sendable {
        case connected(SessionPeerInfo)
        case disconnected(SessionPeerInfo)
        case refused(NetworkAddress)
        /// A session came into reach by Bonjour, or went. On a queue of its own.
        case services
    }

    private struct Open: Sendable {
        let session: NetworkSession
        let directory: BonjourDirectory?
    }

    package let source: HubID
    package let destination: HubID
    private let hub: MIDIHub
    private let state = Mutex<Open?>(nil)

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
    package var current: NetworkSession? { state.withLock { $0?.session } }
    /// Sessions that others announce by Bonjour; none while the session is closed or where no Avahi runs.
    package var services: [BonjourService: NetworkAddress] { state.withLock { $0?.directory }?.services ?? [:] }

    /// Opens the ports, lets ends in that `accepts` takes, and announces the session by Bonjour where Avahi runs.
    /// Closes what was open before.
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
        let control = NetworkAddress(host: address.host, port: UInt16(session.port))
        let directory = BonjourDirectory(announcing: name, at: control) { changes(.services) }
        state.withLock { $0 = Open(session: session, directory: directory) }
        session.start()
        try? hub.setProperty(HubProperty.offline, of: device, to: .integer(0))
    }

    /// Ends all connections and frees the ports.
    package func close() {
        let open = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard let open else { return }
        open.directory?.stop()
        open.session.stop()
        try? hub.setProperty(HubProperty.offline, of: device, to: .integer(1))
    }
}

import OssicleCoreAudioTypes
import OssicleMIDI
import OssicleMIDINetwork
import Synchronization

/// MIDI over the network (RTP MIDI): the one session of the process, with a source and a destination that all of its
/// connections share.
///
/// The session is off at first, listens on this machine only (see `listeningAddress`, an addition), and lets no host
/// connect (`connectionPolicy`). While it is on, Bonjour announces it by `networkName` where Avahi's daemon runs. Any
/// thread may call; notifications are posted on the session's own.
public final class MIDINetworkSession: NSObject, @unchecked Sendable {
    struct Content {
        var isEnabled = false
        var policy = MIDINetworkConnectionPolicy.noOne
        var contacts: Set<MIDINetworkHost> = []
        /// By the address of the other end.
        var hosts: [NetworkAddress: MIDINetworkHost] = [:]
        /// To be connected to once their services are found.
        var awaited: [BonjourService: MIDINetworkHost] = [:]
        var listeningAddress = "127.0.0.1"
        var listeningPort = 0
        var lastError: (any Error)?
    }

    private static let only = MIDINetworkSession()
    private let lock = NSRecursiveLock()
    private var content = Content()
    private let endpoints = try? NetworkEndpoints(at: .shared, name: "Session 1")

    private override init() { super.init() }

    /// The session of the process.
    public class func `default`() -> MIDINetworkSession { only }

    func withContent<Result>(_ body: (inout Content) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&content)
    }

    /// Whether the session has its ports. Setting it opens or closes them; where they cannot be opened it stays false
    /// and `lastError` (an addition) says why.
    public var isEnabled: Bool {
        get { withContent { $0.isEnabled } }
        set {
            guard newValue != isEnabled else { return }
            if newValue { open() } else { close() }
            post(MIDINetworkNotificationSessionDidChange)
        }
    }

    private func open() {
        let (address, port) = withContent { ($0.listeningAddress, $0.listeningPort) }
        let result = Result {
            guard let local = NetworkAddress(address, port: port) else {
                throw NetworkSessionError(
                    call: "\"\(address)\"", address: NetworkAddress(host: 0, port: 0), code: EADDRNOTAVAIL)
            }
            try endpoints?.open(
                name: networkName, address: local, seed: mach_absolute_time(),
                accepts: { [weak self] peer in
                    self?.accepts(peer) ?? false
                }, changes: { [weak self] in self?.take($0) })
        }
        withContent { content in
            switch result {
            case .success: content.isEnabled = true
            case .failure(let error): content.lastError = error
            }
        }
    }

    private func close() {
        endpoints?.close()
        withContent { content in
            content.isEnabled = false
            content.hosts = [:]
            content.awaited = [:]
        }
    }

    /// The control port, 0 while the session is off; data is one higher.
    public var networkPort: Int { endpoints?.current?.port ?? 0 }
    /// The name that other ends see.
    public var networkName: String {
        var name = [UInt8](repeating: 0, count: 256)
        // The last byte stays 0, as a longer name is cut without one.
        name.withUnsafeMutableBytes { bytes in
            guard let place = bytes.bindMemory(to: CChar.self).baseAddress else { return }
            _ = gethostname(place, 255)
        }
        let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? "localhost" : text
    }
    /// The name of the session on this machine.
    public var localName: String { "Session 1" }

    /// Who may connect; no host at first.
    public var connectionPolicy: MIDINetworkConnectionPolicy {
        get { withContent { $0.policy } }
        set { withContent { $0.policy = newValue } }
    }

    private func accepts(_ peer: SessionPeerInfo) -> Bool {
        let services = services
        return withContent { content in
            switch content.policy {
            case .noOne: false
            case .anyone: true
            case .hostsInContactList:
                content.contacts.contains { address(of: $0, among: services)?.host == peer.address.host }
            }
        }
    }

    /// Sessions of others in reach.
    var services: [BonjourService: NetworkAddress] { endpoints?.services ?? [:] }

    private func address(
        of host: MIDINetworkHost, among services: [BonjourService: NetworkAddress]
    ) -> NetworkAddress? {
        host.networkAddress ?? host.service.flatMap { services[$0] }
    }

    /// Hosts that the user knows.
    public func contacts() -> Set<MIDINetworkHost> { withContent { $0.contacts } }

    /// Adds a host; false where it is there already.
    @discardableResult
    public func addContact(_ contact: MIDINetworkHost) -> Bool {
        let isNew = withContent { $0.contacts.insert(contact).inserted }
        if isNew { post(MIDINetworkNotificationContactsDidChange) }
        return isNew
    }

    /// Removes a host; false where it is not there.
    @discardableResult
    public func removeContact(_ contact: MIDINetworkHost) -> Bool {
        let wasThere = withContent { $0.contacts.remove(contact) != nil }
        if wasThere { post(MIDINetworkNotificationContactsDidChange) }
        return wasThere
    }

    /// Connections there are now.
    public func connections() -> Set<MIDINetworkConnection> {
        let peers = endpoints?.current?.peers ?? []
        return withContent { content in
            Set(peers.map { MIDINetworkConnection(host: content.hosts[$0.address] ?? MIDINetworkHost($0)) })
        }
    }

    /// Invites a host; the connection is listed, and `MIDINetworkNotificationSessionDidChange` posted, when it has
    /// accepted. A host known by its Bonjour service is invited when the service has been found. False while the
    /// session is off, for an address that is none, and for a host that is invited or connected already.
    @discardableResult
    public func addConnection(_ connection: MIDINetworkConnection) -> Bool {
        guard let session = endpoints?.current else { return false }
        let host = connection.host
        if let address = address(of: host, among: services) {
            withContent { $0.hosts[address] = host }
            return session.connect(to: address)
        }
        guard let service = host.service,
            withContent({ $0.awaited.updateValue(host, forKey: service) }) == nil
        else { return false }
        // It may have come in between.
        connectToAwaited()
        return true
    }

    /// Ends a connection, or the search for its host; false where there is none.
    @discardableResult
    public func removeConnection(_ connection: MIDINetworkConnection) -> Bool {
        let host = connection.host
        if let service = host.service, withContent({ $0.awaited.removeValue(forKey: service) }) != nil { return true }
        let listed = withContent { $0.hosts.first { $0.value.hasSameAddress(as: host) }?.key }
        guard let session = endpoints?.current, let address = host.networkAddress ?? listed,
            session.disconnect(from: address)
        else { return false }
        withContent { $0.hosts[address] = nil }
        post(MIDINetworkNotificationSessionDidChange)
        return true
    }

    private func connectToAwaited() {
        let services = services
        let found = withContent { content in
            content.awaited.filter { services[$0.key] != nil }.map { service, host in
                content.awaited[service] = nil
                return host
            }
        }
        for host in found { addConnection(MIDINetworkConnection(host: host)) }
    }

    /// The source out of which comes what all ends send.
    public func sourceEndpoint() -> MIDIEndpointRef { endpoints?.source ?? 0 }
    /// The destination whose messages go to all ends.
    public func destinationEndpoint() -> MIDIEndpointRef { endpoints?.destination ?? 0 }

    private func take(_ change: NetworkEndpoints.Change) {
        switch change {
        case .connected: break
        case .disconnected(let peer): withContent { $0.hosts[peer.address] = nil }
        case .refused(let address): withContent { $0.hosts[address] = nil }
        case .services: connectToAwaited()
        }
        post(MIDINetworkNotificationSessionDidChange)
    }

    private func post(_ name: String) {
        NotificationCenter.default.post(name: NSNotification.Name(name), object: self)
    }
}

extension MIDINetworkHost {
    fileprivate convenience init(_ peer: SessionPeerInfo) {
        self.init(name: peer.name, address: peer.address.hostText, port: Int(peer.address.port))
    }
}

// Ends of network sessions.

import OssicleCoreAudioTypes
import OssicleMIDINetwork

/// The type of Bonjour services that network sessions announce.
public let MIDINetworkBonjourServiceType = "_apple-midi._udp"
/// Posted when the list of contacts has changed; the object is the session.
public let MIDINetworkNotificationContactsDidChange = "MIDINetworkNotificationContactsDidChange"
/// Posted when the session was switched, or a connection came or went; the object is the session.
public let MIDINetworkNotificationSessionDidChange = "MIDINetworkNotificationSessionDidChange"

/// Who may connect to a session.
public enum MIDINetworkConnectionPolicy: UInt, Sendable {
    /// No host; connections are made from here only.
    case noOne = 0
    /// Hosts with the address of a contact.
    case hostsInContactList = 1
    /// Every host that reaches the session's address.
    case anyone = 2
}

/// A host with a network session, by its address or by its Bonjour service. Two hosts are equal where name, address and
/// service are.
public final class MIDINetworkHost: NSObject, @unchecked Sendable {
    /// For people.
    public let name: String
    /// An address, such as "192.168.1.20", "::1" or "fe80::1%eth0", or "localhost"; empty for a host known by its
    /// service.
    public let address: String
    /// Of the control protocol; 0 for a host known by its service.
    public let port: Int
    /// Name of the Bonjour service.
    public let netServiceName: String?
    /// Domain of the Bonjour service.
    public let netServiceDomain: String?

    private init(_ name: String, _ address: String, _ port: Int, service: String?, domain: String?) {
        self.name = name
        self.address = address
        self.port = port
        netServiceName = service
        netServiceDomain = domain
    }

    /// A host with an address.
    public convenience init(name: String, address: String, port: Int) {
        self.init(name, address, port, service: nil, domain: nil)
    }

    /// A host with a Bonjour service, which a session that is enabled looks for through Avahi.
    public convenience init(name: String, netServiceName: String, netServiceDomain: String) {
        self.init(name, "", 0, service: netServiceName, domain: netServiceDomain)
    }

    /// Whether address and port, or the service, are the same.
    public func hasSameAddress(as other: MIDINetworkHost) -> Bool {
        address == other.address && port == other.port && netServiceName == other.netServiceName
            && netServiceDomain == other.netServiceDomain
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MIDINetworkHost else { return false }
        return name == other.name && hasSameAddress(as: other)
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(address)
        hasher.combine(port)
        hasher.combine(netServiceName)
        return hasher.finalize()
    }

    /// `nil` for a host known by its service, and for one with a name that is no address.
    var networkAddress: NetworkAddress? { port > 0 ? NetworkAddress(address, port: port) : nil }

    var service: BonjourService? {
        netServiceName.map {
            BonjourService(name: $0, domain: netServiceDomain.flatMap { $0.isEmpty ? nil : $0 } ?? "local")
        }
    }
}

/// A connection of a session with a host. Two are equal where their hosts are.
public final class MIDINetworkConnection: NSObject, @unchecked Sendable {
    /// The other end.
    public let host: MIDINetworkHost

    private init(to host: MIDINetworkHost) { self.host = host }

    /// A connection to be made by `MIDINetworkSession.addConnection(_:)`.
    public convenience init(host: MIDINetworkHost) { self.init(to: host) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? MIDINetworkConnection).map { $0.host == host } ?? false
    }

    public override var hash: Int { host.hash }
}

import CAvahi
import Foundation
import Synchronization

/// A session as Bonjour names it (DNS-SD, RFC 6763).
package struct BonjourService: Hashable, Sendable {
    package let name: String
    /// Without a dot at its end.
    package let domain: String

    package init(name: String, domain: String) {
        self.name = name
        self.domain = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
    }
}

/// Announces a session by Bonjour and lists the sessions that others announce, through the daemon of Avahi.
///
/// A daemon that starts later, or again, is found; without the library or a system bus there is no directory. IPv4 only.
/// Everything but `found` belongs to Avahi's thread while that runs.
package final class BonjourDirectory: @unchecked Sendable {
    /// The type of the services.
    package static let type = "_apple-midi._udp"
    /// Names are tried with numbers behind them up to this one.
    private static let mostNames = 100

    private let poll: OpaquePointer
    private let interface: Int32
    private let port: UInt16
    private var name: String
    private let changes: @Sendable () -> Void
    private let reports = DispatchQueue(label: "ossicle.midi.bonjour")
    private var client: OpaquePointer?
    private var isConnecting = false
    private var group: OpaquePointer?
    private var isBrowsing = false
    /// By the interface through which they were found.
    private let found = Mutex<[BonjourService: [Int32: NetworkAddress]]>([:])

    /// - Parameters:
    ///   - name: of the session; where another one has it, a number follows.
    ///   - address: of the session's control port. At 0.0.0.0 it is announced through every interface, else through the one
    ///     that has the address.
    ///   - changes: called on a queue of its own when a session came or went.
    package init?(announcing name: String, at address: NetworkAddress, changes: @escaping @Sendable () -> Void) {
        guard ossicle_load_avahi(), let poll = avahi_threaded_poll_new() else { return nil }
        self.poll = poll
        self.name = name
        self.changes = changes
        port = address.port
        interface = BonjourDirectory.interface(of: address.host)
        connect()
        guard client != nil, avahi_threaded_poll_start(poll) == 0 else {
            free()
            return nil
        }
    }

    /// Sessions of others, with the addresses of their control ports.
    package var services: [BonjourService: NetworkAddress] {
        found.withLock { $0.compactMapValues { found in found.min { $0.key < $1.key }?.value } }
    }

    /// Withdraws the announcement and ends the thread. Once, and not from Avahi's thread.
    package func stop() {
        avahi_threaded_poll_stop(poll)
        free()
    }

    private func free() {
        // Frees what was made with it.
        if let client { avahi_client_free(client) }
        avahi_threaded_poll_free(poll)
    }

    private static func interface(of address: NetworkHost) -> Int32 {
        if address.scope != 0 { return Int32(clamping: address.scope) }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard let host = address.ipv4, host != 0, getifaddrs(&first) == 0 else {
            return Int32(OSSICLE_AVAHI_ANY_INTERFACE)
        }
        defer { freeifaddrs(first) }
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            let own = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
            if UInt32(bigEndian: own) == host { return Int32(if_nametoindex(entry.pointee.ifa_name)) }
        }
        return Int32(OSSICLE_AVAHI_ANY_INTERFACE)
    }

    // On Avahi's thread.

    private static func at(_ data: UnsafeMutableRawPointer?) -> BonjourDirectory? {
        data.map { Unmanaged<BonjourDirectory>.fromOpaque($0).takeUnretainedValue() }
    }

    private var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func connect() {
        isConnecting = true
        client = avahi_client_new(
            avahi_threaded_poll_get(poll), Int32(OSSICLE_AVAHI_NO_FAIL),
            { client, state, data in BonjourDirectory.at(data)?.take(client, state) }, data, nil)
        isConnecting = false
    }

    private func take(_ client: OpaquePointer?, _ state: Int32) {
        self.client = client
        switch state {
        case Int32(OSSICLE_AVAHI_RUNNING):
            announce()
            browse()
        case Int32(OSSICLE_AVAHI_FAILURE):
            // While the client is made, Avahi frees it itself.
            guard !isConnecting else { return }
            avahi_client_free(client)
            (group, isBrowsing) = (nil, false)
            found.withLock { $0 = [:] }
            report()
            connect()
        default:
            // The machine has no name at the moment: what was announced under it is void.
            if let group { avahi_entry_group_reset(group) }
        }
    }

    private func announce() {
        group =
            group
            ?? avahi_entry_group_new(
                client,
                { group, state, data in
                    guard state == Int32(OSSICLE_AVAHI_COLLISION), let directory = BonjourDirectory.at(data) else {
                        return
                    }
                    directory.rename()
                    directory.announce()
                }, data)
        guard let group else { return }
        avahi_entry_group_reset(group)
        for _ in 0..<BonjourDirectory.mostNames {
            let status = avahi_entry_group_add_service_strlst(
                group, interface, Int32(OSSICLE_AVAHI_IPV4), 0, name, BonjourDirectory.type, nil, nil, port, nil)
            guard status == Int32(OSSICLE_AVAHI_LOCAL_COLLISION) else { break }
            rename()
        }
        avahi_entry_group_commit(group)
    }

    private func rename() {
        guard let next = avahi_alternative_service_name(name) else { return }
        name = String(cString: next)
        avahi_free(next)
    }

    private func browse() {
        guard !isBrowsing else { return }
        let browser = avahi_service_browser_new(
            client, interface, Int32(OSSICLE_AVAHI_IPV4), BonjourDirectory.type, nil, 0,
            { _, interface, _, event, name, _, domain, flags, data in
                guard flags & Int32(OSSICLE_AVAHI_OUR_OWN) == 0, let directory = BonjourDirectory.at(data), let name,
                    let domain
                else { return }
                let service = BonjourService(name: String(cString: name), domain: String(cString: domain))
                switch event {
                case Int32(OSSICLE_AVAHI_NEW): directory.resolve(service, through: interface)
                case Int32(OSSICLE_AVAHI_REMOVE): directory.set(service, nil, through: interface)
                default: break
                }
            }, data)
        isBrowsing = browser != nil
    }

    private func resolve(_ service: BonjourService, through interface: Int32) {
        _ = avahi_service_resolver_new(
            client, interface, Int32(OSSICLE_AVAHI_IPV4), service.name, BonjourDirectory.type, service.domain,
            Int32(OSSICLE_AVAHI_IPV4), 0,
            { resolver, interface, _, event, name, _, domain, _, address, port, _, _, data in
                defer { _ = avahi_service_resolver_free(resolver) }
                guard event == Int32(OSSICLE_AVAHI_FOUND), let directory = BonjourDirectory.at(data), let name,
                    let domain,
                    let address = address?.pointee, address.protocol == Int32(OSSICLE_AVAHI_IPV4)
                else { return }
                let (first, second, third, fourth) = (
                    address.bytes.0, address.bytes.1, address.bytes.2, address.bytes.3
                )
                let host = [first, second, third, fourth].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                directory.set(
                    BonjourService(name: String(cString: name), domain: String(cString: domain)),
                    NetworkAddress(host: NetworkHost(ipv4: host), port: port), through: interface)
            }, data)
    }

    private func set(_ service: BonjourService, _ address: NetworkAddress?, through interface: Int32) {
        found.withLock { found in
            found[service, default: [:]][interface] = address
            if found[service]?.isEmpty == true { found[service] = nil }
        }
        report()
    }

    private func report() { reports.async(execute: changes) }
}

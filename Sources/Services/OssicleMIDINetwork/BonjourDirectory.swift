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
/// Addresses are of the families that the session's sockets reach: IPv4 for one at an IPv4 address, IPv6 for one at an
/// IPv6 address, both for one at "::", where a session with both is listed by IPv4. A daemon that starts later, or
/// again, is found; without the library or a system bus there is no directory. Everything but `found` belongs to
/// Avahi's thread while that runs.
package final class BonjourDirectory: @unchecked Sendable {
    /// The type of the services.
    package static let type = "_apple-midi._udp"
    /// Names are tried with numbers behind them up to this one.
    private static let mostNames = 100

    private let poll: OpaquePointer
    private let interface: Int32
    /// How announcements and questions travel: over IPv4, or over both. Addresses of either family travel over each.
    private let transport: Int32
    /// Families of the addresses that are asked for.
    private let families: [Int32]
    private let port: UInt16
    private var name: String
    private let changes: @Sendable () -> Void
    private let reports = DispatchQueue(label: "ossicle.midi.bonjour")
    private var client: OpaquePointer?
    private var isConnecting = false
    private var group: OpaquePointer?
    private var isBrowsing = false
    private let found = Mutex<[BonjourService: [Route: NetworkAddress]]>([:])

    /// Where an address was found. IPv4 comes before IPv6, a low interface before a high one.
    private struct Route: Hashable, Comparable {
        let family: Int32
        let interface: Int32
        let transport: Int32

        static func < (first: Route, second: Route) -> Bool {
            (first.family, first.interface, first.transport) < (second.family, second.interface, second.transport)
        }
    }

    /// - Parameters:
    ///   - name: of the session; where another one has it, a number follows.
    ///   - address: of the session's control port. At 0.0.0.0 and :: it is announced through every interface, else
    ///     through the one that has the address.
    ///   - changes: called on a queue of its own when a session came or went.
    package init?(announcing name: String, at address: NetworkAddress, changes: @escaping @Sendable () -> Void) {
        guard ossicle_load_avahi(), let poll = avahi_threaded_poll_new() else { return nil }
        self.poll = poll
        self.name = name
        self.changes = changes
        port = address.port
        interface = BonjourDirectory.interface(of: address.host)
        let (narrow, wide) = (Int32(OSSICLE_AVAHI_IPV4), Int32(OSSICLE_AVAHI_IPV6))
        transport = address.host.isIPv4 ? narrow : Int32(OSSICLE_AVAHI_ANY_PROTOCOL)
        families = address.host.isIPv4 ? [narrow] : address.host.isUnspecified ? [narrow, wide] : [wide]
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

    /// The interface that has the address.
    private static func interface(of address: NetworkHost) -> Int32 {
        if address.scope != 0 { return Int32(clamping: address.scope) }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard !address.isUnspecified, getifaddrs(&first) == 0 else { return Int32(OSSICLE_AVAHI_ANY_INTERFACE) }
        defer { freeifaddrs(first) }
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let own = entry.pointee.ifa_addr, NetworkHost(own) == address else { continue }
            return Int32(if_nametoindex(entry.pointee.ifa_name))
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
                group, interface, transport, 0, name, BonjourDirectory.type, nil, nil, port, nil)
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
            client, interface, transport, BonjourDirectory.type, nil, 0,
            { _, interface, transport, event, name, _, domain, flags, data in
                guard flags & Int32(OSSICLE_AVAHI_OUR_OWN) == 0, let directory = BonjourDirectory.at(data), let name,
                    let domain
                else { return }
                let service = BonjourService(name: String(cString: name), domain: String(cString: domain))
                for family in directory.families {
                    let route = Route(family: family, interface: interface, transport: transport)
                    switch event {
                    case Int32(OSSICLE_AVAHI_NEW): directory.resolve(service, by: route)
                    case Int32(OSSICLE_AVAHI_REMOVE): directory.set(service, nil, by: route)
                    default: break
                    }
                }
            }, data)
        isBrowsing = browser != nil
    }

    private func resolve(_ service: BonjourService, by route: Route) {
        _ = avahi_service_resolver_new(
            client, route.interface, route.transport, service.name, BonjourDirectory.type, service.domain,
            route.family, 0,
            { resolver, interface, transport, event, name, _, domain, _, address, port, _, _, data in
                defer { _ = avahi_service_resolver_free(resolver) }
                guard event == Int32(OSSICLE_AVAHI_FOUND), let directory = BonjourDirectory.at(data), let name,
                    let domain, let address = address?.pointee,
                    let host = BonjourDirectory.host(address, through: interface)
                else { return }
                directory.set(
                    BonjourService(name: String(cString: name), domain: String(cString: domain)),
                    NetworkAddress(host: host, port: port),
                    by: Route(family: address.protocol, interface: interface, transport: transport))
            }, data)
    }

    /// - Parameter interface: on which an address is valid that is valid on one only (fe80::/10).
    private static func host(_ address: ossicle_avahi_address, through interface: Int32) -> NetworkHost? {
        withUnsafeBytes(of: address.bytes) { bytes in
            switch address.protocol {
            case Int32(OSSICLE_AVAHI_IPV4):
                return NetworkHost(ipv4: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
            case Int32(OSSICLE_AVAHI_IPV6):
                let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
                let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                return NetworkHost(
                    high: high, low: low, scope: high >> 54 == 0x3FA ? UInt32(truncatingIfNeeded: interface) : 0)
            default: return nil
            }
        }
    }

    private func set(_ service: BonjourService, _ address: NetworkAddress?, by route: Route) {
        let isNew = found.withLock { found in
            let before = found[service]?[route]
            found[service, default: [:]][route] = address
            if found[service]?.isEmpty == true { found[service] = nil }
            return before != address
        }
        if isNew { report() }
    }

    private func report() { reports.async(execute: changes) }
}

import Foundation

/// An IPv4 or IPv6 address of a machine. IPv4 addresses are kept in IPv6's spelling of them, ::ffff:a.b.c.d, so that a
/// host is equal to itself whichever socket it was met through.
package struct NetworkHost: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The first and the last eight bytes.
    package let high: UInt64
    package let low: UInt64
    /// Of an address that is valid on one interface only: the interface's number; else 0.
    package let scope: UInt32

    package init(high: UInt64, low: UInt64, scope: UInt32 = 0) {
        (self.high, self.low, self.scope) = (high, low, scope)
    }

    package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4)) }

    /// An IPv4 address; 0 is every address of this machine.
    package init(integerLiteral value: UInt32) { self.init(ipv4: value) }

    /// From "127.0.0.1", "localhost", "::1" or "fe80::1%eth0"; nil for other names, which nothing looks up.
    package init?(_ text: String) {
        var narrow = in_addr()
        if inet_pton(AF_INET, text == "localhost" ? "127.0.0.1" : text, &narrow) == 1 {
            self.init(ipv4: UInt32(bigEndian: narrow.s_addr))
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var wide = in6_addr()
        guard inet_pton(AF_INET6, String(parts[0]), &wide) == 1 else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
            if scope == 0 { return nil }
        }
        let (high, low) = withUnsafeBytes(of: wide) {
            (
                UInt64(bigEndian: $0.load(as: UInt64.self)),
                UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: high, low: low, scope: scope)
    }

    /// From an address of the system's; nil for one that is of neither family.
    init?(_ name: UnsafePointer<sockaddr>) {
        switch Int32(name.pointee.sa_family) {
        case AF_INET:
            self = UnsafeRawPointer(name).assumingMemoryBound(to: sockaddr_in.self).pointee.host
        case AF_INET6:
            self = UnsafeRawPointer(name).assumingMemoryBound(to: sockaddr_in6.self).pointee.host
        default: return nil
        }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }
    /// Every address of this machine: 0.0.0.0 or ::.
    package var isUnspecified: Bool { self == NetworkHost(ipv4: 0) || self == NetworkHost(high: 0, low: 0) }
    /// The four bytes of an IPv4 address, in the order of the machine.
    package var ipv4: UInt32? { isIPv4 ? UInt32(truncatingIfNeeded: low) : nil }

    package var description: String {
        if let ipv4 { return [24, 16, 8, 0].map { "\(ipv4 >> $0 & 0xFF)" }.joined(separator: ".") }
        var bytes = [high.bigEndian, low.bigEndian]
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return scope == 0 ? address : "\(address)%\(scope)"
    }
}

extension sockaddr_in {
    fileprivate var host: NetworkHost { NetworkHost(ipv4: UInt32(bigEndian: sin_addr.s_addr)) }
}

extension sockaddr_in6 {
    fileprivate var host: NetworkHost {
        withUnsafeBytes(of: sin6_addr) { bytes in
            NetworkHost(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), scope: sin6_scope_id)
        }
    }
}

/// A host with a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: NetworkHost
    package var port: UInt16

    package init(host: NetworkHost, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// As `NetworkHost` reads it.
    package init?(_ text: String, port: Int) {
        guard (0...65_535).contains(port), let host = NetworkHost(text) else { return nil }
        self.init(host: host, port: UInt16(port))
    }

    package var hostText: String { host.description }
    package var description: String { host.isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}

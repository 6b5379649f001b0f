import Foundation

/// Why a session cannot do what it was asked to.
package struct NetworkSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let address: NetworkAddress
    package let code: Int32

    /// - Parameter code: of the system, as `errno` has it.
    package init(call: String, address: NetworkAddress, code: Int32) {
        self.call = call
        self.address = address
        self.code = code
    }

    package var description: String {
        "MIDI network session at \(address): \(call) failed: \(String(cString: strerror(code))). "
            + "A session needs two free UDP ports in a row at an address of this machine; choose another port, or 0."
    }
}

/// A UDP socket of a session.
final class NetworkSocket: Sendable {
    let descriptor: Int32
    let address: NetworkAddress
    /// An IPv6 socket, which reaches IPv4 as well where it is bound to every address.
    private let isWide: Bool

    /// Bound to an address of this machine; port 0 lets the system choose.
    init(_ wanted: NetworkAddress) throws(NetworkSessionError) {
        isWide = !wanted.host.isIPv4
        let family = isWide ? AF_INET6 : AF_INET
        #if canImport(Glibc)
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        let descriptor = socket(family, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { throw NetworkSessionError(call: "socket", address: wanted, code: errno) }
        var size: Int32 = 1 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var isOnly: Int32 = 0
        if isWide {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOnly, socklen_t(MemoryLayout<Int32>.size))
        }
        var name = SocketName(wanted, isWide: isWide)
        let isBound = name.withPointer { pointer, length in
            bind(descriptor, pointer, length.pointee) == 0 && getsockname(descriptor, pointer, length) == 0
        }
        guard isBound, let bound = name.address else {
            let code = errno
            close(descriptor)
            throw NetworkSessionError(call: "bind", address: wanted, code: code)
        }
        self.descriptor = descriptor
        address = NetworkAddress(host: wanted.host, port: bound.port)
    }

    deinit { close(descriptor) }

    /// What cannot be sent is lost, as packets may be.
    func send(_ bytes: [UInt8], to address: NetworkAddress) {
        guard isWide || address.host.isIPv4 else { return }
        var name = SocketName(address, isWide: isWide)
        _ = name.withPointer { pointer, length in
            sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), pointer, length.pointee)
        }
    }

    /// The next packet, `nil` where none waits.
    func receive() -> (bytes: [UInt8], from: NetworkAddress)? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var name = SocketName()
        let count = name.withPointer { pointer, length in
            recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT), pointer, length)
        }
        guard count >= 0, let from = name.address else { return nil }
        return (Array(buffer.prefix(count)), from)
    }
}

/// An address as the system's calls take and give it.
private struct SocketName {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    init() {}

    /// - Parameter isWide: for an IPv6 socket, which has IPv4 addresses in IPv6's spelling.
    init(_ address: NetworkAddress, isWide: Bool) {
        if !isWide, let host = address.host.ipv4 {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = address.port.bigEndian
            name.sin_addr.s_addr = host.bigEndian
            store(name)
        } else {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = address.port.bigEndian
            name.sin6_scope_id = address.host.scope
            let host = address.host
            withUnsafeMutableBytes(of: &name.sin6_addr) { bytes in
                bytes.storeBytes(of: host.high.bigEndian, as: UInt64.self)
                bytes.storeBytes(of: host.low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            store(name)
        }
    }

    private mutating func store<Name>(_ name: Name) {
        withUnsafeBytes(of: name) { bytes in withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: bytes) } }
        length = socklen_t(MemoryLayout<Name>.size)
    }

    mutating func withPointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &length) { length in
            withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
            }
        }
    }

    var address: NetworkAddress? {
        withUnsafePointer(to: storage) { pointer in
            // Both families have the port behind the family.
            let port = UnsafeRawPointer(pointer).load(
                fromByteOffset: MemoryLayout<sockaddr_in>.offset(of: \.sin_port) ?? 0, as: in_port_t.self)
            return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { NetworkHost($0) }.map {
                NetworkAddress(host: $0, port: UInt16(bigEndian: port))
            }
        }
    }
}

import Foundation

/// An IPv4 address with a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// In the order of the machine.
    package var host: UInt32
    package var port: UInt16

    package init(host: UInt32, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// From "127.0.0.1", or "localhost"; nil for other names, which nothing looks up.
    package init?(_ text: String, port: Int) {
        guard (0...65_535).contains(port) else { return nil }
        let parts = (text == "localhost" ? "127.0.0.1" : text).split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { UInt8($0) }
        guard parts.count == 4, bytes.count == 4 else { return nil }
        self.init(host: bytes.reduce(0) { $0 << 8 | UInt32($1) }, port: UInt16(port))
    }

    package var hostText: String { [24, 16, 8, 0].map { "\(host >> $0 & 0xFF)" }.joined(separator: ".") }
    package var description: String { "\(hostText):\(port)" }
}

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

    /// Bound to an address of this machine; port 0 lets the system choose.
    init(_ wanted: NetworkAddress) throws(NetworkSessionError) {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { throw NetworkSessionError(call: "socket", address: wanted, code: errno) }
        var size: Int32 = 1 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var name = NetworkSocket.name(wanted)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = NetworkSocket.with(&name) { pointer in
            bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
        }
        guard status else {
            let code = errno
            close(descriptor)
            throw NetworkSessionError(call: "bind", address: wanted, code: code)
        }
        self.descriptor = descriptor
        address = NetworkAddress(host: wanted.host, port: UInt16(bigEndian: name.sin_port))
    }

    deinit { close(descriptor) }

    /// What cannot be sent is lost, as packets may be.
    func send(_ bytes: [UInt8], to address: NetworkAddress) {
        var name = NetworkSocket.name(address)
        _ = NetworkSocket.with(&name) { pointer in
            sendto(
                descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), pointer,
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }

    /// The next packet, `nil` where none waits.
    func receive() -> (bytes: [UInt8], from: NetworkAddress)? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = NetworkSocket.with(&name) { pointer in
            recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT), pointer, &length)
        }
        guard count >= 0 else { return nil }
        let from = NetworkAddress(
            host: UInt32(bigEndian: name.sin_addr.s_addr), port: UInt16(bigEndian: name.sin_port))
        return (Array(buffer.prefix(count)), from)
    }

    private static func name(_ address: NetworkAddress) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = address.host.bigEndian
        return name
    }

    private static func with<Result>(
        _ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}

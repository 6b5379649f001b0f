import Dispatch
import Foundation

/// A bound UDP socket that never waits.
struct UDPSocket {
    let descriptor: Int32
    /// As bound: the system's choice where port 0 was asked for.
    let port: UInt16

    /// - Throws: what the system says, as the value of the error and its cure; the caller knows what the socket is for.
    init(address: String, port: UInt16, object: String) throws(HeadTrackingError) {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
            throw HeadTrackingError(
                object: object, value: "the address is “\(address)”",
                rule: "An address is four numbers, 0…255, with dots between.",
                cure: "Use 127.0.0.1 for this machine only, 0.0.0.0 for every network it is on.")
        }
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { throw Self.fault(errno, object, port) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let bound = Self.withAddress(&name) { pointer, length in bind(descriptor, pointer, length.pointee) }
        guard bound == 0 else {
            let code = errno
            close(descriptor)
            throw Self.fault(code, object, port)
        }
        _ = Self.withAddress(&name) { pointer, length in getsockname(descriptor, pointer, length) }
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: name.sin_port)
    }

    /// Takes the next packet, if there is one.
    func receive(into room: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, 0)
            if count >= 0 { return UnsafeRawBufferPointer(rebasing: room[..<count]) }
            guard errno == EINTR else { return nil }
        }
    }

    private static func withAddress(
        _ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }

    private static func fault(_ code: Int32, _ object: String, _ port: UInt16) -> HeadTrackingError {
        let value = String(cString: strerror(code))
        switch code {
        case EADDRINUSE:
            return HeadTrackingError(
                object: object, value: "port \(port) is in use (\(value))",
                rule: "A UDP port belongs to one program at a time.",
                cure: "Close the other program, or choose another port here and in the sender.")
        case EACCES:
            return HeadTrackingError(
                object: object, value: "port \(port) was refused (\(value))", rule: "Ports below 1024 are reserved.",
                cure: "Choose a port from 1024 to 65535.")
        case EADDRNOTAVAIL:
            return HeadTrackingError(
                object: object, value: "\(value)", rule: "The address has to be one of this machine's.",
                cure: "Use 127.0.0.1 for this machine only, 0.0.0.0 for every network it is on.")
        default:
            return HeadTrackingError(
                object: object, value: value, rule: "A socket has to be opened.", cure: "See the system's message.")
        }
    }
}

/// Seconds that never go back, from some moment before the program started.
package enum MonotonicClock {
    package static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }
}

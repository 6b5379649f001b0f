#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The few calls of the sockets' interface that a server on loopback needs, non-blocking.
enum Sockets {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let quiet = Int32(MSG_NOSIGNAL)
    #else
    private static let stream = SOCK_STREAM
    private static let quiet: Int32 = 0
    #endif

    /// Listens at 127.0.0.1.
    /// - Parameter port: 0 for one that is free.
    static func listen(port: UInt16) throws(SocketFault) -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw SocketFault(port, errno) }
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound, bar(listener), systemListen(listener) else {
            let reason = errno
            close(listener)
            throw SocketFault(port, reason)
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private static func systemListen(_ listener: Int32) -> Bool {
        #if canImport(Glibc)
        Glibc.listen(listener, 64) == 0
        #else
        Darwin.listen(listener, 64) == 0
        #endif
    }

    /// Lets no call on it wait, and no child process have it.
    private static func bar(_ socket: Int32) -> Bool {
        fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) == 0 && fcntl(socket, F_SETFD, FD_CLOEXEC) == 0
    }

    /// nil where no client waits.
    static func accept(_ listener: Int32) -> Int32? {
        #if canImport(Glibc)
        let client = Glibc.accept(listener, nil, nil)
        #else
        let client = Darwin.accept(listener, nil, nil)
        #endif
        guard client >= 0 else { return nil }
        guard bar(client) else {
            close(client)
            return nil
        }
        var on: Int32 = 1
        // A short message that waits for the one before it to be acknowledged comes up to 40 ms late.
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
        setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return client
    }

    /// Both ends of a pipe.
    static func pipe() throws(SocketFault) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let made = Glibc.pipe(&ends) == 0
        #else
        let made = Darwin.pipe(&ends) == 0
        #endif
        guard made, bar(ends[0]), bar(ends[1]) else { throw SocketFault(0, errno) }
        return (ends[0], ends[1])
    }

    enum Received { case bytes([UInt8]), nothing, end }

    static func receive(_ socket: Int32) -> Received {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = read(socket, &buffer, buffer.count)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .nothing : .end
    }

    /// - Returns: how many bytes the system has taken; nil where the other side is gone.
    static func send(_ socket: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            #if canImport(Glibc)
            Glibc.send(socket, bytes.baseAddress, bytes.count, quiet)
            #else
            Darwin.send(socket, bytes.baseAddress, bytes.count, quiet)
            #endif
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : nil
    }

    static func close(_ socket: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(socket)
        #else
        _ = Darwin.close(socket)
        #endif
    }

    /// Waits until something can be done.
    /// - Parameter milliseconds: to wait at most.
    static func wait(_ sockets: inout [pollfd], milliseconds: Int32) {
        _ = poll(&sockets, nfds_t(sockets.count), milliseconds)
    }

    /// Seconds of a steady clock.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func words(for error: Int32) -> String { String(cString: strerror(error)) }
}

/// Nothing can be served at a port.
package struct SocketFault: Error, Hashable, Sendable {
    package let port: UInt16
    /// In the system's words.
    package let reason: String

    init(_ port: UInt16, _ error: Int32) { (self.port, reason) = (port, Sockets.words(for: error)) }
}

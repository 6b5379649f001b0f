import Foundation

/// A client of a server on this machine that sends and reads bytes, and nothing else: for what no well-behaved client
/// sends.
package final class RawClient {
    private let socket: Int32

    package init?(port: UInt16, smallBuffer: Bool = false) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size: Int32 = 2048
        if smallBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var wait = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let isOpen = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isOpen { return nil }
    }

    deinit { close(socket) }

    package func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Exactly so many bytes; fewer at the end, or after 5 s.
    package func read(_ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while all.count < count {
            let got = recv(socket, &buffer, min(buffer.count, count - all.count), 0)
            guard got > 0 else { break }
            all += buffer.prefix(got)
        }
        return all
    }

    /// Of an answer whose end is that of the connection, or of its head.
    package func readHead() -> String {
        var all: [UInt8] = []
        while !all.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = read(1)
            if byte.isEmpty { break }
            all += byte
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// The payload of the next frame, of text or binary; nil at the end.
    package func readMessage() -> [UInt8]? {
        let head = read(2)
        guard head.count == 2, head[0] == 0x81 || head[0] == 0x82 else { return nil }
        let more = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0
        let length = more == 0 ? Int(head[1]) : read(more).reduce(0) { $0 << 8 | Int($1) }
        return read(length)
    }
}

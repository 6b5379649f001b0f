import Foundation
import Synchronization

/// A UDP socket on this machine: sends, or holds a port so that nobody else gets it.
public final class DatagramSocket {
    private let descriptor: Int32
    /// The port the socket is bound to.
    public let port: UInt16

    public struct Failure: Error {
        public let call: String
        public let code: Int32
    }

    /// Bound to a port of 127.0.0.1; 0 lets the system choose.
    public init(port: UInt16 = 0) throws {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        var name = Self.loopback(port)
        func check(_ result: Int32, _ call: String) throws {
            guard result != 0 else { return }
            let code = errno
            close(descriptor)
            throw Failure(call: call, code: code)
        }
        try check(Self.withAddress(&name) { bind(descriptor, $0, $1.pointee) }, "bind")
        try check(Self.withAddress(&name) { getsockname(descriptor, $0, $1) }, "getsockname")
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: name.sin_port)
    }

    deinit { close(descriptor) }

    /// A free port of the caller's own: below those that the system hands out to any who request one, and another one
    /// for each call of this process.
    public static func quietPort() throws -> UInt16 {
        for _ in 0..<8192 {
            let next = nextQuiet.wrappingAdd(1, ordering: .relaxed).oldValue
            let port = UInt16(20_480 + (UInt(getpid()) * 61 + next) % 8192)
            if (try? DatagramSocket(port: port)) != nil { return port }
        }
        throw Failure(call: "bind", code: EADDRINUSE)
    }

    private static let nextQuiet = Atomic<UInt>(0)

    /// One packet to a port of this machine.
    public func send(_ bytes: [UInt8], to port: UInt16) throws {
        var name = Self.loopback(port)
        let sent = Self.withAddress(&name) { address, length in
            Int32(sendto(descriptor, bytes, bytes.count, 0, address, length.pointee))
        }
        guard sent == bytes.count else { throw Failure(call: "sendto", code: errno) }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return name
    }

    private static func withAddress(
        _ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}

/// Looks again and again until something holds; false if it does not within `limit` seconds.
public func waitUntil(limit: Double = 20, _ condition: () -> Bool) -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(limit * 1e9)
    while !condition() {
        guard DispatchTime.now().uptimeNanoseconds < end else { return false }
        usleep(1000)
    }
    return true
}

/// What head trackers send, byte by byte as their formats say.
public enum HeadPackets {
    /// An OSC 1.0 message of 32-bit floats: address, type tags and arguments, each filled up to a multiple of four
    /// bytes, big-endian.
    public static func osc(_ address: String, _ numbers: [Double]) -> [UInt8] {
        text(address) + text("," + String(repeating: "f", count: numbers.count))
            + numbers.flatMap { bytes(Float($0).bitPattern.bigEndian) }
    }

    /// An OSC 1.0 bundle, to be carried out at once.
    public static func bundle(_ elements: [[UInt8]]) -> [UInt8] {
        text("#bundle") + bytes(UInt64(1).bigEndian) + elements.flatMap { bytes(UInt32($0.count).bigEndian) + $0 }
    }

    /// opentrack's six doubles, little-endian: centimetres and degrees.
    public static func opentrack(
        x: Double = 0, y: Double = 0, z: Double = 0, yaw: Double = 0, pitch: Double = 0, roll: Double = 0
    ) -> [UInt8] {
        [x, y, z, yaw, pitch, roll].flatMap { bytes($0.bitPattern.littleEndian) }
    }

    private static func text(_ string: String) -> [UInt8] {
        let bytes = Array(string.utf8)
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number, Array.init) }
}

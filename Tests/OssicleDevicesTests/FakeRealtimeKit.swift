import Foundation
import Synchronization

/// A system bus with RealtimeKit on it, for one client after the other: as much of D-Bus's wire protocol as a call
/// takes (D-Bus Specification 0.41, "Authentication Protocol" and "Message Protocol"), in little endian.
final class FakeRealtimeKit: Sendable {
    enum Manner: String, Sendable, CaseIterable {
        /// Makes the thread one of real time, as far as this process may.
        case grants
        case refuses
        /// The service never answers.
        case hangs
        /// The bus itself never answers.
        case busHangs
    }

    /// As in DBUS_SYSTEM_BUS_ADDRESS.
    let address: String
    private let manner: Manner
    private let listener: Int32
    private let request = Mutex<(thread: UInt64, priority: UInt32)?>(nil)
    /// What the service was called with.
    var lastRequest: (thread: UInt64, priority: UInt32)? { request.withLock { $0 } }

    init(_ manner: Manner) throws {
        let name = "ossicle-\(UUID().uuidString)"
        (self.manner, address) = (manner, "unix:abstract=" + name)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with a zero lies in no folder.
        withUnsafeMutableBytes(of: &place.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let isBound = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard isBound == 0, listen(listener, 4) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let thread = Thread { [self] in while serve() {} }
        thread.start()
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// One client from its first byte to its last; false when the bus ended.
    private func serve() -> Bool {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return false }
        defer { close(client) }
        let connection = Connection(client)
        guard manner != .busHangs else {
            _ = connection.read(.max)
            return true
        }
        guard connection.authenticate() else { return true }
        while let message = connection.message() {
            if message.body.isEmpty {
                connection.reply(to: message.serial, text: ":1.1")
            } else {
                answer(message, on: connection)
            }
        }
        return true
    }

    private func answer(_ message: (serial: UInt32, body: [UInt8]), on connection: Connection) {
        let thread = message.body.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        let priority = message.body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) }
        request.withLock { $0 = (thread, priority) }
        switch manner {
        case .hangs, .busHangs: return
        case .refuses: break
        case .grants:
            var parameter = sched_param(sched_priority: Int32(priority))
            // As RealtimeKit does: what the thread starts is ordinary again.
            if sched_setscheduler(pid_t(thread), SCHED_RR | Self.resetOnFork, &parameter) == 0 {
                return connection.reply(to: message.serial, text: nil)
            }
        }
        connection.refuse(message.serial)
    }

    private static let resetOnFork: Int32 = 0x4000_0000
    /// Whether this process may grant.
    static let canGrant: Bool = {
        let isGranted = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            var parameter = sched_param(sched_priority: 1)
            isGranted.withLock { $0 = sched_setscheduler(0, SCHED_RR, &parameter) == 0 && getuid() == 0 }
            done.signal()
        }
        thread.start()
        done.wait()
        return isGranted.withLock { $0 }
    }()
}

/// A client of the bus.
private struct Connection {
    private let socket: Int32

    init(_ socket: Int32) { self.socket = socket }

    /// Exactly so many bytes, nil at the end.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: min(count - bytes.count, 4096))
            let size = recv(socket, &piece, piece.count, 0)
            guard size > 0 else { return nil }
            bytes += piece.prefix(size)
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) { _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// lines until "BEGIN"; every client is let in.
    func authenticate() -> Bool {
        guard read(1) == [0] else { return false }
        while let line = line() {
            if line.hasPrefix("BEGIN") { return true }
            write(Array((line.hasPrefix("AUTH") ? "OK 0123456789abcdef0123456789abcdef\r\n" : "ERROR\r\n").utf8))
        }
        return false
    }

    private func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = read(1) {
            bytes += byte
            if byte == [UInt8(ascii: "\n")] { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }

    func message() -> (serial: UInt32, body: [UInt8])? {
        guard let head = read(16) else { return nil }
        let numbers = head.withUnsafeBytes { bytes in
            [4, 8, 12].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
        }
        let (bodySize, serial, fields) = (Int(numbers[0]), numbers[1], Int(numbers[2]))
        guard read((fields + 7) & ~7) != nil, let body = bodySize == 0 ? [] : read(bodySize) else { return nil }
        return (serial, body)
    }

    /// With a string, or with nothing.
    func reply(to serial: UInt32, text: String?) {
        let fields = [
            Connection.field(5, "u", Connection.bytes(serial)), Connection.field(8, "g", [1] + Array("s\0".utf8)),
        ]
        write(2, fields: text == nil ? [fields[0]] : fields, text.map(Connection.bytes) ?? [])
    }

    func refuse(_ serial: UInt32) {
        let name = Connection.bytes("org.freedesktop.DBus.Error.AccessDenied")
        write(3, fields: [Connection.field(4, "s", name), Connection.field(5, "u", Connection.bytes(serial))], [])
    }

    /// A field of a header: its code, and a value of one type.
    private static func field(_ code: UInt8, _ type: Character, _ value: [UInt8]) -> [UInt8] {
        [code, 1, type.asciiValue ?? 0, 0] + value
    }

    /// Each field begins at a multiple of eight bytes, and so does the body.
    private func write(_ type: UInt8, fields: [[UInt8]], _ body: [UInt8]) {
        let list = fields.dropFirst().reduce(fields.first ?? []) { Connection.padded($0) + $1 }
        let head = [UInt8(ascii: "l"), type, 1, 1] + Connection.bytes(UInt32(body.count)) + Connection.bytes(1)
        write(Connection.padded(head + Connection.bytes(UInt32(list.count)) + list) + body)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: -bytes.count & 7)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func bytes(_ text: String) -> [UInt8] { bytes(UInt32(text.utf8.count)) + Array(text.utf8) + [0] }
}

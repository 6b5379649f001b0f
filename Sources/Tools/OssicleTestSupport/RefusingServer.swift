import Foundation
import Synchronization

/// A socket that speaks PulseAudio's protocol and refuses one request, as a server may. Everything else goes to a real
/// server and back, unless there is none.
public final class RefusingServer: Sendable {
    /// What is refused: numbers of the protocol's commands.
    public enum Request: UInt32, Sendable, CaseIterable {
        case playbackStream = 3, recordStream = 5, connection = 8, sinkList = 22
    }

    public enum Answer: Sendable, Hashable {
        /// An error, by the protocol's number: 1 access denied, 5 no such entity, 9 wrong cookie, 17 wrong version, 18
        /// too large, 19 not supported, 26 busy.
        case error(UInt32)
        case silence
        case hangUp
    }

    private let request: Request
    private let answer: Answer
    private let server: String?
    private let folder: TemporaryFolder
    private let listener: Descriptor
    private let refused = Atomic(0)

    /// - Parameter server: of the real one, as in PULSE_SERVER; nil for none.
    public init(_ request: Request, _ answer: Answer, before server: String? = nil) throws {
        (self.request, self.answer) = (request, answer)
        self.server = server.map { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : $0 }
        folder = try TemporaryFolder()
        listener = try Descriptor()
        guard listener.atAddress(folder.path("native"), bind) == 0, listen(listener.number, 16) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        Thread.detachNewThread { [weak self, listener] in
            while case let number = accept(listener.number, nil, nil), number >= 0 {
                self?.serve(Descriptor(number))
            }
        }
    }

    deinit { listener.shut() }

    /// For PULSE_SERVER.
    public var address: String { "unix:" + folder.path("native") }
    /// How often it refused.
    public var refusals: Int { refused.load(ordering: .relaxed) }

    private func serve(_ client: Descriptor) {
        let upstream = server.flatMap { path in
            (try? Descriptor()).flatMap { $0.atAddress(path, connect) == 0 ? $0 : nil }
        }
        Thread.detachNewThread { [self] in
            while var packet = client.readPacket() {
                if packet.command == request.rawValue {
                    refused.add(1, ordering: .relaxed)
                    guard answerTo(packet, client) else { break }
                } else {
                    packet.refuseSharedMemory()
                    upstream?.write(packet)
                }
            }
            client.shut()
            upstream?.shut()
        }
        guard let upstream else { return }
        Thread.detachNewThread {
            while let packet = upstream.readPacket() { client.write(packet) }
            client.shut()
        }
    }

    /// False where the connection is to end.
    private func answerTo(_ packet: Packet, _ client: Descriptor) -> Bool {
        switch answer {
        case .error(let code): client.write(packet.error(code))
        case .silence: break
        case .hangUp: return false
        }
        return true
    }
}

/// Twenty bytes, which begin with the length of what follows and a channel, and that.
private struct Packet {
    let header: [UInt8]
    var body: [UInt8]
    /// Of a number.
    private static let mark = UInt8(ascii: "L")

    /// Nil for sound.
    var command: UInt32? {
        header[4..<8].allSatisfy { $0 == 0xFF } && body.count >= 10 ? Packet.number(body[1..<5]) : nil
    }

    /// Descriptors that are sent along would be lost: clears the marks of the first request that offer that.
    mutating func refuseSharedMemory() {
        if command == RefusingServer.Request.connection.rawValue, body.count > 11 { body[11] &= 0x3F }
    }

    /// The answer to a request that it fails.
    func error(_ code: UInt32) -> Packet {
        var answer: [UInt8] = [Packet.mark, 0, 0, 0, 0]
        answer += body[5..<10]
        answer.append(Packet.mark)
        answer += Packet.bytes(code)
        return Packet(header: Packet.bytes(UInt32(answer.count)) + header[4...], body: answer)
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}

/// A socket, closed with its last reference.
private final class Descriptor: Sendable {
    let number: Int32
    private let writing = Mutex(())

    init(_ number: Int32) { self.number = number }

    init() throws {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if number < 0 { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(number) }

    func shut() { shutdown(number, Int32(SHUT_RDWR)) }

    func atAddress(_ path: String, _ body: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    func readPacket() -> Packet? {
        guard let header = read(20), let body = read(Int(Packet.number(header[0..<4]))) else { return nil }
        return Packet(header: header, body: body)
    }

    private func read(_ count: Int) -> [UInt8]? {
        var (bytes, done) = ([UInt8](repeating: 0, count: count), 0)
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes { recv(number, $0.baseAddress, $0.count, 0) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    /// Whole packets, from either thread.
    func write(_ packet: Packet) {
        writing.withLock { _ in
            var rest = (packet.header + packet.body)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }
    }
}

import Foundation
import Synchronization
import Testing

@testable import OssicleInspector

/// An engine that counts what is asked of it.
final class FakeEngine: InspectedEngine {
    struct Counts {
        var looks = 0
        var watched = 0
        var isWatched = false
        var commands: [InspectorCommand] = []
    }

    let counts = Mutex(Counts())
    let paths: Int

    init(paths: Int = 0) { self.paths = paths }

    func snapshot() -> EngineSnapshot {
        let look = counts.withLock { counts in
            counts.looks += 1
            return counts.looks
        }
        var scene = InspectedScene()
        scene.geometryVersion = 1
        scene.paths = PackedNumbers(
            (0..<paths).flatMap { [1, Float($0), 1, -20 - Float(look % 7), 3] + [Float](repeating: 1, count: 9) })
        scene.pathCount = paths
        return EngineSnapshot(
            state: .running, time: Double(look) / 30, output: InspectedOutput(), load: InspectedLoad(), scene: scene)
    }

    func geometry() -> InspectedGeometry { InspectedGeometry() }

    func detail(of target: InspectedTarget) -> InspectedDetail? {
        target.id == "1" ? InspectedDetail(target: target, title: "one") : nil
    }

    func perform(_ command: InspectorCommand) throws {
        if command.target.id == "9" { throw InspectorCommandError.unknown(command.target) }
        counts.withLock { $0.commands.append(command) }
    }

    func setWatched(_ isWatched: Bool) { counts.withLock { ($0.watched, $0.isWatched) = ($0.watched + 1, isWatched) } }

    func takeSound() -> InspectedSound { InspectedSound() }
}

/// A client that reads and writes bytes, and nothing else.
final class RawClient {
    private let socket: Int32

    init?(port: UInt16, smallBuffer: Bool = false) {
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

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Exactly so many bytes; fewer at the end, or after 5 s.
    func read(_ count: Int) -> [UInt8] {
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
    func readHead() -> String {
        var all: [UInt8] = []
        while !all.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = read(1)
            if byte.isEmpty { break }
            all += byte
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// The next frame's payload; nil at the end.
    func readText() -> String? {
        let head = read(2)
        guard head.count == 2, head[0] == 0x81 else { return nil }
        let more = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0
        let length = more == 0 ? Int(head[1]) : read(more).reduce(0) { $0 << 8 | Int($1) }
        return String(decoding: read(length), as: UTF8.self)
    }
}

@Suite("The server on its socket", .serialized) struct LiveServerTests {
    private func inspector() throws -> (inspector: Inspector, port: UInt16, token: String) {
        let inspector = try Inspector { _ in }
        let parts = inspector.address.split(whereSeparator: { $0 == "/" || $0 == ":" })
        return (inspector, try #require(UInt16(parts[2])), String(parts[3]))
    }

    private func upgrade(_ port: UInt16, _ token: String) -> [UInt8] {
        Array(
            ("GET /\(token)/live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .utf8)
    }

    private func opened(_ port: UInt16, _ token: String, smallBuffer: Bool = false) throws -> RawClient {
        let client = try #require(RawClient(port: port, smallBuffer: smallBuffer))
        client.send(upgrade(port, token))
        #expect(client.readHead().hasPrefix("HTTP/1.1 101"))
        return client
    }

    private func wait(_ condition: () -> Bool) -> Bool {
        for _ in 0..<500 where !condition() { usleep(10_000) }
        return condition()
    }

    @Test func enginesAreLookedAtOnlyWhileAPageIsOpen() throws {
        let (inspector, port, token) = try inspector()
        let engine = FakeEngine()
        inspector.begin(engine)
        usleep(150_000)
        #expect(engine.counts.withLock { $0.looks } == 0)
        do {
            let client = try opened(port, token)
            #expect(client.readText()?.contains(#""type":"engines""#) ?? false)
            #expect(wait { engine.counts.withLock { $0.looks } > 5 })
            #expect(engine.counts.withLock { $0.isWatched })
            #expect(inspector.viewerCount == 1)
        }
        #expect(wait { engine.counts.withLock { !$0.isWatched } })
        let looks = engine.counts.withLock { $0.looks }
        usleep(150_000)
        #expect(engine.counts.withLock { $0.looks } == looks)
    }

    @Test func messagesSayWhatTheEngineDoes() throws {
        let (inspector, port, token) = try inspector()
        let engine = FakeEngine(paths: 3)
        inspector.begin(engine)
        let client = try opened(port, token)
        client.send(Requests.frame(1, Array(#"{"select":{"engine":1,"target":{"kind":"voice","id":"1"}}}"#.utf8)))
        client.send(
            Requests.frame(
                1,
                Array(#"{"engine":1,"command":{"action":"mute","target":{"kind":"source","id":"4"},"value":1}}"#.utf8)))
        client.send(
            Requests.frame(
                1,
                Array(#"{"engine":1,"command":{"action":"mute","target":{"kind":"source","id":"9"},"value":1}}"#.utf8)))
        client.send(Requests.frame(1, Array("{".utf8)))
        var seen: [String: String] = [:]
        var refused: [String] = []
        for _ in 0..<120
        where Set(seen.keys) != ["engines", "frame", "paths", "geometry", "sound", "detail", "refused"]
            || refused.count < 2
        {
            guard let text = client.readText(),
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
                let type = object["type"] as? String
            else { break }
            seen[type] = text
            if type == "refused" { refused.append(object["value"] as? String ?? "") }
        }
        #expect(Set(seen.keys) == ["engines", "frame", "paths", "geometry", "sound", "detail", "refused"])
        #expect(refused == ["There is no source “9” any more.", "The request is not understood."])
        #expect(
            engine.counts.withLock { $0.commands } == [InspectorCommand(.mute, InspectedTarget(.source, 4), value: 1)])
        #expect(seen["frame"]?.contains(#""paths":"""#) ?? false)
    }

    /// One client takes nothing, the other everything: the first is dropped, the second gets all of it.
    @Test func slowClientsAreDropped() throws {
        let server = try LiveServer(port: 0, patience: 0.5)
        defer { server.stop() }
        let rules = AccessRules(token: Requests.token, port: server.port)
        let events = Mutex((open: [Int](), closed: [Int]()))
        server.start(rules, resource: Page.resource) { event in
            events.withLock { events in
                if case .opened(let client) = event { events.open.append(client) }
                if case .closed(let client) = event { events.closed.append(client) }
            }
        }
        let slow = try opened(server.port, Requests.token, smallBuffer: true)
        let quick = try opened(server.port, Requests.token)
        #expect(wait { events.withLock { $0.open.count } == 2 })
        let clients = events.withLock { $0.open }
        let text = Array(String(repeating: "x", count: 100_000).utf8)
        for _ in 0..<100 {
            for client in clients { server.send(text, to: client, .lasting) }
            #expect(quick.readText()?.utf8.count == 100_000)
        }
        #expect(wait { events.withLock { $0.closed } == [clients[0]] })
        server.send(text, to: clients[1], .lasting)
        #expect(quick.readText()?.utf8.count == 100_000)
        // Half a request, and no more of it.
        let half = try #require(RawClient(port: server.port))
        half.send(Array("GET / HTTP/1.1\r\n".utf8))
        #expect(half.read(1).isEmpty)
        withExtendedLifetime(slow) {}
    }

    @Test func portThatIsTakenIsAnError() throws {
        let (inspector, port, _) = try inspector()
        #expect(throws: InspectorError.self) { try Inspector(port: port) { _ in } }
        withExtendedLifetime(inspector) {}
    }

    @Test func tooManyConnectionsAreClosed() throws {
        let (inspector, port, token) = try inspector()
        let clients = (0..<40).compactMap { _ in RawClient(port: port) }
        #expect(clients.count == 40)
        // Of those beyond the limit nothing is read.
        let closed = clients.suffix(4).filter { $0.read(1).isEmpty }
        #expect(closed.count == 4)
        withExtendedLifetime((inspector, token)) {}
    }
}

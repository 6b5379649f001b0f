import Foundation
import OssicleTestSupport
import Synchronization
import Testing

@testable import OssicleInspector
@testable import OssicleWebServer

/// An engine that counts what is asked of it.
final class FakeEngine: InspectedEngine {
    struct Counts {
        var looks = 0
        var watched = 0
        var isWatched = false
        var commands: [InspectorCommand] = []
        /// Whether its lock is taken.
        var isHeld = false
        /// Seconds that the next look takes.
        var delay = 0.0
    }

    let counts = Mutex(Counts())
    let paths: Int

    init(paths: Int = 0) { self.paths = paths }

    func snapshot(_ extent: SnapshotExtent, within seconds: Double) -> EngineSnapshot? {
        let (isHeld, delay) = counts.withLock { counts in
            defer { counts.delay = 0 }
            return (counts.isHeld, counts.delay)
        }
        if delay > 0 { usleep(UInt32(delay * 1_000_000)) }
        return isHeld ? nil : snapshot(extent)
    }

    func snapshot(_ extent: SnapshotExtent) -> EngineSnapshot {
        let look = counts.withLock { counts in
            counts.looks += 1
            return counts.looks
        }
        var scene = InspectedScene()
        scene.geometryVersion = 1
        // The eighth moves.
        scene.paths = PackedNumbers(
            (0..<paths).flatMap { source -> [Float] in
                let level = source == 7 ? Float(-20 - look % 7) : -20
                return [1, Float(source), 1, level, 3] + [Float](repeating: 1, count: 9)
            })
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

    /// The next message as the page reads it.
    private func read(_ client: RawClient) throws -> (json: [String: Any], numbers: [Float])? {
        guard let bytes = client.readMessage() else { return nil }
        let isText = bytes.first == UInt8(ascii: "{")
        let length = isText ? bytes.count : bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let json = isText ? bytes[...] : bytes[4..<4 + length]
        let numbers = bytes[json.endIndex...]
        #expect(json.endIndex % 4 == 0 || isText)
        return (
            try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]),
            stride(from: numbers.startIndex, to: numbers.endIndex, by: 4).map { place in
                Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(numbers[place + $1]) << UInt32(8 * $1) })
            }
        )
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
            #expect(try read(client)?.json["type"] as? String == "engines")
            // A page that does not say that it has seen a frame is sent four.
            #expect(wait { engine.counts.withLock { $0.looks } == 4 })
            usleep(100_000)
            #expect(engine.counts.withLock { $0.looks } == 4)
            for _ in 0..<4 { client.send(Requests.frame(1, Array(#"{"seen":1}"#.utf8))) }
            #expect(wait { engine.counts.withLock { $0.looks } == 8 })
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
        var seen: [String: (json: [String: Any], numbers: [Float])] = [:]
        var refused: [String] = []
        let types: Set = ["engines", "words", "state", "frame", "rays", "geometry", "detail", "refused", "pace"]
        for _ in 0..<120
        where Set(seen.keys) != types
            || refused.count < 2
        {
            guard let message = try read(client), let type = message.json["type"] as? String else { break }
            if seen[type] == nil || type == "detail" { seen[type] = message }
            if type == "frame" { client.send(Requests.frame(1, Array(#"{"seen":1}"#.utf8))) }
            if type == "refused" { refused.append(message.json["value"] as? String ?? "") }
        }
        #expect(Set(seen.keys) == types)
        #expect(refused == ["There is no source “9” any more.", "The request is not understood."])
        #expect(
            engine.counts.withLock { $0.commands } == [InspectorCommand(.mute, InspectedTarget(.source, 4), value: 1)])
        let scene = (seen["state"]?.json["value"] as? [String: Any])?["scene"] as? [String: Any]
        #expect(scene?["paths"] as? [Int] == [0, 0] && scene?["pathCount"] as? Int == 3)
        #expect(seen["state"]?.numbers.isEmpty ?? false)
        // The first frame has all paths. The numbers are behind the text, which says where.
        let frame = seen["frame"]?.json["value"] as? [String: Any]
        #expect(frame?["paths"] as? [Int] == [0, 42] && frame?["sourceRows"] as? [Int] == [0, 0])
        let numbers = try #require(seen["frame"]?.numbers)
        #expect(numbers.prefix(3) == [1, 0, 1] && numbers[14..<17] == [1, 1, 1])
    }

    /// Seconds of engine time of the next frame, which is taken.
    private func takeFrame(_ client: RawClient) throws -> Double {
        for _ in 0..<200 {
            let message = try #require(try read(client))
            guard message.json["type"] as? String == "frame" else { continue }
            client.send(Requests.frame(1, Array(#"{"seen":1}"#.utf8)))
            return try #require((message.json["value"] as? [String: Any])?["time"] as? Double)
        }
        throw POSIXError(.ETIMEDOUT)
    }

    @Test func engineThatIsHeldIsShownAsItWas() throws {
        let (inspector, port, token) = try inspector()
        let engine = FakeEngine(paths: 3)
        inspector.begin(engine)
        let client = try opened(port, token)
        for _ in 0..<8 { _ = try takeFrame(client) }
        engine.counts.withLock { $0.isHeld = true }
        // What was on its way, and then the same moment again and again.
        for _ in 0..<6 { _ = try takeFrame(client) }
        let time = try takeFrame(client)
        for _ in 0..<12 { #expect(try takeFrame(client) == time) }
        #expect(inspector.pace.counts.held >= 12)
        engine.counts.withLock { $0.isHeld = false }
        var now = time
        for _ in 0..<12 where now == time { now = try takeFrame(client) }
        #expect(now > time)
    }

    @Test func ticksThatWereLateAreMadeUpFor() throws {
        let (inspector, port, token) = try inspector()
        let engine = FakeEngine()
        inspector.begin(engine)
        let client = try opened(port, token)
        for _ in 0..<6 { _ = try takeFrame(client) }
        let before = inspector.pace.counts.late
        // Three intervals.
        engine.counts.withLock { $0.delay = 0.1 }
        for _ in 0..<20 { _ = try takeFrame(client) }
        let pace = inspector.pace
        #expect(pace.counts.late >= before + 2)
        #expect(pace.counts.due == pace.counts.sent + pace.owed + pace.counts.lostByPages + pace.counts.lostByWatch)
    }

    /// Of a page that has all paths and of one that comes later: both are told what the second look changes.
    @Test func pagesThatComeLaterHaveEverythingFirst() throws {
        let (inspector, port, token) = try inspector()
        let engine = FakeEngine(paths: 40)
        inspector.begin(engine)
        let first = try opened(port, token)
        var kinds: [String] = []
        func follow(_ client: RawClient, until isDone: ([String: Any], [Float]) -> Bool) throws {
            for _ in 0..<200 {
                guard let message = try read(client), let type = message.json["type"] as? String else { return }
                kinds.append(type)
                guard type == "frame", let value = message.json["value"] as? [String: Any] else { continue }
                client.send(Requests.frame(1, Array(#"{"seen":1}"#.utf8)))
                if isDone(value, message.numbers) { return }
            }
            Issue.record("no such frame in 200 messages")
        }
        try follow(first) { value, _ in (value["paths"] as? [Int])?[1] == 40 * 14 }
        // One of forty moves with every look.
        try follow(first) { value, numbers in
            guard let place = value["pathChanges"] as? [Int] else { return false }
            return place[1] == 14 && numbers[place[0] + 1] == 7
        }
        kinds = []
        let second = try opened(port, token)
        try follow(second) { value, _ in (value["paths"] as? [Int])?[1] == 40 * 14 }
        #expect(Set(kinds).isSuperset(of: ["engines", "geometry", "words", "state", "rays", "frame"]))
        try follow(second) { value, _ in (value["pathChanges"] as? [Int])?[1] == 14 }
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
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        for _ in 0..<100 {
            for client in clients { server.send(text, to: client, .lasting) }
            #expect(quick.readMessage()?.count == 100_000)
        }
        #expect(wait { events.withLock { $0.closed } == [clients[0]] })
        server.send(text, to: clients[1], .lasting)
        #expect(quick.readMessage()?.count == 100_000)
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

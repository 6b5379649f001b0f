import OssicleCore
import Synchronization
import Testing
@testable import OssicleMIDI

/// Keeps what a receiver gets.
final class Inbox: Sendable {
    private let content = Mutex<[(packets: MIDIPackets, context: UInt)]>([])
    var receive: MIDIReceiver {
        { packets, context in self.content.withLock { $0.append((packets, context)) } }
    }
    var packets: [MIDIPackets] { content.withLock { $0.map(\.packets) } }
    var contexts: [UInt] { content.withLock { $0.map(\.context) } }
    var bytes: [UInt8] {
        packets.flatMap { packets -> [UInt8] in
            if case .bytes(let list) = packets { list.flatMap(\.bytes) } else { [] }
        }
    }
    var times: [UInt64] {
        packets.flatMap { packets -> [UInt64] in
            switch packets {
            case .bytes(let list): list.map(\.time)
            case .words(let list, _): list.map(\.time)
            }
        }
    }
}

func bytes(_ bytes: [UInt8], at time: UInt64 = 0) -> MIDIPackets { .bytes([MIDIBytePacket(time: time, bytes: bytes)]) }

@Suite("MIDI hub") struct HubTests {
    private let hub = MIDIHub(clock: .manual)
    private var client: HubID { hub.createClient(name: "test") }

    private func refusal(_ body: () throws -> Void) -> HubRefusal? {
        do { try body() } catch { return (error as? HubFault)?.kind }
        return nil
    }

    @Test("A source reaches the ports connected to it, each in its form and with its context")
    func source() throws {
        let client = client
        let source = try hub.createSource(client: client, name: "keys", protocol: .midi1)
        let inboxes = [Inbox(), Inbox(), Inbox()]
        let forms: [MIDIForm] = [.bytes, .words(.midi1), .words(.midi2)]
        for (index, form) in forms.enumerated() {
            let port = try hub.createInputPort(client: client, name: "in", form: form, receive: inboxes[index].receive)
            try hub.connect(port: port, to: source, context: UInt(index + 1))
        }
        hub.advance(to: 50)
        try hub.receive(bytes([0x90, 60, 127]), from: source)
        #expect(inboxes.map(\.contexts) == [[1], [2], [3]])
        #expect(inboxes[0].packets == [.bytes([MIDIBytePacket(time: 50, bytes: [0x90, 60, 127])])])
        #expect(inboxes[1].packets == [.words([MIDIWordPacket(time: 50, words: [0x2090_3C7F])], .midi1)])
        #expect(inboxes[2].packets == [.words([MIDIWordPacket(time: 50, words: [0x4090_3C00, 0xFFFF_0000])], .midi2)])
    }

    @Test("Packets wait for their time and arrive in its order, those of one time as they were sent")
    func schedule() throws {
        let inbox = Inbox()
        let client = client
        let port = try hub.createOutputPort(client: client, name: "out")
        let target = try hub.createDestination(client: client, name: "synth", form: .bytes, receive: inbox.receive)
        let times: [UInt64] = [700, 100, 400, 100, 0, 900]
        for (index, time) in times.enumerated() {
            try hub.send(bytes([0x90, UInt8(index), 1], at: time), port: port, to: target)
        }
        #expect(inbox.bytes == [0x90, 4, 1])
        hub.advance(to: 399)
        #expect(inbox.bytes.count == 9)
        hub.advance(to: 2000)
        #expect(inbox.times == [0, 100, 100, 400, 700, 900])
        #expect(stride(from: 1, to: 18, by: 3).map { inbox.bytes[$0] } == [4, 1, 3, 2, 0, 5])
        #expect(hub.now == 2000)
    }

    @Test("A destination may have its messages early, and flushing drops what waits")
    func advanceAndFlush() throws {
        let inbox = Inbox()
        let client = client
        let target = try hub.createDestination(
            client: client, name: "driver", form: .words(.midi2), receive: inbox.receive)
        try hub.setProperty(HubProperty.advanceScheduleTime, of: target, to: .integer(2))
        try hub.send([0x4090_3C00, 1 << 31], protocol: .midi2, at: 5000, to: target)
        try hub.send([0x4080_3C00, 1 << 31], protocol: .midi2, at: 9000, to: target)
        hub.advance(to: 2999)
        #expect(inbox.packets.isEmpty)
        hub.advance(to: 3000)
        #expect(inbox.times == [5000])
        try hub.flush(target)
        hub.advance(to: 20_000)
        #expect(inbox.times == [5000])
    }

    @Test("A receiver may send, connect and dispose of itself")
    func reentrance() throws {
        let inbox = Inbox()
        let client = client
        let echo = try hub.createDestination(client: client, name: "echo", form: .bytes, receive: inbox.receive)
        let first = try hub.createDestination(client: client, name: "first", form: .bytes) { [hub] packets, _ in
            guard case .bytes(let list) = packets else { return }
            try? hub.send(list[0].bytes, at: 0, to: echo)
            for id in hub.destinations where id != echo { try? hub.disposeEndpoint(id) }
        }
        try hub.send([0xC0, 5], at: 10, to: first)
        try hub.send([0xC0, 6], at: 20, to: first)
        hub.advance(to: 100)
        #expect(inbox.bytes == [0xC0, 5] && hub.destinations == [echo])
    }

    /// Disposes of its client at its end.
    private final class Owner: Sendable {
        let hub: MIDIHub
        let client: HubID
        init(_ hub: MIDIHub) { (self.hub, client) = (hub, hub.createClient(name: "owned")) }
        deinit { try? hub.disposeClient(client) }
    }

    @Test("A receiver may be the last that holds an object whose end calls the hub")
    func lastReference() throws {
        var owner: Owner? = Owner(hub)
        let first = try #require(owner).client
        let target = try hub.createDestination(client: first, name: "own", form: .bytes) { [owner] _, _ in
            withExtendedLifetime(owner) {}
        }
        owner = Owner(hub)
        let second = try #require(owner).client
        let notified = hub.createClient(name: "notified") { [owner] _ in withExtendedLifetime(owner) {} }
        owner = nil
        #expect(hub.kind(of: first) == .client && hub.kind(of: second) == .client)
        try hub.disposeEndpoint(target)
        hub.waitForNotifications()
        try hub.disposeClient(notified)
        #expect(hub.kind(of: first) == nil && hub.kind(of: second) == nil)
    }

    @Test("A system exclusive message in pieces arrives whole and in order")
    func sysExInPieces() throws {
        let inbox = Inbox()
        let client = client
        let port = try hub.createOutputPort(client: client, name: "out")
        let target = try hub.createDestination(client: client, name: "synth", form: .bytes, receive: inbox.receive)
        let message = [0xF0] + (0..<1000).map { UInt8($0 % 128) } + [0xF7]
        for start in stride(from: 0, to: message.count, by: 77) {
            try hub.send(bytes(Array(message[start..<min(start + 77, message.count)])), port: port, to: target)
        }
        #expect(inbox.bytes == message)
    }

    @Test("A long system exclusive message goes out no faster than the destination takes it")
    func sysExSpeed() throws {
        let inbox = Inbox()
        let client = client
        let target = try hub.createDestination(client: client, name: "synth", form: .bytes, receive: inbox.receive)
        try hub.setProperty(HubProperty.maxSysExSpeed, of: target, to: .integer(1000))
        let left = Mutex([0xF0] + [UInt8](repeating: 1, count: 766) + [0xF7])
        let ended = Mutex<[UInt64]>([])
        let request = SysExRequest { most in
            left.withLock { left in
                let piece = Array(left.prefix(most))
                left.removeFirst(piece.count)
                return piece
            }
        } completed: { [hub] in
            ended.withLock { $0.append(hub.now) }
        }
        try hub.send(request, to: target)
        #expect(inbox.bytes.count >= 250 && inbox.bytes.count <= 256)
        hub.advance(to: 1_000_000_000)
        #expect(inbox.bytes.count == 768 && ended.withLock { $0 } == [768_000_000])
    }

    @Test("Stale and wrong references are refused by kind")
    func stale() throws {
        let client = client
        let port = try hub.createOutputPort(client: client, name: "out")
        let input = try hub.createInputPort(client: client, name: "in", form: .bytes) { _, _ in }
        let source = try hub.createSource(client: client, name: "keys", protocol: .midi1)
        let none = bytes([])
        #expect(refusal { try hub.send(none, port: port, to: source) } == .wrongEndpointType)
        #expect(refusal { try hub.send(none, port: input, to: source) } == .invalidPort)
        #expect(refusal { try hub.disconnect(port: input, from: source) } == .noConnection)
        #expect(refusal { try hub.connect(port: port, to: source, context: 0) } == .invalidPort)
        try hub.disposeClient(client)
        #expect(refusal { try hub.disposeClient(client) } == .invalidClient)
        #expect(refusal { try hub.receive(none, from: source) } == .unknownEndpoint)
        #expect(refusal { try hub.disposePort(port) } == .invalidPort)
        #expect(refusal { _ = try hub.createOutputPort(client: client, name: "") } == .invalidClient)
        for id in 0...20 as ClosedRange<HubID> {
            #expect(refusal { try hub.disposeEndpoint(id) } == .unknownEndpoint)
            #expect(refusal { _ = try hub.contents(of: id) } == .objectNotFound)
        }
        #expect(hub.sources.isEmpty)
    }

    @Test("Notifications come in the order of the changes")
    func notifications() throws {
        let heard = Mutex<[HubNotification]>([])
        let client = hub.createClient(name: "listener") { notification in heard.withLock { $0.append(notification) } }
        let source = try hub.createSource(client: client, name: "keys", protocol: .midi1)
        try hub.setProperty("name", of: source, to: .string("organ"))
        try hub.disposeEndpoint(source)
        hub.waitForNotifications()
        #expect(
            heard.withLock { $0 } == [
                .objectAdded(parent: 0, nil, child: source, .source), .setupChanged,
                .propertyChanged(object: source, .source, name: "name"),
                .objectRemoved(parent: 0, nil, child: source, .source), .setupChanged,
            ])
        try hub.disposeClient(client)
        hub.restart()
        #expect(heard.withLock { $0.count } == 5)
    }

    @Test("The host's clock delivers on a thread of the hub's, in order")
    func hostClock() async throws {
        let hub = MIDIHub(clock: .host)
        let inbox = Inbox()
        let client = hub.createClient(name: "test")
        let target = try hub.createDestination(client: client, name: "synth", form: .bytes, receive: inbox.receive)
        let start = hub.now
        let arrived = DispatchGate()
        let last = try hub.createDestination(client: client, name: "last", form: .bytes) { _, _ in arrived.open() }
        for index in (0..<20 as Range<UInt8>).reversed() {
            try hub.send([0xC0, index], at: start + UInt64(index) * 1_000_000, to: target)
        }
        try hub.send([0xFE], at: start + 30_000_000, to: last)
        #expect(arrived.wait() && hub.now >= start + 30_000_000)
        #expect(inbox.bytes.count == 40 && Set(inbox.bytes).count == 21)
    }

    @Test("Threads that send, connect and dispose leave the hub in order")
    func threads() async throws {
        let hub = MIDIHub(clock: .host)
        let client = hub.createClient(name: "test")
        let source = try hub.createSource(client: client, name: "keys", protocol: .midi2)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let own = hub.createClient(name: "worker \(worker)")
                        let port = try? hub.createInputPort(client: own, name: "in", form: .bytes) { _, _ in }
                        if let port { try? hub.connect(port: port, to: source, context: 1) }
                        try? hub.receive(bytes([0x90, 1, 1]), from: source)
                        try? hub.disposeClient(own)
                    }
                }
            }
        }
        #expect(hub.sources == [source] && hub.state.withLock { $0.routes.listeners(of: source) } == [])
    }
}

import OssicleCore
import OssicleDevices
import Synchronization
import Testing
@testable import OssicleMIDI

/// A service that does what the test says.
private final class StandIn: MIDIBackend {
    let name = "stand-in"
    let advance: UInt64 = 3000
    private let events = Mutex<(@Sendable (MIDIBackendEvent) -> Void)?>(nil)
    let sent = Mutex<[String]>([])
    private let first: [MIDIPortInfo]

    init(_ first: [MIDIPortInfo]) { self.first = first }

    func start(_ events: @escaping @Sendable (MIDIBackendEvent) -> Void) throws(DeviceError) {
        self.events.withLock { $0 = events }
        events(.ports(first))
    }

    func send(_ bytes: [UInt8], at time: UInt64, to port: String) {
        sent.withLock { $0.append("\(port) \(time) \(bytes)") }
    }

    func stop() { events.withLock { $0 = nil } }

    func report(_ event: MIDIBackendEvent) { events.withLock { $0 }?(event) }
}

@Suite("MIDI backends") struct BackendTests {
    private let hub = MIDIHub(clock: .manual)
    private let keys = MIDIPortInfo(id: "20:0", name: "Keys MIDI 1", device: "Keys", direction: .source)
    private let lamps = MIDIPortInfo(id: "20:0", name: "Keys MIDI 1", device: "Keys", direction: .destination)

    @Test("A keyboard is a device whose messages come and go at their times")
    func device() throws {
        let backend = StandIn([keys, lamps])
        let devices = BackendDevices({ backend }, at: hub)
        try devices.start()
        #expect(hub.devices.count == 1 && hub.sources.count == 1 && hub.destinations.count == 1)
        #expect(try hub.property("name", of: hub.devices[0], as: .string) == .string("Keys"))
        #expect(try hub.property("driver", of: hub.sources[0], as: .string) == .string("stand-in"))
        #expect(try hub.property("displayName", of: hub.sources[0], as: .string) == .string("Keys MIDI 1"))
        let inbox = Inbox()
        let port = try hub.createInputPort(
            client: hub.createClient(name: "app"), name: "in", form: .bytes, receive: inbox.receive)
        try hub.connect(port: port, to: hub.sources[0], context: 0)
        backend.report(.received([0x90, 60, 1], at: 77, port: "20:0"))
        backend.report(.received([0x90, 60, 1], at: 78, port: "9:9"))
        #expect(inbox.bytes == [0x90, 60, 1] && inbox.times == [77])
        try hub.send([0xC0, 1], at: 10_000, to: hub.destinations[0])
        hub.advance(to: 6999)
        #expect(backend.sent.withLock { $0.isEmpty })
        hub.advance(to: 7000)
        #expect(backend.sent.withLock { $0 } == ["20:0 10000 [192, 1]"])
    }

    @Test("A device that goes is offline, keeps its references and comes back")
    func hotPlug() throws {
        let heard = Mutex<[HubNotification]>([])
        let backend = StandIn([])
        let devices = BackendDevices({ backend }, at: hub)
        try devices.start()
        _ = hub.createClient(name: "app") { notification in heard.withLock { $0.append(notification) } }
        backend.report(.ports([keys]))
        let (device, source) = (hub.devices[0], hub.sources[0])
        backend.report(.ports([]))
        #expect(try hub.property("offline", of: source, as: .integer) == .integer(1))
        backend.report(.ports([lamps, keys]))
        #expect(try hub.property("offline", of: device, as: .integer) == .integer(0))
        #expect(hub.devices == [device] && hub.sources == [source] && hub.destinations.count == 1)
        backend.report(.lost(.gone(device: "stand-in", detail: "test")))
        #expect(try hub.property("offline", of: device, as: .integer) == .integer(1))
        #expect(devices.isLost)
        try devices.start()
        backend.report(.ports([keys]))
        #expect(!devices.isLost && hub.sources == [source])
        #expect(try hub.property("offline", of: device, as: .integer) == .integer(0))
        hub.waitForNotifications()
        let changes = heard.withLock { $0 }
        #expect(changes.filter { $0 == .propertyChanged(object: device, .device, name: "offline") }.count == 4)
        #expect(changes.contains(.objectAdded(parent: 0, nil, child: device, .device)))
        #expect(changes.contains(.ioError(device: device, code: -10839)))
    }

    @Test("Where there is no sequencer, the reason says what to do", .enabled(if: !hasSequencer))
    func missing() {
        let error = #expect(throws: DeviceError.self) { try AlsaMIDIBackend().start { _ in } }
        #expect(error?.meansNoDevice == true)
        #expect(["snd-seq", "libasound"].contains { error?.reason.contains($0) == true })
    }

    private static var hasSequencer: Bool { (try? AlsaMIDIBackend().start { _ in }) != nil }
}

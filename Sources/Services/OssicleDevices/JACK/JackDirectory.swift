import CJack
import Dispatch
import Synchronization

/// What a JACK server knows of hardware.
enum JackDirectory {
    /// A server that says nothing for this many seconds is not there.
    static let patience = 1.5
    static let name = "JACK server"

    /// Asks once; throws `DeviceError.noServer` within `patience` where none runs.
    static func list() throws(DeviceError) -> DeviceList {
        try ServerReply.wait(label: "ossicle.jack.list", within: patience, device: name) { () throws(DeviceError) in
            list(at: try JackClient(name: "Ossicle list", device: name))
        }
    }

    static func list(at client: JackClient) -> DeviceList {
        DeviceList(outputs: devices(.output, at: client), inputs: devices(.input, at: client))
    }

    /// The owners of hardware ports, in the server's order; the first is the default.
    private static func devices(_ direction: DeviceInfo.Direction, at client: JackClient) -> [DeviceInfo] {
        let ports = client.ports(direction)
        var owners: [String] = []
        for owner in ports.map(JackClient.owner) where !owners.contains(owner) { owners.append(owner) }
        return owners.map { owner in info(owner, direction, at: client, isDefault: owner == owners.first) }
    }

    /// What one owner of ports is like as a device.
    static func info(
        _ owner: String, _ direction: DeviceInfo.Direction, at client: JackClient, isDefault: Bool = false
    ) -> DeviceInfo {
        let ports = client.ports(direction, of: owner)
        let rate = client.sampleRate
        let frames = ports.map { client.latency(ofPort: $0, direction) }.max() ?? 0
        return DeviceInfo(
            id: DeviceBackend.jack.id(of: owner), name: "\(owner) (JACK)", direction: direction, sampleRate: rate,
            channelCount: ports.count, isDefault: isDefault, channelLabels: JackRoles.labels(ofPorts: ports),
            backend: .jack,
            latency: rate > 0 ? Double(frames) / rate : 0)
    }
}

/// Follows a server's hardware by the registrations of ports. Belongs to one thread.
final class JackRegistrations: DeviceDirectory {
    /// What the server's threads report.
    private final class Notes: Sendable {
        let hasChanged = Atomic(false)
        let isOver = Atomic(false)
        let wake = DispatchSemaphore(value: 0)
    }

    private let client: JackClient
    private let notes = Notes()
    /// How often the list is still read after a registration: ports are listed a moment longer than they are there.
    private var looksLeft = 0

    init() throws(DeviceError) {
        client = try JackClient(name: "Ossicle watch", device: JackDirectory.name)
        let me = Unmanaged.passUnretained(notes).toOpaque()
        jack_set_port_registration_callback(
            client.handle,
            { _, _, me in
                guard let notes = JackRegistrations.notes(me) else { return }
                notes.hasChanged.store(true, ordering: .releasing)
                notes.wake.signal()
            }, me)
        client.whenServerEnds { [notes] in notes.isOver.store(true, ordering: .releasing) }
        guard client.activate() else {
            throw .rejected(device: JackDirectory.name, detail: "the server does not call")
        }
    }

    deinit {
        let (client, notes) = (client, notes)
        guard notes.isOver.load(ordering: .acquiring) else {
            client.deactivate()
            return
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + JackClient.grace) {
            withExtendedLifetime((client, notes)) {}
        }
    }

    func first() -> DeviceList { JackDirectory.list(at: client) }

    func next() throws(DeviceError) -> DeviceList? {
        _ = notes.wake.wait(timeout: .now() + 0.1)
        if notes.isOver.load(ordering: .acquiring) {
            throw .gone(device: JackDirectory.name, detail: "the JACK server ended")
        }
        if notes.hasChanged.exchange(false, ordering: .acquiring) { looksLeft = 5 }
        guard looksLeft > 0 else { return nil }
        looksLeft -= 1
        return JackDirectory.list(at: client)
    }

    private static func notes(_ pointer: UnsafeMutableRawPointer?) -> Notes? {
        pointer.map { Unmanaged<Notes>.fromOpaque($0).takeUnretainedValue() }
    }
}

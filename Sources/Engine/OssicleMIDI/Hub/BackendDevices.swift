import Dispatch
import OssicleCore
import OssicleDevices
import Synchronization

/// The ports of a backend as devices of a hub. A device that goes stays with the property `offline` and its references,
/// and works again when it comes back.
package final class BackendDevices: Sendable {
    private struct Port: Sendable {
        let device: String
        let endpoint: HubID
    }

    private struct Content: Sendable {
        var devices: [String: HubID] = [:]
        /// Entities of ports, by device and name.
        var sources: [String: Port] = [:]
        var destinations: [String: Port] = [:]
    }

    private let hub: MIDIHub
    private let makeBackend: @Sendable () -> any MIDIBackend
    private let backend = Mutex<(any MIDIBackend)?>(nil)
    private let isOver = Atomic(false)
    private let content = Mutex(Content())
    private let hasListed = DispatchSemaphore(value: 0)

    /// - Parameter makeBackend: called by each `start`.
    package init(_ makeBackend: @escaping @Sendable () -> any MIDIBackend, at hub: MIDIHub) {
        self.makeBackend = makeBackend
        self.hub = hub
    }

    /// Starts a backend and waits for its first list, a second at most. Throws where there is no such service, with the
    /// reason. Again where the service has ended and is back.
    package func start() throws(DeviceError) {
        let fresh = makeBackend()
        let before = backend.withLock { backend in
            defer { backend = fresh }
            return backend
        }
        before?.stop()
        isOver.store(false, ordering: .releasing)
        try fresh.start { [weak self] event in self?.take(event) }
        _ = hasListed.wait(timeout: .now() + 1)
    }

    /// Whether the service has ended.
    package var isLost: Bool { isOver.load(ordering: .acquiring) }
    private var current: (any MIDIBackend)? { backend.withLock { $0 } }

    package func stop() {
        current?.stop()
        content.withLock { update([], &$0) }
    }

    private func take(_ event: MIDIBackendEvent) {
        switch event {
        case .ports(let ports):
            content.withLock { update(ports, &$0) }
            hasListed.signal()
        case .received(let bytes, let time, let port):
            guard let source = content.withLock({ $0.sources[port]?.endpoint }) else { return }
            try? hub.receive(.bytes([MIDIBytePacket(time: time, bytes: bytes)]), from: source)
        case .lost:
            isOver.store(true, ordering: .releasing)
            let devices = content.withLock { content in
                update([], &content)
                return content.devices.sorted { $0.key < $1.key }.map(\.value)
            }
            for device in devices { hub.report(ioError: BackendDevices.lost, of: device) }
        }
    }

    /// `kMIDIServerStartErr`: the service behind a device has ended.
    private static let lost: Int32 = -10839

    private func update(_ ports: [MIDIPortInfo], _ content: inout Content) {
        var present: Set<String> = []
        for port in ports {
            present.insert(port.device)
            guard let device = device(port, &content) else { continue }
            add(port, to: device, &content)
        }
        for (name, device) in content.devices.sorted(by: { $0.key < $1.key }) {
            let isOffline: Int32 = present.contains(name) ? 0 : 1
            let known = try? hub.property(HubProperty.offline, of: device, as: .integer)
            guard known != .integer(isOffline) else { continue }
            try? hub.setProperty(HubProperty.offline, of: device, to: .integer(isOffline))
        }
    }

    private func device(_ port: MIDIPortInfo, _ content: inout Content) -> HubID? {
        if let known = content.devices[port.device] { return known }
        let device = hub.createDevice(name: port.device, manufacturer: "", model: port.device, isExternal: false)
        try? hub.setProperty(HubProperty.driver, of: device, to: .string(current?.name ?? ""))
        guard (try? hub.setInSetup(device, true, isExternal: false)) != nil else { return nil }
        content.devices[port.device] = device
        return device
    }

    private func add(_ port: MIDIPortInfo, to device: HubID, _ content: inout Content) {
        let isSource = port.direction == .source
        guard (isSource ? content.sources : content.destinations)[port.id] == nil else { return }
        guard
            let entity = try? hub.addEntity(
                to: device, name: port.name, protocol: .midi1, isEmbedded: false, sources: isSource ? 1 : 0,
                destinations: isSource ? 0 : 1),
            let endpoint = hub.children(of: entity, where: { $0.isEndpoint }).first
        else { return }
        let known = Port(device: port.device, endpoint: endpoint)
        guard !isSource else { return content.sources[port.id] = known }
        content.destinations[port.id] = known
        let microseconds = Int32(clamping: (current?.advance ?? 0) / 1000)
        try? hub.setProperty(HubProperty.advanceScheduleTime, of: endpoint, to: .integer(microseconds))
        try? hub.attach(endpoint, form: .bytes) { [weak self] packets, _ in
            guard case .bytes(let list) = packets, let backend = self?.current else { return }
            for packet in list { backend.send(packet.bytes, at: packet.time, to: port.id) }
        }
    }
}

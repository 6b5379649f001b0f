import CPulse

/// What an output and an input of a sound server share: which device, in what format, on which thread.
final class PulsePort: Sendable {
    let name: String
    let format: StreamFormat
    let meters = DeviceMeters()
    private let direction: DeviceInfo.Direction
    private let target: String?
    private let thread: PulseThread

    init(
        _ direction: DeviceInfo.Direction, sampleRate: Double?, channelCount: Int?, quantum: Int?, device: String?,
        server: String?, client: String
    ) throws(DeviceError) {
        name = PulseServer.name(server) + (device.map { ", \($0)" } ?? "")
        (self.direction, target) = (direction, device)
        // What no device can do is said before a server is looked for.
        _ = try StreamFormat(
            device: name, sampleRate: sampleRate ?? StreamFormat.standard.sampleRate,
            channelCount: channelCount ?? StreamFormat.standard.channelCount,
            quantum: quantum ?? DevicePreferences.standardQuantum)
        let found = try PulseServer.found(server, device: name)
        let info = try PulsePort.device(
            device, direction, in: PulseDirectory.list(device: name, server: found), name: name)
        let rate = sampleRate ?? info.sampleRate
        format = try StreamFormat(
            device: name, sampleRate: rate, channelCount: channelCount ?? info.channelCount,
            quantum: quantum ?? DevicePreferences.current.quantum(at: rate))
        thread = PulseThread(
            label: direction == .output ? "ossicle.pulse" : "ossicle.pulse.input", device: name, server: found,
            client: client, meters: meters)
    }

    func start(
        events: @escaping @Sendable (DeviceEvent) -> Void,
        work: @escaping @Sendable (PulseStream, PulseRoute) -> any PulseWork
    ) throws {
        let (direction, target, format, meters) = (direction, target, format, meters)
        try thread.start(events: events) { connection throws(DeviceError) in
            meters.reset()
            let stream = try PulseStream(direction, to: target, format: format, over: connection, meters: meters)
            return work(stream, try PulseRoute(of: stream, direction, events: events))
        }
    }

    func stop() -> Bool { thread.stop() }

    /// The device of that name, or the default for nil.
    private static func device(
        _ id: String?, _ direction: DeviceInfo.Direction, in list: DeviceList, name: String
    ) throws(DeviceError) -> DeviceInfo {
        if let id {
            guard let info = list[direction].first(where: { $0.id == id }) else {
                throw .noDevice(device: name, detail: "no \(direction) is called \(id)")
            }
            return info
        }
        guard let info = list.default(direction) else {
            throw .noDevice(device: name, detail: "no default \(direction)")
        }
        guard !info.isMonitor else { throw .noDevice(device: name, detail: "the default input only hears the output") }
        return info
    }
}

/// Tells what becomes of a stream's way through the server. Belongs to its connection's thread.
final class PulseRoute {
    private let stream: PulseStream
    private let directory: PulseDirectory
    private let events: @Sendable (DeviceEvent) -> Void
    private let direction: DeviceInfo.Direction
    private var route: StreamRoute

    /// Learns how things are before sound flows, so that every later change is an event.
    init(
        of stream: PulseStream, _ direction: DeviceInfo.Direction, events: @escaping @Sendable (DeviceEvent) -> Void
    ) throws(DeviceError) {
        let devices = direction == .output ? PA_SUBSCRIPTION_MASK_SINK : PA_SUBSCRIPTION_MASK_SOURCE
        let facilities = pa_subscription_mask_t(rawValue: devices.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
        self.direction = direction
        (self.stream, self.events, directory) = (stream, events, PulseDirectory(stream.connection, to: facilities))
        route = StreamRoute(direction, at: stream.deviceID, in: try directory.first())
    }

    /// Call after every turn of the connection; never waits. Throws when the server has no device any more: it may keep a
    /// stream that then stands still.
    func report() throws(DeviceError) {
        if stream.takeMove() { directory.doubt() }
        guard let list = directory.update() else { return }
        if list[direction].isEmpty {
            throw .noDevice(device: stream.connection.device, detail: "the last \(direction) went away")
        }
        route.note(list, at: stream.deviceID).forEach(events)
    }
}

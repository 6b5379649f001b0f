import CPulse

/// A device of the sound server of a Linux desktop: PulseAudio, or PipeWire in its place.
final class PulsePort: DevicePort {
    let name: String
    let format: DeviceFormat
    let meters = DeviceMeters()
    let transducer: Transducer
    private let direction: DeviceInfo.Direction
    private let target: DeviceTarget
    private let server: String
    private let thread: DeviceThread

    init(
        _ direction: DeviceInfo.Direction, _ wishes: FormatWishes, at target: DeviceTarget
    ) throws(DeviceError) {
        name = PulseServer.name(target.server) + (target.device.map { ", \($0)" } ?? "")
        (self.direction, self.target) = (direction, target)
        // What no device can do is said before a server is looked for.
        _ = try wishes.format(of: name)
        server = try PulseServer.found(target.server, device: name)
        let info = try PulsePort.device(
            target.device, direction, in: PulseDirectory.list(device: name, server: server), name: name)
        format = try wishes.format(
            of: name, sampleRate: info.sampleRate, channelCount: info.channelCount, stated: info.channelLabels)
        transducer = info.transducer
        thread = DeviceThread(
            label: direction == .output ? "ossicle.pulse" : "ossicle.pulse.input", device: name, meters: meters)
    }

    func start(_ callback: BlockCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let (name, server, direction, target, format, meters) = (name, server, direction, target, format, meters)
        try thread.start(within: PulseConnection.patience, events: events) { () throws(DeviceError) in
            let connection = try PulseConnection(device: name, server: server, client: target.client)
            let stream = try PulseStream(
                direction, to: target.device, format: format, over: connection, meters: meters)
            return PulseLoop(stream, try PulseRoute(of: stream, direction, events: events), callback, format)
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

/// Plays or records whenever the server is ready for it.
private final class PulseLoop: DeviceLoop {
    private let stream: PulseStream
    private let route: PulseRoute
    private let buffers: BlockBuffers
    private let callback: BlockCallback

    init(_ stream: PulseStream, _ route: PulseRoute, _ callback: BlockCallback, _ format: DeviceFormat) {
        (self.stream, self.route, self.callback) = (stream, route, callback)
        buffers = BlockBuffers(channelCount: format.channelCount, frameCount: format.quantum)
    }

    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError) {
        try stream.check()
        try route.report()
        switch callback {
        case .play(let render):
            while stream.wants(buffers), goOn() {
                buffers.render(render, hostTime: stream.timing.time())
                buffers.interleave()
                try stream.write(buffers)
            }
        case .record(let receive):
            try stream.read(by: buffers, receive, goOn)
        }
        try stream.connection.turn()
    }

    func finish() { if case .play = callback, !CorkedStreams.keep(stream, with: self) { stream.drain() } }
}

/// Reports what becomes of a stream's route through the server. Belongs to its connection's thread.
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
        stream.timing.isPipeWire = directory.isPipeWire
    }

    /// Call after every turn of the connection; never waits. Throws when the server has no device any more: it may keep
    /// a stream that then stands still.
    func report() throws(DeviceError) {
        if stream.takeMove() { directory.doubt() }
        guard let list = directory.update() else { return }
        if list[direction].isEmpty {
            throw .noDevice(device: stream.connection.device, detail: "the last \(direction) went away")
        }
        route.note(list, at: stream.deviceID).forEach(events)
    }
}

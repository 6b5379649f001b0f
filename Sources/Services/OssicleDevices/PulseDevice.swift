/// An output of the sound server of a Linux desktop: PulseAudio, or PipeWire in its place.
///
/// A server that hangs without breaking the connection is noticed by libpulse after about 30 seconds, and the device is
/// lost then.
package final class PulseDevice: OutputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: PulsePort

    /// Asks the server for the device; throws `DeviceError` within two seconds where there is none.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for the device's own. - channelCount: nil for the device's own.
    ///   - quantum: frames at a time; nil for what `DevicePreferences` ask.
    ///   - device: a `DeviceInfo.id`; nil for the default output, which is followed when the user chooses another.
    ///   - server: as in PULSE_SERVER; nil for the user's own. - client: what mixers call the program.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil, device: String? = nil,
        server: String? = nil, client: String = "Ossicle"
    ) throws {
        port = try PulsePort(
            .output, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device,
            server: server, client: client)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }
    package var scheduling: DeviceScheduling { port.meters.scheduling }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let format = port.format
        try port.start(events: events) { stream, route in Playing(stream, route, format, render) }
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

/// Asks for sound whenever the server does.
private final class Playing: PulseWork {
    private let stream: PulseStream
    private let route: PulseRoute
    private let buffers: BlockBuffers
    private let render: RenderCallback

    init(_ stream: PulseStream, _ route: PulseRoute, _ format: StreamFormat, _ render: @escaping RenderCallback) {
        (self.stream, self.route, self.render) = (stream, route, render)
        buffers = BlockBuffers(channelCount: format.channelCount, frameCount: format.quantum)
    }

    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError) {
        try stream.check()
        try route.report()
        while stream.wants(buffers), goOn() {
            buffers.render(render, hostTime: HostClock.time(HostClock.now, movedBy: stream.measureLatency()))
            buffers.interleave()
            try stream.write(buffers)
        }
    }

    func finish() { stream.drain() }
}

/// An input of the sound server of a Linux desktop: PulseAudio, or PipeWire in its place.
///
/// A server that hangs without breaking the connection is noticed by libpulse after about 30 seconds, and the input is
/// lost then.
package final class PulseInput: InputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: PulsePort

    /// Asks the server for the device; throws `DeviceError` within two seconds where there is none.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for the device's own. - channelCount: nil for the device's own.
    ///   - quantum: frames at a time; nil for what `DevicePreferences` ask.
    ///   - device: a `DeviceInfo.id`; nil for the default input, which is followed when the user chooses another.
    ///     Servers without a
    ///     microphone call the monitor of the output their default: that is refused here, for it would feed back, and taken when named.
    ///   - server: as in PULSE_SERVER; nil for the user's own. - client: what mixers call the program.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil, device: String? = nil,
        server: String? = nil, client: String = "Ossicle"
    ) throws {
        port = try PulsePort(
            .input, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device,
            server: server, client: client)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }
    package var scheduling: DeviceScheduling { port.meters.scheduling }

    package func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let format = port.format
        try port.start(events: events) { stream, route in Recording(stream, route, format, receive) }
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

/// Hands over sound whenever the server does.
private final class Recording: PulseWork {
    private let stream: PulseStream
    private let route: PulseRoute
    private let buffers: BlockBuffers
    private let receive: ReceiveCallback

    init(_ stream: PulseStream, _ route: PulseRoute, _ format: StreamFormat, _ receive: @escaping ReceiveCallback) {
        (self.stream, self.route, self.receive) = (stream, route, receive)
        buffers = BlockBuffers(channelCount: format.channelCount, frameCount: format.quantum)
    }

    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError) {
        try stream.check()
        try route.report()
        try stream.read(by: buffers, receive, goOn)
    }

    func finish() {}
}

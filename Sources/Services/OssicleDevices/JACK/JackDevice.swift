/// An output of a JACK server. The server's cycle calls; nothing lies between it and the render callback.
package final class JackDevice: OutputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: JackPort

    /// Asks the server for the device; throws `DeviceError` within two seconds where there is none. No server is
    /// started.
    /// - Parameters:
    ///   - sampleRate: Hz; nil or the server's, which converts nothing: another one is `DeviceError.wrongRate`.
    ///   - channelCount: nil for the device's own. More than it has are added to those it has.
    ///   - quantum: frames at a time at most; nil for what `DevicePreferences` ask. The server's cycle is cut into
    ///     pieces of it, and is the quantum where it is shorter.
    ///   - device: the client that owns the ports, such as "system"; nil for the first with hardware.
    ///   - client: what other programs call this one.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil, device: String? = nil,
        client: String = "Ossicle"
    ) throws {
        port = try JackPort(
            .output, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device,
            client: client)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    deinit { _ = port.stop() }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try port.start(.play(render), events: events)
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

/// An input of a JACK server.
package final class JackInput: InputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: JackPort

    /// As `JackDevice.init`; channels the device does not have repeat those it has.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil, device: String? = nil,
        client: String = "Ossicle"
    ) throws {
        port = try JackPort(
            .input, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device,
            client: client)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    deinit { _ = port.stop() }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }

    package func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try port.start(.record(receive), events: events)
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

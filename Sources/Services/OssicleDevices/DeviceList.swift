/// The devices of a sound server at one moment.
package struct DeviceList: Sendable, Hashable {
    package let outputs: [DeviceInfo]
    package let inputs: [DeviceInfo]

    package init(outputs: [DeviceInfo] = [], inputs: [DeviceInfo] = []) {
        (self.outputs, self.inputs) = (outputs, inputs)
    }

    /// Asks the server; throws `DeviceError.noServer` within two seconds where none answers.
    /// - Parameter server: as in PULSE_SERVER; nil for the user's own.
    package static func current(server: String? = nil) throws(DeviceError) -> DeviceList {
        let name = PulseServer.name(server)
        return try PulseDirectory.list(device: name, server: PulseServer.found(server, device: name))
    }

    package var defaultOutput: DeviceInfo? { outputs.first(where: \.isDefault) }
    /// Where there is no microphone, servers say the monitor of the default output here.
    package var defaultInput: DeviceInfo? { inputs.first(where: \.isDefault) }
    /// The default input if it is a microphone: what `DefaultInput` opens.
    package var defaultMicrophone: DeviceInfo? { defaultInput.flatMap { $0.isMonitor ? nil : $0 } }

    package subscript(direction: DeviceInfo.Direction) -> [DeviceInfo] {
        switch direction {
        case .output: outputs
        case .input: inputs
        }
    }

    package func `default`(_ direction: DeviceInfo.Direction) -> DeviceInfo? {
        self[direction].first(where: \.isDefault)
    }
}

/// A device that can be opened.
package struct DeviceInfo: Sendable, Hashable, Identifiable {
    package enum Direction: Sendable, Hashable { case output, input }

    /// The server's name of it, the same after a restart; opens the device.
    package let id: String
    /// What people call it.
    package let name: String
    package let direction: Direction
    /// Hz, native.
    package let sampleRate: Double
    /// Native.
    package let channelCount: Int
    /// Whether it is what programs get that name none.
    package let isDefault: Bool
    /// An input that hears what an output plays, and no microphone.
    package let isMonitor: Bool
    /// Roles of the channels, numbered as Core Audio's labels; nil where they are unknown.
    package let channelLabels: [UInt32]?
    package let backend: DeviceBackend
    /// Seconds between a program and the device, before a stream adds its own; 0 where unknown.
    package let latency: Double
    /// As mixers show it: 1 leaves sound as it is; nil where unknown.
    package let volume: Double?
    /// Of an output.
    package let transducer: Transducer

    package init(
        id: String, name: String, direction: Direction, sampleRate: Double, channelCount: Int, isDefault: Bool = false,
        isMonitor: Bool = false, channelLabels: [UInt32]? = nil, backend: DeviceBackend = .pulse, latency: Double = 0,
        volume: Double? = nil, transducer: Transducer = .unknown
    ) {
        (self.id, self.name, self.direction) = (id, name, direction)
        (self.sampleRate, self.channelCount, self.isDefault, self.isMonitor) = (
            sampleRate, channelCount, isDefault, isMonitor
        )
        (self.channelLabels, self.backend, self.latency, self.volume) = (channelLabels, backend, latency, volume)
        self.transducer = transducer
    }

    func marked(default isDefault: Bool) -> DeviceInfo {
        DeviceInfo(
            id: id, name: name, direction: direction, sampleRate: sampleRate, channelCount: channelCount,
            isDefault: isDefault, isMonitor: isMonitor, channelLabels: channelLabels, backend: backend,
            latency: latency, volume: volume, transducer: transducer)
    }
}

/// The way of one stream: which device it is at, and what that device is like.
struct StreamRoute {
    private let direction: DeviceInfo.Direction
    private var list: DeviceList
    private var device: DeviceInfo?

    init(_ direction: DeviceInfo.Direction, at device: String, in list: DeviceList) {
        (self.direction, self.list) = (direction, list)
        self.device = list[direction].first { $0.id == device }
    }

    /// Takes note of how things are now. What changed for the stream: the default first, then its own device or what
    /// that sends sound out of, then that device's format.
    mutating func note(_ list: DeviceList, at id: String) -> [DeviceEvent] {
        var events: [DeviceEvent] = []
        if let change = list.defaultChange(direction, since: self.list) { events.append(.routeChanged(change)) }
        self.list = list
        // A device that is already gone while the stream is not yet moved: the move will follow.
        guard let now = list[direction].first(where: { $0.id == id }) else { return events }
        defer { device = now }
        if device?.id != now.id {
            events.append(.routeChanged(.moved(to: now.id)))
        } else if device?.transducer != now.transducer {
            events.append(.routeChanged(.transducer(now.transducer)))
        }
        if device.map({ $0.sampleRate != now.sampleRate || $0.channelCount != now.channelCount }) ?? false {
            events.append(.formatChanged(sampleRate: now.sampleRate, channelCount: now.channelCount))
        }
        return events
    }
}

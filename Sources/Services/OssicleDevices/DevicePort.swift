import Synchronization

/// One direction of a device, as its backend opens and runs it.
protocol DevicePort: AnyObject, Sendable {
    /// What errors call the device.
    var name: String { get }
    var format: DeviceFormat { get }
    var meters: DeviceMeters { get }
    /// What an output's sound comes out of.
    var transducer: Transducer { get }
    /// As `OutputDevice.start` and `InputDevice.start`. The callback is of the port's direction.
    func start(_ callback: BlockCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError)
    /// As `AudioDevice.stop`.
    func stop() -> Bool
}

extension DevicePort {
    var transducer: Transducer { .unknown }
}

/// What a device calls with each block, on its thread.
enum BlockCallback: Sendable {
    case play(RenderCallback)
    case record(ReceiveCallback)
}

extension DeviceTarget {
    /// Finds the device and agrees on a format with it, within two seconds. Throws `DeviceError` where that fails.
    func open(_ direction: DeviceInfo.Direction, _ wishes: FormatWishes) throws(DeviceError) -> any DevicePort {
        switch backend {
        case .pulse: try PulsePort(direction, wishes, at: self)
        case .jack: try JackPort(direction, wishes, at: self)
        case .alsa: try AlsaPort(direction, wishes, device: device ?? AlsaDirectory.defaultName)
        case .none: try SilentPort(direction, wishes)
        }
    }
}

/// A device of any backend.
package class PortDevice: AudioDevice, @unchecked Sendable {
    fileprivate let port: any DevicePort

    init(_ port: any DevicePort) { self.port = port }

    package var name: String { port.name }
    package var sampleRate: Double { port.format.sampleRate }
    package var channelCount: Int { port.format.channelCount }
    package var channelLabels: [UInt32]? { port.format.channelLabels }
    package var transducer: Transducer { port.transducer }
    package var quantum: Int { port.format.quantum }
    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }
    package var scheduling: DeviceScheduling { port.meters.scheduling }
    package var isSilent: Bool { port is SilentPort }

    @discardableResult package func stop() -> Bool { port.stop() }
}

package final class PortOutput: PortDevice, OutputDevice, @unchecked Sendable {
    /// Opens one device; throws `DeviceError` within two seconds where there is none.
    package convenience init(_ target: DeviceTarget, _ wishes: FormatWishes = FormatWishes()) throws(DeviceError) {
        self.init(try target.open(.output, wishes))
    }

    package func start(
        render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void
    ) throws {
        let mute = OutputMute()
        let audible: RenderCallback = { block in
            render(block)
            mute.apply(block, isMuted: OutputMute.isOn)
        }
        try port.start(.play(audible), events: events)
    }
}

package final class PortInput: PortDevice, InputDevice, @unchecked Sendable {
    /// As `PortOutput.init`.
    package convenience init(_ target: DeviceTarget, _ wishes: FormatWishes = FormatWishes()) throws(DeviceError) {
        self.init(try target.open(.input, wishes))
    }

    package func start(
        receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void
    ) throws {
        try port.start(.record(receive), events: events)
    }
}

/// What a device's thread measures and other threads read.
final class DeviceMeters: Sendable {
    private let latencyBits = Atomic(0.0.bitPattern)
    private let dropouts = Atomic(0)
    private let schedule = Atomic(DeviceScheduling().word)

    /// Seconds.
    var latency: Double { Double(bitPattern: latencyBits.load(ordering: .relaxed)) }
    var dropoutCount: Int { dropouts.load(ordering: .relaxed) }
    var scheduling: DeviceScheduling { DeviceScheduling(word: schedule.load(ordering: .relaxed)) }

    func set(latency: Double) { latencyBits.store(latency.bitPattern, ordering: .relaxed) }
    func set(scheduling: DeviceScheduling) { schedule.store(scheduling.word, ordering: .relaxed) }
    func countDropout() { dropouts.wrappingAdd(1, ordering: .relaxed) }

    func reset() {
        set(latency: 0)
        dropouts.store(0, ordering: .relaxed)
    }
}

import Foundation

/// An output of ALSA's: hardware, or what its configuration names.
package final class AlsaDevice: OutputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: AlsaPort

    /// Opens the device once and agrees on a format; throws `DeviceError` where that fails.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for 48 kHz or what the device has next to it.
    ///   - channelCount: nil for two or what the device has next to it.
    ///   - quantum: frames at a time; nil for what `DevicePreferences` ask. Becomes what the device can do.
    ///   - device: a pcm's name such as "hw:0", "plughw:1,0" or one of a configuration.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil,
        device: String = AlsaDirectory.defaultName
    ) throws {
        port = try AlsaPort(
            .output, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    deinit { _ = port.stop() }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try port.start(events: events) { stream throws(DeviceError) in
            stream.buffers.render(render, hostTime: HostClock.time(HostClock.now, movedBy: stream.measureLatency()))
            stream.buffers.interleave()
            try stream.write()
        }
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

/// An input of ALSA's.
package final class AlsaInput: InputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let port: AlsaPort

    /// As `AlsaDevice.init`.
    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil,
        device: String = AlsaDirectory.defaultName
    ) throws {
        port = try AlsaPort(
            .input, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: device)
        name = port.name
        (self.sampleRate, self.channelCount, self.quantum) = (
            port.format.sampleRate, port.format.channelCount, port.format.quantum
        )
    }

    deinit { _ = port.stop() }

    package var latency: Double { port.meters.latency }
    package var dropoutCount: Int { port.meters.dropoutCount }

    package func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try port.start(events: events) { stream throws(DeviceError) in
            let time = HostClock.time(HostClock.now, movedBy: -stream.measureLatency())
            guard try stream.read() else { return }
            let samples = stream.buffers.interleaved
            stream.buffers.deliver(samples, count: stream.format.quantum, to: receive, hostTime: time)
        }
    }

    @discardableResult package func stop() -> Bool { port.stop() }
}

/// What an output and an input of ALSA's share: which pcm, in what format, on which thread.
final class AlsaPort: Sendable {
    let name: String
    let format: StreamFormat
    let meters = DeviceMeters()
    private let direction: DeviceInfo.Direction
    private let pcm: String
    private let thread: DeviceThread

    init(
        _ direction: DeviceInfo.Direction, sampleRate: Double?, channelCount: Int?, quantum: Int?, device: String
    ) throws(DeviceError) {
        name = "ALSA device \(device)"
        // What no device can do is said before one is looked for.
        _ = try StreamFormat(
            device: name, sampleRate: sampleRate ?? StreamFormat.standard.sampleRate,
            channelCount: channelCount ?? StreamFormat.standard.channelCount, quantum: quantum ?? 0)
        (self.direction, pcm, thread) = (direction, device, DeviceThread(label: "ossicle.alsa"))
        format = try AlsaStream(
            device, direction, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, meters: meters
        ).format
    }

    /// Opens the device on its thread; throws what was in the way within two seconds.
    /// - Parameter turn: called when a block can be written or read.
    func start(
        events: @escaping @Sendable (DeviceEvent) -> Void,
        turn: @escaping @Sendable (AlsaStream) throws(DeviceError) -> Void
    ) throws {
        let opening = ServerReply<Void>()
        let (pcm, direction, format, meters) = (pcm, direction, format, meters)
        let isFirst = thread.start { goOn in
            do throws(DeviceError) {
                meters.reset()
                let stream = try AlsaStream(
                    pcm, direction, sampleRate: format.sampleRate, channelCount: format.channelCount,
                    quantum: format.quantum, meters: meters)
                guard opening.finish(.success(())) else { return }
                AlsaPort.run(stream, events, goOn, turn)
            } catch {
                opening.finish(.failure(error))
            }
        }
        guard isFirst else { throw DeviceError.alreadyRunning(device: name) }
        do {
            try opening.value(within: DeviceThread.patience, device: name)
        } catch {
            thread.abandon()
            throw error
        }
    }

    func stop() -> Bool { thread.stop() }

    private static func run(
        _ stream: AlsaStream, _ events: @Sendable (DeviceEvent) -> Void, _ goOn: DeviceThread.GoOn,
        _ turn: @Sendable (AlsaStream) throws(DeviceError) -> Void
    ) {
        events(.started)
        do throws(DeviceError) {
            try stream.begin()
            while goOn() {
                if try stream.waitForBlock() { try turn(stream) }
            }
            events(.stopped)
        } catch {
            events(.lost(error))
        }
    }
}

import OssicleCoreAudioTypes
import OssicleDevices
import OssicleRender

/// The engine at its devices: the output's thread renders, the input's brings what it captures.
final class DeviceSession: @unchecked Sendable {
    /// There if the graph has live input.
    private(set) var capture: DeviceCapture?
    let sampleRate: Double
    let channelCount: Int
    private let device: any OutputDevice
    private let executor: Executor
    private let gate: RenderGate
    private let clock: RenderClock
    private let lag = DeviceLag()
    private weak var machine: EngineMachine?
    private var isStarted = false

    init(_ machine: EngineMachine, _ device: any OutputDevice) {
        (self.machine, self.device) = (machine, device)
        (sampleRate, channelCount) = (device.sampleRate, device.channelCount)
        (executor, gate, clock) = (machine.executor, machine.gate, machine.clock)
    }

    /// Seconds from rendering to the ear.
    var latency: TimeInterval { device.latency }

    /// Opens the default input; starts it too, if the session has started.
    func openCapture() throws {
        guard capture == nil else { return }
        let opened = try DeviceCapture(sampleRate: sampleRate, outputQuantum: device.quantum, clock: clock)
        if isStarted { try opened.start { [weak machine] in machine?.deviceTold($0) } }
        capture = opened
    }

    func start() throws {
        let rate = sampleRate
        let events: @Sendable (DeviceEvent) -> Void = { [weak machine] event in machine?.deviceTold(event) }
        clock.anchor(frame: executor.position, rate: rate, hostTime: HostClock.now)
        try capture?.start(events)
        do {
            try render(to: device, rate, events)
        } catch {
            capture?.halt()
            clock.release()
            throw error
        }
        isStarted = true
    }

    private func render(to device: any OutputDevice, _ rate: Double, _ events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let (executor, gate, clock, lag) = (executor, gate, clock, lag)
        try device.start(render: { block in
            lag.note(due: block.hostTime)
            guard gate.enter() else { return }
            clock.anchor(frame: executor.position, rate: rate, hostTime: HostClock.now)
            executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
            gate.leave()
        }, events: events)
    }

    /// Looks whether the engine keeps up.
    /// - Returns: whether an overload begins.
    func check(_ watch: inout OverloadWatch) -> Bool {
        watch.follow(lag: lag.seconds, dropouts: device.dropoutCount, at: Double(HostClock.now) / 1e9)
    }

    /// Returns when the last callback has; it may be started again.
    func halt() {
        isStarted = false
        device.stop()
        capture?.halt()
        clock.release()
        lag.clear()
    }
}

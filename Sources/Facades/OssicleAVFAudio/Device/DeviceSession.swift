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
        let (executor, gate, clock) = (executor, gate, clock)
        try device.start(render: { block in
            guard gate.enter() else { return }
            clock.anchor(frame: executor.position, rate: rate, hostTime: HostClock.now)
            executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
            gate.leave()
        }, events: events)
    }

    /// Returns when the last callback has; it may be started again.
    func halt() {
        isStarted = false
        device.stop()
        capture?.halt()
        clock.release()
    }
}

import OssicleAVFAudio
import OssicleDevices
import OssicleRender

/// The engine at a device, whose thread renders.
final class DeviceSession: @unchecked Sendable {
    private let device: any OutputDevice
    private let executor: Executor
    private let gate: RenderGate
    private let clock: RenderClock
    private let lag = DeviceLag()
    private weak var core: EngineCore?

    init(core: EngineCore, device: any OutputDevice) {
        (self.core, self.device) = (core, device)
        (executor, gate, clock) = (core.executor, core.outlets.gate, core.outlets.clock)
    }

    var sampleRate: Double { device.sampleRate }
    var channelCount: Int { device.channelCount }

    func start() throws {
        let (executor, gate, clock, lag, rate) = (executor, gate, clock, lag, sampleRate)
        clock.anchor(frame: executor.position, rate: rate, hostTime: HostClock.now)
        try device.start(render: { block in
            lag.note(due: block.hostTime)
            guard gate.enter() else { return }
            clock.anchor(frame: executor.position, rate: rate, hostTime: block.hostTime)
            executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
            gate.leave()
        }, events: { [weak self] event in
            if case .lost(let error) = event, let self { core?.deviceWasLost(self, error) }
        })
    }

    func stop() { device.stop() }

    /// Looks whether the engine keeps up.
    /// - Returns: whether an overload begins.
    func check(_ watch: inout OverloadWatch) -> Bool {
        watch.follow(lag: lag.seconds, dropouts: device.dropoutCount, at: Double(HostClock.now) / 1e9)
    }
}

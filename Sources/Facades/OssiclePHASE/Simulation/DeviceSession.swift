import OssicleDevices
import OssicleRender

/// The engine at a device: the device's thread renders, another one updates the scene and keeps streams filled.
final class DeviceSession: @unchecked Sendable {
    private weak var core: EngineCore?
    private let executor: Executor
    private let device: any OutputDevice
    private let updates = UpdateClock(interval: 0.01)

    init(core: EngineCore, device: any OutputDevice) {
        (self.core, self.device) = (core, device)
        executor = core.executor
    }

    func start() throws {
        let executor = executor
        try device.start { block in
            executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
        }
        updates.start { [weak core] in core?.deviceTick() }
    }

    func stop() {
        updates.stop()
        device.stop()
    }
}

import OssicleDevices
import Synchronization

/// An output whose callbacks are counted and measured on their way to another.
final class SurveyedOutput: OutputDevice {
    private let device: any OutputDevice
    private let callbacks = Atomic(0)
    private let late = Atomic(0)
    /// Nanoseconds of the longest callback.
    private let longest = Atomic<UInt64>(0)

    init(_ device: any OutputDevice) { self.device = device }

    var name: String { device.name }
    var sampleRate: Double { device.sampleRate }
    var channelCount: Int { device.channelCount }
    var quantum: Int { device.quantum }
    var latency: Double { device.latency }
    var dropoutCount: Int { device.dropoutCount }
    var scheduling: DeviceScheduling { device.scheduling }
    var isSilent: Bool { device.isSilent }

    var callbackCount: Int { callbacks.load(ordering: .relaxed) }
    /// Callbacks that took longer than what they rendered lasts, or ended after the device was due to take it.
    var lateCount: Int { late.load(ordering: .relaxed) }
    /// Seconds.
    var longestCallback: Double { Double(longest.load(ordering: .relaxed)) * 1e-9 }

    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try device.start(
            render: { [self] block in
                let begin = HostClock.now
                render(block)
                note(from: begin, to: HostClock.now, due: block.hostTime, frames: block.frameCount)
            }, events: events)
    }

    @discardableResult func stop() -> Bool { device.stop() }

    private func note(from begin: UInt64, to end: UInt64, due: UInt64, frames: Int) {
        callbacks.wrappingAdd(1, ordering: .relaxed)
        let duration = end - begin
        if Double(duration) * 1e-9 > Double(frames) / sampleRate || end > due {
            late.wrappingAdd(1, ordering: .relaxed)
        }
        if duration > longest.load(ordering: .relaxed) { longest.store(duration, ordering: .relaxed) }
    }
}

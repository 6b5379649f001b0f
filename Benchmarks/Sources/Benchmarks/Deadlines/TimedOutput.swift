import Foundation
import Synchronization

@testable import OssicleDevices

/// The silent clock in blocks of `quantum` frames, with a stopwatch around every callback.
final class TimedOutput: OutputDevice, @unchecked Sendable {
    /// Nanoseconds of one callback: of the thread's processor time, and of the clock on the wall.
    struct Callback {
        let processor, wall: UInt64
    }

    private let device: PortOutput
    /// Written by the device's thread, up to `count`; what no longer fits is not kept.
    private let times: UnsafeMutablePointer<Callback>
    private let capacity: Int
    private let count = Atomic(0)

    /// - Parameter capacity: callbacks to be kept.
    init(quantum: Int, sampleRate: Double, capacity: Int) throws {
        device = PortOutput(
            try SilentPort(.output, FormatWishes(sampleRate: sampleRate, channelCount: 2, quantum: quantum)))
        times = .allocate(capacity: capacity)
        times.initialize(repeating: Callback(processor: 0, wall: 0), count: capacity)
        self.capacity = capacity
    }

    deinit { times.deallocate() }

    var name: String { device.name }
    var sampleRate: Double { device.sampleRate }
    var channelCount: Int { device.channelCount }
    var quantum: Int { device.quantum }
    var latency: Double { device.latency }
    var dropoutCount: Int { device.dropoutCount }
    var scheduling: DeviceScheduling { device.scheduling }

    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try device.start(
            render: { [self] block in
                let (wall, processor) = (Self.now(CLOCK_MONOTONIC), Self.now(CLOCK_THREAD_CPUTIME_ID))
                render(block)
                keep(
                    Callback(
                        processor: Self.now(CLOCK_THREAD_CPUTIME_ID) - processor, wall: Self.now(CLOCK_MONOTONIC) - wall
                    ))
            }, events: events)
    }

    func stop() -> Bool { device.stop() }

    private func keep(_ callback: Callback) {
        let index = count.load(ordering: .relaxed)
        guard index < capacity else { return }
        times[index] = callback
        count.store(index + 1, ordering: .releasing)
    }

    /// What was kept so far.
    var callbacks: [Callback] {
        Array(UnsafeBufferPointer(start: times, count: count.load(ordering: .acquiring)))
    }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

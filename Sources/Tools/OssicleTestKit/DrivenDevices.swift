import OssicleDevices
import Synchronization

/// An output that a test drives: it takes a block when the test says so, at a host time that the test knows, and keeps
/// what it took. One thread drives it; any may start and stop it.
package final class DrivenOutput: OutputDevice, @unchecked Sendable {
    package let name = "driven output"
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    package let latency: Double
    package let dropoutCount = 0
    /// Host time of frame 0, nanoseconds.
    package let origin: UInt64
    private let render = Mutex<RenderCallback?>(nil)

    // Of the thread that drives.
    /// What it took, channel by channel, one sample per frame of the device's clock.
    package private(set) var taken: [[Float]]

    /// - Parameters:
    ///   - latency: seconds from taking a frame to the loudspeaker.
    ///   - lead: seconds from now to frame 0. Later than any test lasts, so that what reads the machine's clock is found.
    package init(
        sampleRate: Double = 48_000, channelCount: Int = 2, quantum: Int = 512, latency: Double = 0.04,
        lead: Double = 1000
    ) {
        (self.sampleRate, self.channelCount, self.quantum) = (sampleRate, channelCount, quantum)
        self.latency = latency
        origin = HostClock.now + UInt64(lead * 1e9)
        taken = Array(repeating: [], count: channelCount)
    }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try self.render.withLock {
            guard $0 == nil else { throw DeviceError.alreadyRunning(device: name) }
            $0 = render
        }
        events(.started)
    }

    @discardableResult package func stop() -> Bool {
        render.withLock { $0 = nil }
        return true
    }

    /// Frames taken so far.
    package var position: Int { taken[0].count }

    /// When the device takes a frame.
    package func time(of frame: Int) -> UInt64 {
        origin + UInt64((Double(frame) / sampleRate * 1e9).rounded())
    }

    /// Takes blocks; silence while it is stopped.
    package func take(blocks: Int) {
        for _ in 0..<blocks {
            let count = channelCount * quantum
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
            let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
            defer {
                samples.deallocate()
                channels.deallocate()
            }
            samples.initialize(repeating: 0, count: count)
            for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * quantum) }
            render.withLock { $0 }?(
                OutputBlock(
                    channels: channels, channelCount: channelCount, frameCount: quantum, hostTime: time(of: position)))
            for channel in 0..<channelCount {
                taken[channel] += UnsafeBufferPointer(start: channels[channel], count: quantum)
            }
        }
    }

    /// When it takes the first sample of the first channel above a threshold; nil without one.
    package func onset(above threshold: Float = 0) -> UInt64? {
        taken[0].firstIndex { $0.magnitude > threshold }.map { time(of: $0) }
    }
}

/// An input that a test drives: frame i of every channel is `sample(i)`, captured at a host time that the test knows.
package final class DrivenInput: InputDevice, @unchecked Sendable {
    package let name = "driven input"
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    package let latency: Double
    package let dropoutCount = 0
    /// Host time of frame 0, nanoseconds.
    package let origin: UInt64
    private let receive = Mutex<ReceiveCallback?>(nil)
    private let sample: (Int) -> Float
    /// Frames captured so far. Of the thread that drives.
    private var position = 0

    package init(
        sampleRate: Double = 48_000, channelCount: Int = 1, quantum: Int = 256, latency: Double = 0.01,
        origin: UInt64, sample: @escaping (Int) -> Float
    ) {
        (self.sampleRate, self.channelCount, self.quantum) = (sampleRate, channelCount, quantum)
        (self.latency, self.origin, self.sample) = (latency, origin, sample)
    }

    package func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try self.receive.withLock {
            guard $0 == nil else { throw DeviceError.alreadyRunning(device: name) }
            $0 = receive
        }
        events(.started)
    }

    @discardableResult package func stop() -> Bool {
        receive.withLock { $0 = nil }
        return true
    }

    /// When a frame is captured.
    package func time(of frame: Int) -> UInt64 { origin + UInt64((Double(frame) / sampleRate * 1e9).rounded()) }

    /// Captures blocks; they are lost while it is stopped.
    package func capture(blocks: Int) {
        for _ in 0..<blocks {
            var samples = (0..<quantum).map { sample(position + $0) }
            samples.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                var channels = Array(repeating: base, count: channelCount)
                channels.withUnsafeMutableBufferPointer {
                    guard let planes = $0.baseAddress else { return }
                    receive.withLock { $0 }?(
                        InputBlock(
                            channels: planes, channelCount: channelCount, frameCount: quantum,
                            hostTime: time(of: position)))
                }
            }
            position += quantum
        }
    }
}

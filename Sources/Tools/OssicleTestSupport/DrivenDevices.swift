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
    package let channelLabels: [UInt32]?
    package let transducer: Transducer
    package let dropoutCount = 0
    /// Host time of frame 0, nanoseconds.
    package let origin: UInt64
    /// Refuses to start.
    package var isBusy: Bool {
        get { state.withLock { $0.isBusy } }
        set { state.withLock { $0.isBusy = newValue } }
    }
    private let state = Mutex(State())

    private struct State: Sendable {
        var render: RenderCallback?
        var events: (@Sendable (DeviceEvent) -> Void)?
        var isBusy = false
    }

    // Of the thread that drives.
    /// What it took, channel by channel, one sample per frame of the device's clock.
    package private(set) var taken: [[Float]]

    /// - Parameters:
    ///   - latency: seconds from taking a frame to the loudspeaker.
    ///   - stated: roles of the channels, as a server would state them. - transducer: the same of its loudspeakers.
    ///   - lead: seconds from now to frame 0. Later than any test lasts, so that what reads the machine's clock is
    ///     found.
    package init(
        sampleRate: Double = 48_000, channelCount: Int = 2, quantum: Int = 512, latency: Double = 0.04,
        stated: [UInt32]? = nil, transducer: Transducer = .unknown, lead: Double = 1000
    ) {
        (self.sampleRate, self.channelCount, self.quantum) = (sampleRate, channelCount, quantum)
        self.latency = latency
        channelLabels = DeviceChannels.rendered(channelCount, stated: stated)
        self.transducer = transducer
        origin = HostClock.now + UInt64(lead * 1e9)
        taken = Array(repeating: [], count: channelCount)
    }

    package var isRunning: Bool { state.withLock { $0.render != nil } }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try state.withLock {
            if $0.isBusy { throw DeviceError.busy(device: name) }
            guard $0.render == nil else { throw DeviceError.alreadyRunning(device: name) }
            ($0.render, $0.events) = (render, events)
        }
        events(.started)
    }

    @discardableResult package func stop() -> Bool { end(.stopped) }

    /// Ends as if it were pulled out.
    package func lose() { end(.lost(.gone(device: name, detail: "pulled out"))) }

    @discardableResult private func end(_ event: DeviceEvent) -> Bool {
        let events = state.withLock { state in
            defer { (state.render, state.events) = (nil, nil) }
            return state.events
        }
        events?(event)
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
        for _ in 0..<blocks { take(frames: quantum) }
    }

    /// Takes one block of a length of its own, and returns it channel by channel.
    @discardableResult package func take(frames: Int) -> [[Float]] {
        let planes = Planes(channelCount, frames) { _, _ in 0 }
        state.withLock { $0.render }?(
            OutputBlock(
                channels: planes.channels, channelCount: channelCount, frameCount: frames, hostTime: time(of: position))
        )
        let block = planes.samples
        for channel in 0..<channelCount { taken[channel] += block[channel] }
        return block
    }

    /// When it takes the first sample of the first channel above a threshold; nil without one.
    package func onset(above threshold: Float = 0) -> UInt64? {
        taken[0].firstIndex { $0.magnitude > threshold }.map { time(of: $0) }
    }
}

/// Memory of one block.
private final class Planes {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let count: Int
    private let frames: Int

    init(_ count: Int, _ frames: Int, _ sample: (_ frame: Int, _ channel: Int) -> Float) {
        (self.count, self.frames) = (count, frames)
        channels = .allocate(capacity: count)
        for channel in 0..<count {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            for frame in 0..<frames { (plane + frame).initialize(to: sample(frame, channel)) }
            (channels + channel).initialize(to: plane)
        }
    }

    deinit {
        for channel in 0..<count { channels[channel].deallocate() }
        channels.deallocate()
    }

    var samples: [[Float]] { (0..<count).map { Array(UnsafeBufferPointer(start: channels[$0], count: frames)) } }
}

/// An input that a test drives: its frame i is `sample(i, channel)`, captured at a host time that the test knows.
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
    private let sample: (Int, Int) -> Float
    /// Frames captured so far. Of the thread that drives.
    private var position = 0

    package init(
        sampleRate: Double = 48_000, channelCount: Int = 1, quantum: Int = 256, latency: Double = 0.01,
        origin: UInt64, sample: @escaping (_ frame: Int, _ channel: Int) -> Float
    ) {
        (self.sampleRate, self.channelCount, self.quantum) = (sampleRate, channelCount, quantum)
        (self.latency, self.origin, self.sample) = (latency, origin, sample)
    }

    package var isRunning: Bool { receive.withLock { $0 != nil } }

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
        for _ in 0..<blocks { capture(frames: quantum) }
    }

    /// Captures one block of a length of its own.
    package func capture(frames: Int) {
        let planes = Planes(channelCount, frames) { sample(position + $0, $1) }
        withExtendedLifetime(planes) {
            receive.withLock { $0 }?(
                InputBlock(
                    channels: planes.channels, channelCount: channelCount, frameCount: frames,
                    hostTime: time(of: position)))
        }
        position += frames
    }
}

import Foundation

/// A device without a loudspeaker: keeps the pace of one by the monotonic clock and throws the sound away.
///
/// No block is ever skipped: when the callback was late, the next ones come at once until the clock is caught up with.
package final class NullDevice: OutputDevice {
    package let name = "null device"
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    package let latency = 0.0
    package let dropoutCount = 0
    private let thread = DeviceThread(label: "ossicle.null")

    package init(sampleRate: Double = 48000, channelCount: Int = 2, quantum: Int = 512) throws {
        let format = try StreamFormat(
            device: name, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum)
        (self.sampleRate, self.channelCount, self.quantum) = (format.sampleRate, format.channelCount, format.quantum)
    }

    deinit { thread.stop() }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let (rate, channels, frames) = (sampleRate, channelCount, quantum)
        let isFirst = thread.start { goOn in
            let buffers = BlockBuffers(channelCount: channels, frameCount: frames)
            let pace = Pace(sampleRate: rate)
            var played = 0
            events(.started)
            while goOn() {
                buffers.render(render, hostTime: pace.time(ofFrame: played))
                played += frames
                pace.wait(untilFrame: played)
            }
            events(.stopped)
        }
        if !isFirst { throw DeviceError.alreadyRunning(device: name) }
    }

    @discardableResult package func stop() -> Bool { thread.stop() }
}

/// A device without a microphone: hands over silence at the pace of one by the monotonic clock.
///
/// No block is ever skipped, as with `NullDevice`.
package final class NullInput: InputDevice {
    package let name = "null input"
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    package let latency = 0.0
    package let dropoutCount = 0
    private let thread = DeviceThread(label: "ossicle.null.input")

    package init(sampleRate: Double = 48000, channelCount: Int = 2, quantum: Int = 512) throws {
        let format = try StreamFormat(
            device: name, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum)
        (self.sampleRate, self.channelCount, self.quantum) = (format.sampleRate, format.channelCount, format.quantum)
    }

    deinit { thread.stop() }

    package func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let (rate, channels, frames) = (sampleRate, channelCount, quantum)
        let isFirst = thread.start { goOn in
            let buffers = BlockBuffers(channelCount: channels, frameCount: frames)
            let pace = Pace(sampleRate: rate)
            var captured = 0
            events(.started)
            while goOn() {
                // A block is there when its last frame is.
                pace.wait(untilFrame: captured + frames)
                guard goOn() else { break }
                buffers.deliver(nil, count: frames, to: receive, hostTime: pace.time(ofFrame: captured))
                captured += frames
            }
            events(.stopped)
        }
        if !isFirst { throw DeviceError.alreadyRunning(device: name) }
    }

    @discardableResult package func stop() -> Bool { thread.stop() }
}

/// Counts frames by the clock, for devices that have no other.
struct Pace {
    private let begin = HostClock.now
    private let sampleRate: Double

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    func time(ofFrame frame: Int) -> UInt64 { HostClock.time(begin, movedBy: Double(frame) / sampleRate) }

    /// Sleeps until `frame` is due; not at all when it is overdue.
    func wait(untilFrame frame: Int) {
        let (due, now) = (time(ofFrame: frame), HostClock.now)
        if due > now { Thread.sleep(forTimeInterval: Double(due - now) / 1e9) }
    }
}

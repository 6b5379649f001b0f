import Dispatch
import Synchronization

/// A device that works at its own pace, on a thread of its own. Calls may come in any order and from any thread.
package protocol AudioDevice: AnyObject, Sendable {
    var name: String { get }
    /// Hz.
    var sampleRate: Double { get }
    var channelCount: Int { get }
    /// Roles of the channels, numbered as Core Audio's labels, in the order in which blocks have them; nil for one or
    /// two channels and where they are unknown.
    var channelLabels: [UInt32]? { get }
    /// What an output's sound comes out of, as far as its server says.
    var transducer: Transducer { get }
    /// The most frames of a block.
    var quantum: Int { get }
    /// Seconds from when an output takes a frame until it is at the loudspeaker, or from the microphone to the
    /// callback; 0 where unknown.
    var latency: Double { get }
    /// How often sound was lost since the start, because a callback was late.
    var dropoutCount: Int { get }
    /// How the device's thread is scheduled, since the last start.
    var scheduling: DeviceScheduling { get }
    /// Whether it only keeps time, where there is no device.
    var isSilent: Bool { get }

    /// Returns when the last callback has returned, at the latest after two seconds, whatever the server does.
    ///
    /// A callback that hangs is not waited for any longer than that: it is left alone on its thread, which ends, after
    /// a last `.stopped`, when the callback returns; meanwhile the device may be started again. Called from the
    /// callback itself, `stop` does not wait, and that callback is the last.
    /// - Returns: whether no callback runs any more. What a callback uses must not be freed after false.
    @discardableResult func stop() -> Bool
}

extension AudioDevice {
    package var channelLabels: [UInt32]? { DeviceChannels.rendered(channelCount) }
    package var transducer: Transducer { .unknown }
    package var scheduling: DeviceScheduling { DeviceScheduling() }
    package var isSilent: Bool { false }
}

/// What the sound of an output comes out of.
package enum Transducer: Sendable, Hashable {
    case headphones
    /// Loudspeakers in the machine itself.
    case builtInSpeakers
    /// Loudspeakers of their own, or what leads to some: a receiver, a television, a line.
    case externalSpeakers
    /// The server does not say.
    case unknown
}

/// Somewhere to send sound.
package protocol OutputDevice: AudioDevice {
    /// Begins to play. Throws `DeviceError.alreadyRunning` on a second start.
    /// - Parameters:
    ///   - render: fills the block it is given, which is silent before; on the device's thread, in real time.
    ///   - events: receives what happens to the device; on the device's thread.
    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws
}

/// Fills every channel of a block with samples.
package typealias RenderCallback = @Sendable (borrowing OutputBlock) -> Void

extension OutputDevice {
    package func start(render: @escaping RenderCallback) throws { try start(render: render, events: { _ in }) }
}

/// The frames a device asks for: one buffer per channel.
package struct OutputBlock: ~Copyable {
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    package let channelCount: Int
    package let frameCount: Int
    /// When the device takes the first frame, in nanoseconds of `HostClock`; the device's `latency` later it is at the
    /// loudspeaker. Advances by the frames of the block, and never runs backwards.
    package let hostTime: UInt64

    package init(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int, hostTime: UInt64
    ) {
        (self.channels, self.channelCount, self.frameCount, self.hostTime) = (
            channels, channelCount, frameCount, hostTime
        )
    }

    /// The buffer of one channel; empty for a channel that is not there.
    package subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        guard channel >= 0, channel < channelCount else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        return UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
    }
}

extension OutputDevice {
    /// Plays interleaved samples in the device's own channel count and rate, and returns when all of them were handed
    /// over.
    ///
    /// Throws what `start` throws, and what became of the device when it ends before the samples do.
    /// - Parameter follow: receives some ten times a second how many seconds were heard; on the caller's thread.
    package func play(interleaved samples: [Float], follow: (Double) -> Void = { _ in }) throws {
        let playback = Playback(samples, channelCount: channelCount, sampleRate: sampleRate)
        try start(render: { playback.fill($0) }, events: { playback.hear($0) })
        while !playback.ends(within: 0.1) { follow(playback.secondsHeard(latency: latency)) }
        stop()
        if let error = playback.error { throw error }
    }
}

/// Hands interleaved samples out block by block.
private final class Playback: Sendable {
    private let samples: [Float]
    private let channelCount: Int
    private let sampleRate: Double
    private let position = Atomic(0)
    /// When the device took frame 0, in nanoseconds of `HostClock`.
    private let begin = Atomic<UInt64>(.max)
    private let ended = DispatchSemaphore(value: 0)
    private let failure = Mutex<DeviceError?>(nil)

    init(_ samples: [Float], channelCount: Int, sampleRate: Double) {
        (self.samples, self.channelCount, self.sampleRate) = (samples, channelCount, sampleRate)
    }

    /// Device thread. Past the last sample it stays silent; the block after the last ends the waiting.
    func fill(_ block: borrowing OutputBlock) {
        let total = samples.count / channelCount
        let first = position.load(ordering: .relaxed)
        let count = min(block.frameCount, total - first)
        guard count > 0 else {
            ended.signal()
            return
        }
        for channel in 0..<channelCount {
            let target = block[channel]
            for frame in 0..<count { target[frame] = samples[(first + frame) * channelCount + channel] }
        }
        position.store(first + count, ordering: .relaxed)
        begin.store(HostClock.time(block.hostTime, movedBy: -Double(first) / sampleRate), ordering: .relaxed)
    }

    /// Device thread.
    func hear(_ event: DeviceEvent) {
        switch event {
        case .started, .routeChanged, .formatChanged: return
        case .stopped: break
        case .lost(let error): failure.withLock { $0 = error }
        }
        ended.signal()
    }

    /// Whether the end came, in so many seconds at most.
    func ends(within seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

    /// - Parameter latency: seconds, of the device.
    func secondsHeard(latency: Double) -> Double {
        let (now, begin) = (HostClock.now, begin.load(ordering: .relaxed))
        guard now > begin else { return 0 }
        return min(max(Double(now - begin) * 1e-9 - latency, 0), Double(samples.count / channelCount) / sampleRate)
    }

    var error: DeviceError? { failure.withLock { $0 } }
}

import CScheduling
import Synchronization

/// How late an engine is asked for the frames of its device: noted on the device's thread, read from any.
package final class DeviceLag: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)

    package init() {}

    /// A block begins to be rendered. Takes no lock and allocates nothing.
    /// - Parameter due: when its first frame should be at the loudspeaker, as in `OutputBlock.hostTime`.
    package func note(due: UInt64, now: UInt64 = HostClock.now) {
        nanoseconds.store(now > due ? now - due : 0, ordering: .relaxed)
    }

    /// The device stands still.
    package func clear() { nanoseconds.store(0, ordering: .relaxed) }

    /// Seconds by which the last block came too late; 0 while the device is served in time.
    package var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
}

/// Whether an engine keeps up with its device. One that is late for a moment and catches up does; one that stays
/// behind, or leaves the device without sound again and again, does not.
package struct OverloadWatch: Sendable {
    /// Seconds behind which count as late.
    private static let late = 0.1
    /// Seconds of being late after which it is overload, and without dropouts after which it is over.
    private static let patience = 1.0

    /// Seconds behind, as of the last look.
    package private(set) var lag = 0.0
    /// Dropouts in the present run of them.
    package private(set) var dropouts = 0
    package private(set) var isOverloaded = false
    private var lateSince: Double?
    private var lastDropout = -Double.infinity
    private var knownDropouts = 0

    package init() {}

    /// - Parameters:
    ///   - lag: seconds, of `DeviceLag`.
    ///   - dropouts: since the device was started.
    ///   - time: seconds of a steady clock.
    /// - Returns: whether an overload begins.
    package mutating func follow(lag: Double, dropouts count: Int, at time: Double) -> Bool {
        self.lag = lag
        lateSince = lag < Self.late ? nil : lateSince ?? time
        // A device that was started anew counts from 0.
        let new = count - min(knownDropouts, count)
        knownDropouts = count
        if time - lastDropout > Self.patience { dropouts = 0 }
        if new > 0 { (dropouts, lastDropout) = (dropouts + new, time) }
        let isLate = lateSince.map { time - $0 >= Self.patience } ?? false
        let begins = !isOverloaded && (isLate || dropouts > 1)
        if begins { isOverloaded = true } else if lateSince == nil && dropouts == 0 { isOverloaded = false }
        return begins
    }

    /// What an error says of it: by how much, and the cure.
    package var finding: String {
        dropouts > 1
            ? "it was too late for its device \(dropouts) times within a second"
            : "it is \((lag * 1000).rounded() / 1000) s behind its device, and falls behind further or does not catch up"
    }
}

/// What a device's thread measures and other threads read.
final class DeviceMeters: Sendable {
    private let latencyBits = Atomic(0.0.bitPattern)
    private let dropouts = Atomic(0)
    private let schedule = Atomic(DeviceScheduling().word)

    /// Seconds.
    var latency: Double { Double(bitPattern: latencyBits.load(ordering: .relaxed)) }
    var dropoutCount: Int { dropouts.load(ordering: .relaxed) }

    func set(latency: Double) { latencyBits.store(latency.bitPattern, ordering: .relaxed) }
    var scheduling: DeviceScheduling { DeviceScheduling(word: schedule.load(ordering: .relaxed)) }
    func set(scheduling: DeviceScheduling) { schedule.store(scheduling.word, ordering: .relaxed) }
    func countDropout() { dropouts.wrappingAdd(1, ordering: .relaxed) }

    func reset() {
        set(latency: 0)
        dropouts.store(0, ordering: .relaxed)
    }
}

/// Memory for one block: a buffer per channel, and the same frames interleaved for devices that take them so. Not paged
/// out, as far as the system's limit goes.
struct BlockBuffers: ~Copyable {
    let channelCount: Int
    let frameCount: Int
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let interleaved: UnsafeMutablePointer<Float>
    private let memory: UnsafeMutableRawPointer
    private let pagedBytes: Int
    private static let page = 4096

    init(channelCount: Int, frameCount: Int) {
        (self.channelCount, self.frameCount) = (channelCount, frameCount)
        let count = channelCount * frameCount
        // Whole pages, which it shares with nothing.
        let page = BlockBuffers.page
        let bytes = (2 * count * MemoryLayout<Float>.stride + page - 1) / page * page
        memory = .allocate(byteCount: bytes, alignment: page)
        pagedBytes = bytes
        _ = ossicle_lock_memory(memory, bytes)
        samples = memory.bindMemory(to: Float.self, capacity: 2 * count)
        samples.initialize(repeating: 0, count: 2 * count)
        interleaved = samples + count
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * frameCount) }
    }

    deinit {
        ossicle_unlock_memory(memory, pagedBytes)
        memory.deallocate()
        channels.deallocate()
    }

    var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.stride }

    func render(_ callback: RenderCallback, hostTime: UInt64) {
        samples.update(repeating: 0, count: channelCount * frameCount)
        callback(
            OutputBlock(channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: hostTime))
    }

    func interleave() {
        for channel in 0..<channelCount {
            let source = channels[channel]
            for frame in 0..<frameCount { interleaved[frame * channelCount + channel] = source[frame] }
        }
    }

    /// Hands over `count` frames, at most a block, taken from interleaved samples; silence where there are none.
    func deliver(_ source: UnsafePointer<Float>?, count: Int, to callback: ReceiveCallback, hostTime: UInt64) {
        if let source {
            deinterleave(source, count: count)
        } else {
            samples.update(repeating: 0, count: channelCount * frameCount)
        }
        callback(InputBlock(channels: channels, channelCount: channelCount, frameCount: count, hostTime: hostTime))
    }

    private func deinterleave(_ source: UnsafePointer<Float>, count: Int) {
        for channel in 0..<channelCount {
            let target = channels[channel]
            for frame in 0..<count { target[frame] = source[frame * channelCount + channel] }
        }
    }
}

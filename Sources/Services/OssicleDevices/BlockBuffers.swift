import CScheduling

/// Memory for one block: a buffer per channel, and the same frames interleaved for devices that take them so. Not paged
/// out, as far as the system's limit goes.
struct BlockBuffers: ~Copyable {
    let channelCount: Int
    let frameCount: Int
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The same in the device's order.
    private let slots: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let interleaved: UnsafeMutablePointer<Float>
    private let memory: UnsafeMutableRawPointer
    private let pagedBytes: Int
    private static let page = 4096

    /// - Parameter order: which channel each of the device's channels is; nil where they are the same.
    init(channelCount: Int, frameCount: Int, order: [Int]? = nil) {
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
        slots = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: samples + channel * frameCount)
            (slots + channel).initialize(to: samples + (order?[channel] ?? channel) * frameCount)
        }
    }

    deinit {
        ossicle_unlock_memory(memory, pagedBytes)
        memory.deallocate()
        channels.deallocate()
        slots.deallocate()
    }

    var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.stride }

    func render(_ callback: RenderCallback, hostTime: UInt64) {
        RealTimeWatch.run {
            samples.update(repeating: 0, count: channelCount * frameCount)
            callback(
                OutputBlock(
                    channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: hostTime))
        }
    }

    func interleave() {
        RealTimeWatch.run {
            for channel in 0..<channelCount {
                let source = slots[channel]
                for frame in 0..<frameCount { interleaved[frame * channelCount + channel] = source[frame] }
            }
        }
    }

    /// Hands over `count` frames, at most a block, taken from interleaved samples; silence where there are none.
    /// - Parameter followsBreak: as in `InputBlock`.
    func deliver(
        _ source: UnsafePointer<Float>?, count: Int, to callback: ReceiveCallback, hostTime: UInt64,
        followsBreak: Bool = false
    ) {
        RealTimeWatch.run {
            if let source {
                deinterleave(source, count: count)
            } else {
                samples.update(repeating: 0, count: channelCount * frameCount)
            }
            callback(
                InputBlock(
                    channels: channels, channelCount: channelCount, frameCount: count, hostTime: hostTime,
                    followsBreak: followsBreak))
        }
    }

    private func deinterleave(_ source: UnsafePointer<Float>, count: Int) {
        for channel in 0..<channelCount {
            let target = slots[channel]
            for frame in 0..<count { target[frame] = source[frame * channelCount + channel] }
        }
    }
}

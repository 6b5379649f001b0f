/// Memory for one block: a buffer per channel, and the same frames interleaved for devices that take them so.
struct BlockBuffers: ~Copyable {
    let channelCount: Int
    let frameCount: Int
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let interleaved: UnsafeMutablePointer<Float>

    init(channelCount: Int, frameCount: Int) {
        (self.channelCount, self.frameCount) = (channelCount, frameCount)
        let count = channelCount * frameCount
        samples = .allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
        interleaved = .allocate(capacity: count)
        interleaved.initialize(repeating: 0, count: count)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * frameCount) }
    }

    deinit {
        samples.deallocate()
        interleaved.deallocate()
        channels.deallocate()
    }

    var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.stride }

    func render(_ callback: RenderCallback, hostTime: UInt64) {
        samples.update(repeating: 0, count: channelCount * frameCount)
        callback(OutputBlock(channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: hostTime))
    }

    func interleave() {
        for channel in 0..<channelCount {
            let source = channels[channel]
            for frame in 0..<frameCount { interleaved[frame * channelCount + channel] = source[frame] }
        }
    }

    /// Hands over `count` frames, at most a block, taken from interleaved samples; silence where there are none.
    func deliver(_ source: UnsafePointer<Float>?, count: Int, to callback: ReceiveCallback, hostTime: UInt64) {
        if let source { deinterleave(source, count: count) } else { samples.update(repeating: 0, count: channelCount * frameCount) }
        callback(InputBlock(channels: channels, channelCount: channelCount, frameCount: count, hostTime: hostTime))
    }

    private func deinterleave(_ source: UnsafePointer<Float>, count: Int) {
        for channel in 0..<channelCount {
            let target = channels[channel]
            for frame in 0..<count { target[frame] = source[frame * channelCount + channel] }
        }
    }
}

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

    func render(_ callback: RenderCallback) {
        samples.update(repeating: 0, count: channelCount * frameCount)
        callback(OutputBlock(channels: channels, channelCount: channelCount, frameCount: frameCount))
    }

    func interleave() {
        for channel in 0..<channelCount {
            let source = channels[channel]
            for frame in 0..<frameCount { interleaved[frame * channelCount + channel] = source[frame] }
        }
    }
}

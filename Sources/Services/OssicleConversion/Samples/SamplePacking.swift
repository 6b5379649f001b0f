import OssicleCodecs

/// Moves pieces of a PCM stream between the form it has in memory and planes of Double.
package struct SamplePacking {
    private let loops: SampleLoops
    let format: PCMFormat

    /// Throws when there are no such samples.
    package init(_ format: PCMFormat) throws(ConversionError) {
        try format.check()
        guard let loops = format.sampleLoops else { throw format.noSuchSample }
        self.loops = loops
        self.format = format
    }

    /// Reads `count` frames from frame `first` of `buffers` on into the beginnings of `planes`.
    package func unpack(_ buffers: [UnsafeRawPointer], from first: Int, count: Int, into planes: [UnsafeMutablePointer<Double>]) {
        let stride = format.bytesPerFrame
        for channel in 0..<format.channelCount {
            loops.unpack(start(of: channel, in: buffers) + first * stride, stride, planes[channel], count)
        }
    }

    /// Writes `count` frames from the beginnings of `planes` into `buffers` from frame `first` on.
    package func pack(_ planes: [UnsafePointer<Double>], count: Int, into buffers: [UnsafeMutableRawPointer], from first: Int) {
        let stride = format.bytesPerFrame
        for channel in 0..<format.channelCount {
            let target = format.isInterleaved ? buffers[0] + channel * format.bytesPerSample : buffers[channel]
            loops.pack(planes[channel], target + first * stride, stride, count)
        }
    }

    private func start(of channel: Int, in buffers: [UnsafeRawPointer]) -> UnsafeRawPointer {
        format.isInterleaved ? buffers[0] + channel * format.bytesPerSample : buffers[channel]
    }
}

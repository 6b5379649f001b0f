// How uncompressed samples lie in memory.

/// A stream of linear PCM: rate, channels and the form of a sample.
package struct PCMFormat: Equatable, Sendable {
    package enum Kind: Sendable { case float, signed, unsigned }

    /// Frames per second, in hertz.
    package var sampleRate: Double
    package var channelCount: Int
    package var kind: Kind
    /// Significant bits of a sample.
    package var bits: Int
    /// Bytes a sample takes; may be more than its bits need.
    package var bytesPerSample: Int
    package var isBigEndian: Bool
    /// Whether bits that do not fill their bytes lie at the high end.
    package var isAlignedHigh: Bool
    /// Whether the channels of a frame lie side by side in one buffer; otherwise each channel has a buffer of its own.
    package var isInterleaved: Bool
    /// One label per channel, numbered as in the channel layout chunk of the Core Audio Format specification; `nil` when not told.
    package var channelLabels: [UInt32]?

    package init(sampleRate: Double, channelCount: Int, kind: Kind = .float, bits: Int = 32, bytesPerSample: Int? = nil, isBigEndian: Bool = false,
                 isAlignedHigh: Bool = false, isInterleaved: Bool = false, channelLabels: [UInt32]? = nil) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.kind = kind
        self.bits = bits
        self.bytesPerSample = bytesPerSample ?? (bits + 7) / 8
        self.isBigEndian = isBigEndian
        self.isAlignedHigh = isAlignedHigh
        self.isInterleaved = isInterleaved
        self.channelLabels = channelLabels
    }

    /// Buffers a piece of this stream consists of.
    package var bufferCount: Int { isInterleaved ? 1 : channelCount }
    /// Bytes of a frame in one of them.
    package var bytesPerFrame: Int { isInterleaved ? bytesPerSample * channelCount : bytesPerSample }
}

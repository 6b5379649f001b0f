/// Frames since the last sample of a sound that was not silent: the same however blocks are cut. One thread at a time.
package struct SilenceCount: BitwiseCopyable, Sendable {
    private static let most = 1 << 40
    /// The largest magnitude that counts as silent; what is not a number never does.
    private let threshold: Float
    private(set) package var frames: Int

    /// Silent for ever, where a sample is silent that is exactly 0.
    package init() { (threshold, frames) = (0, Self.most) }

    /// Silent since now.
    package init(threshold: Float) { (self.threshold, frames) = (threshold, 0) }

    /// - Parameter isSilent: the channels are known to be zeros.
    package mutating func listen(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, isSilent: Bool, _ frames: Int
    ) {
        var end = frames
        if !isSilent { for channel in 0..<count { end = min(end, silentEnd(of: channels[channel], frames)) } }
        advance(frames, silentEnd: end)
    }

    /// Frames at the end of a signal that are silent.
    package func silentEnd(of signal: UnsafePointer<Float>, _ frames: Int) -> Int {
        var end = 0
        while end < frames, signal[frames - 1 - end].magnitude <= threshold { end += 1 }
        return end
    }

    /// Lets a block pass with `silentEnd` silent frames at its end.
    package mutating func advance(_ frames: Int, silentEnd: Int) {
        self.frames = silentEnd >= frames ? min(self.frames + frames, Self.most) : silentEnd
    }

    /// As if that many frames of silence had passed.
    package mutating func skip(to frames: Int) { self.frames = max(self.frames, frames) }
}

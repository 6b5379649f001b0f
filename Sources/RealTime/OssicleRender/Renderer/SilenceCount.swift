import OssicleCore

/// Frames since a sound's last sample that was not zero: the same however blocks are cut.
struct SilenceCount: BitwiseCopyable {
    private static let most = 1 << 40
    private(set) var frames = most

    /// - Parameter isSilent: what the port says.
    mutating func listen(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, isSilent: Bool, _ frames: Int
    ) {
        var zeros = isSilent ? frames : 0
        while zeros < frames, Self.isZero(channels, count, frames - 1 - zeros) { zeros += 1 }
        self.frames = zeros == frames ? min(self.frames + frames, Self.most) : zeros
    }

    /// As if that many frames of silence had passed.
    mutating func skip(to frames: Int) { self.frames = max(self.frames, frames) }

    mutating func reset() { frames = Self.most }

    @inline(__always)
    private static func isZero(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frame: Int
    ) -> Bool {
        for channel in 0..<count where channels[channel][frame] != 0 { return false }
        return true
    }
}

/// Whether a renderer's input has been silent for so long that its output is silent without rendering.
///
/// Rest is come to on the grid only; what wakes a renderer is the block that brings sound. Neither depends on how
/// blocks are cut.
struct Rest: BitwiseCopyable {
    private var silence = SilenceCount()
    private(set) var isResting = true

    /// Call first for every block.
    /// - Parameter longest: frames of silence in that have silence out behind them.
    mutating func listen(_ ports: Ports, _ context: RenderContext, longest: Int) {
        if context.isOnGrid { isResting = silence.frames >= longest }
        silence.listen(ports.inputs, 1, isSilent: ports.isInputSilent(0), context.frames)
    }

    /// Of one that rests: whether sound has come, with which the rest is over.
    mutating func wakes(longest: Int) -> Bool {
        guard silence.frames < longest else { return false }
        isResting = false
        return true
    }
}

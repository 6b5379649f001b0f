/// Frames since a sound's last sample that was not zero: the same however blocks are cut.
struct SilenceCount: BitwiseCopyable {
    private static let most = 1 << 40
    private(set) var frames = most

    /// - Parameter isSilent: what the port says.
    mutating func listen(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, isSilent: Bool, _ frames: Int) {
        var zeros = isSilent ? frames : 0
        while zeros < frames, Self.isZero(channels, count, frames - 1 - zeros) { zeros += 1 }
        self.frames = zeros == frames ? min(self.frames + frames, Self.most) : zeros
    }

    /// As if that many frames of silence had passed.
    mutating func skip(to frames: Int) { self.frames = max(self.frames, frames) }

    mutating func reset() { frames = Self.most }

    @inline(__always)
    private static func isZero(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frame: Int) -> Bool {
        for channel in 0..<count where channels[channel][frame] != 0 { return false }
        return true
    }
}

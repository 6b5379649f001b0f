import OssicleCore

/// Where a player's samples lie: a whole asset in memory, or a window that moves along a file.
///
/// Frames are counted from the start of playback and never wrap: frame v of a loop over n frames is asset frame v mod n. A resident
/// asset is read at v mod n; a stream's window holds the unrolled frames themselves, at v modulo its capacity. Plain pointers: whoever
/// made the source keeps the memory alive while a player may read it.
package struct SampleSource: BitwiseCopyable, @unchecked Sendable {
    package let channels: UnsafePointer<UnsafePointer<Float>>
    package let channelCount: Int
    /// Frames of the asset.
    package let frameCount: Int64
    package let loops: Bool
    /// The moving window, or nil for a resident asset.
    package let window: StreamWindow.View?

    package init(channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int64, loops: Bool,
                 window: StreamWindow.View? = nil) {
        self.channels = channels
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.loops = loops && frameCount > 0
        self.window = window
    }

    /// Copies frames `start ..< start + count` of one channel; silence before the start, behind the end, and where a stream has
    /// not arrived yet.
    /// - Returns: how many frames a stream still owed.
    @discardableResult
    func read(_ channel: Int, from start: Int64, count: Int, to buffer: UnsafeMutablePointer<Float>) -> Int {
        let samples = channels[channel]
        let end = loops ? Int64.max : frameCount
        let available = window.map { min(end, $0.written.pointee.load()) } ?? end
        let first = window.map { max(0, $0.first.pointee.load()) } ?? 0
        var done = 0
        while done < count {
            let frame = start + Int64(done)
            let left = count - done
            if frame < first || frame >= available {
                let silent = frame < first ? min(left, Int(clamping: first - frame)) : left
                (buffer + done).update(repeating: 0, count: silent)
                done += silent
                continue
            }
            let period = window.map { Int64($0.mask) + 1 } ?? frameCount
            let at = window.map { Int(frame) & $0.mask } ?? Int(loops ? frame % frameCount : frame)
            let run = min(left, Int(clamping: min(available - frame, period - Int64(at))))
            (buffer + done).update(from: samples + at, count: run)
            done += run
        }
        let owed = min(start + Int64(count), end) - max(start, available)
        return window == nil ? 0 : Int(max(0, owed))
    }
}

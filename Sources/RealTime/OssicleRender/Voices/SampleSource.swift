import OssicleCore

/// Where a player's samples lie: a whole asset in memory, or a window that moves along a file.
///
/// Frames are counted from the start of playback and never wrap: frame v of a loop over n frames is asset frame v mod
/// n. A resident asset is read at v mod n; a stream's window holds the unrolled frames themselves, at v modulo its
/// capacity. Plain pointers: the owner keeps the memory alive while a player may read it.
package struct SampleSource: BitwiseCopyable, @unchecked Sendable {
    package let channels: UnsafePointer<UnsafePointer<Float>>
    package let channelCount: Int
    /// Frames of the asset.
    package let frameCount: Int64
    package let loops: Bool
    /// The moving window, or nil for a resident asset.
    package let window: StreamWindow.View?

    package init(
        channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int64, loops: Bool,
        window: StreamWindow.View? = nil
    ) {
        self.channels = channels
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.loops = loops && frameCount > 0
        self.window = window
    }

    /// Copies frames `start ..< start + count` of one channel; silence before the start, behind the end, and where a
    /// stream has not arrived yet.
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

/// The stretch of a long file that is in memory while it plays: a reader fills it ahead, a player empties it behind.
///
/// One writing thread (file reading, may block), one reading thread (rendering, never waits). Frames are unrolled: a
/// loop's second pass follows the first as new frames.
package final class StreamWindow: @unchecked Sendable {
    package struct View: BitwiseCopyable, @unchecked Sendable {
        let mask: Int
        let first: UnsafeMutablePointer<PublishedPosition>
        let written: UnsafeMutablePointer<PublishedPosition>
        let consumed: UnsafeMutablePointer<PublishedPosition>
    }

    package let capacity: Int
    package let channelCount: Int
    package let view: View
    private let memory: [UnsafeMutablePointer<Float>]
    private let table: UnsafeMutablePointer<UnsafePointer<Float>>

    /// - Parameters:
    ///   - capacity: frames, rounded up to a power of two.
    ///   - start: the first unrolled frame that will be written.
    package init(channelCount: Int, capacity: Int, start: Int64) {
        var size = Grid.quantum
        while size < capacity { size *= 2 }
        self.capacity = size
        self.channelCount = channelCount
        memory = (0..<channelCount).map { _ in
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: size)
            samples.initialize(repeating: 0, count: size)
            return samples
        }
        table = .allocate(capacity: max(channelCount, 1))
        for (channel, samples) in memory.enumerated() { (table + channel).initialize(to: UnsafePointer(samples)) }
        let marks = UnsafeMutablePointer<PublishedPosition>.allocate(capacity: 3)
        for mark in 0..<3 {
            (marks + mark).initialize(to: PublishedPosition())
            marks[mark].store(start)
        }
        view = View(mask: size - 1, first: marks, written: marks + 1, consumed: marks + 2)
    }

    deinit {
        memory.forEach { $0.deallocate() }
        table.deallocate()
        view.first.deinitialize(count: 3).deallocate()
    }

    package func source(frameCount: Int64, loops: Bool) -> SampleSource {
        SampleSource(
            channels: UnsafePointer(table), channelCount: channelCount, frameCount: frameCount, loops: loops,
            window: view)
    }

    /// Writer only. The unrolled frame to be written next.
    package var nextFrame: Int64 { view.written.pointee.load() }

    /// Writer only. Frames that may be written now without touching what the player still needs.
    package var room: Int { capacity - Int(nextFrame - view.consumed.pointee.load()) }

    /// Writer only. Hands `fill` a pointer per channel and the number of frames (at most `limit`, contiguous) to write
    /// there; what it says it wrote becomes visible to the player at once.
    package func write(atMost limit: Int, _ fill: ([UnsafeMutablePointer<Float>], Int) throws -> Int) rethrows {
        let at = Int(nextFrame) & view.mask
        let run = min(limit, room, capacity - at)
        guard run > 0 else { return }
        let written = try fill(memory.map { $0 + at }, run)
        let end = nextFrame + Int64(min(max(written, 0), run))
        view.first.pointee.store(max(view.first.pointee.load(), end - Int64(capacity)))
        view.written.pointee.store(end)
    }
}

import OssicleCore

/// A queue of frames of several channels between one writing and one reading thread. Never locks, never allocates after creation.
final class FrameRing: @unchecked Sendable {
    let channelCount: Int
    private let capacity: Int
    private let memory: SampleMemory
    private let written: UnsafeMutablePointer<PublishedPosition>
    private var consumed: UnsafeMutablePointer<PublishedPosition> { written + 1 }

    /// - Parameter capacity: frames, rounded up to a power of two.
    init(channelCount: Int, capacity: Int) {
        var size = Grid.quantum
        while size < capacity { size *= 2 }
        self.capacity = size
        self.channelCount = channelCount
        memory = SampleMemory(count: max(size * channelCount, 1))
        written = .allocate(capacity: 2)
        written.initialize(to: PublishedPosition())
        (written + 1).initialize(to: PublishedPosition())
    }

    deinit { written.deinitialize(count: 2).deallocate() }

    /// Writer only.
    var room: Int { capacity - Int(written.pointee.load() - consumed.pointee.load()) }

    /// Writer only; no more than `room`.
    func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        let at = Int(written.pointee.load()) & (capacity - 1)
        let first = min(frames, capacity - at)
        for channel in 0..<channelCount {
            let row = memory.pointer + channel * capacity
            (row + at).update(from: channels[channel], count: first)
            row.update(from: channels[channel] + first, count: frames - first)
        }
        written.pointee.store(written.pointee.load() + Int64(frames))
    }

    /// Reader only; no more than was written.
    func peek(_ channels: [UnsafeMutablePointer<Float>], _ frames: Int) {
        let at = Int(consumed.pointee.load()) & (capacity - 1)
        let first = min(frames, capacity - at)
        for (channel, target) in channels.prefix(channelCount).enumerated() {
            let row = memory.pointer + channel * capacity
            target.update(from: row + at, count: first)
            (target + first).update(from: row, count: frames - first)
        }
    }

    /// Reader only.
    func skip(_ frames: Int) { consumed.pointee.store(consumed.pointee.load() + Int64(frames)) }
}

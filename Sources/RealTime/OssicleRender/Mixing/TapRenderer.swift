import OssicleCore

/// Copies what flows by into a ring for a reader above the line. Port: input → nothing.
///
/// Never waits: what finds no room is dropped and counted.
package struct TapRenderer: ~Copyable {
    /// A stretch of frames in the ring that belong together.
    package struct Stretch: BitwiseCopyable {
        /// Time of the first frame on the node's own clock.
        package let position: Int64
        package let frames: Int
    }

    private let ring: TapRing
    private let stretches: Ring<Stretch>
    private let dropped: UnsafeMutablePointer<PublishedPosition>
    /// Keeps the memory: the reader may go while a plan with this renderer still runs.
    private let source: TapSource

    /// - Parameter source: what the reader reads.
    package init(_ source: TapSource) {
        self.source = source
        (ring, stretches, dropped) = (source.ring, source.stretches, source.droppedFrames)
    }

    mutating func render(_ ports: Ports, _ context: RenderContext) { write(ports.inputs, context) }

    /// Copies the frames of a block.
    func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ context: RenderContext) {
        guard ring.room >= context.frames, stretches.count < stretches.capacity else {
            dropped.pointee.store(dropped.pointee.load() + Int64(context.frames))
            return
        }
        ring.write(channels, context.frames)
        _ = stretches.push(Stretch(position: context.position, frames: context.frames))
    }
}

/// The reader's end of a tap. One reading thread at a time.
package final class TapSource: @unchecked Sendable {
    let ring: TapRing
    let stretches: Ring<TapRenderer.Stretch>
    let droppedFrames: UnsafeMutablePointer<PublishedPosition>

    /// - Parameter capacity: frames that may wait between two reads.
    package init(channelCount: Int, capacity: Int) {
        ring = TapRing(channelCount: channelCount, capacity: capacity)
        stretches = Ring(capacity: max(capacity / 16, 64))
        droppedFrames = .allocate(capacity: 1)
        droppedFrames.initialize(to: PublishedPosition())
    }

    deinit {
        stretches.deallocate()
        droppedFrames.deinitialize(count: 1).deallocate()
    }

    package var channelCount: Int { ring.channelCount }
    /// Frames that found no room so far.
    package var dropped: Int { Int(droppedFrames.pointee.load()) }

    /// Passes on the next stretch: its time, its length, and a function that copies its samples to one buffer per
    /// channel.
    /// - Returns: false if there is none.
    package func read(
        _ body: (_ position: Int64, _ frames: Int, _ copy: ([UnsafeMutablePointer<Float>]) -> Void) -> Void
    ) -> Bool {
        guard let stretch = stretches.pop() else { return false }
        body(stretch.position, stretch.frames) { ring.peek($0, stretch.frames) }
        ring.skip(stretch.frames)
        return true
    }
}

/// A queue of frames of several channels between one writing and one reading thread. Never locks, never allocates after
/// creation.
final class TapRing: @unchecked Sendable {
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

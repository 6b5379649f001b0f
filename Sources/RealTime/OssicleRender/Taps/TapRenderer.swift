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

    private let ring: FrameRing
    private let stretches: Ring<Stretch>
    private let dropped: UnsafeMutablePointer<PublishedPosition>
    /// Keeps the memory: the reader may go while a plan with this renderer still runs.
    private let source: TapSource

    /// - Parameter source: what the reader reads.
    package init(_ source: TapSource) {
        self.source = source
        (ring, stretches, dropped) = (source.ring, source.stretches, source.droppedFrames)
    }

    mutating func render(_ ports: Ports, _ context: RenderContext) {
        guard ring.room >= context.frames, stretches.count < stretches.capacity else {
            dropped.pointee.store(dropped.pointee.load() + Int64(context.frames))
            return
        }
        ring.write(ports.inputs, context.frames)
        _ = stretches.push(Stretch(position: context.position, frames: context.frames))
    }
}

/// The reader's end of a tap. One reading thread at a time.
package final class TapSource: @unchecked Sendable {
    let ring: FrameRing
    let stretches: Ring<TapRenderer.Stretch>
    let droppedFrames: UnsafeMutablePointer<PublishedPosition>

    /// - Parameter capacity: frames that may wait between two reads.
    package init(channelCount: Int, capacity: Int) {
        ring = FrameRing(channelCount: channelCount, capacity: capacity)
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

    /// Hands over the next stretch: its time, its length, and a function that copies its samples to one buffer per channel.
    /// - Returns: false if there is none.
    package func read(_ body: (_ position: Int64, _ frames: Int, _ copy: ([UnsafeMutablePointer<Float>]) -> Void) -> Void) -> Bool {
        guard let stretch = stretches.pop() else { return false }
        body(stretch.position, stretch.frames) { ring.peek($0, stretch.frames) }
        ring.skip(stretch.frames)
        return true
    }
}

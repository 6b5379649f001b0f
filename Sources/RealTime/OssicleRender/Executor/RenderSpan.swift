import OssicleCore

/// Blocks in a row, of which only the first may begin beside the grid and only the last may end there.
package struct RenderSpan: BitwiseCopyable {
    private let first: RenderContext
    private let frames: Int
    package let blockCount: Int

    /// - Parameters:
    ///   - first: its first block, but for the frames; no command is due behind its beginning.
    ///   - frames: of all blocks, 1 or more.
    package init(_ first: RenderContext, frames: Int) {
        self.first = first
        self.frames = frames
        blockCount = (first.offset + frames + Grid.quantum - 1) / Grid.quantum
    }

    /// Of one block.
    init(_ block: RenderContext) { self.init(block, frames: block.frames) }

    /// Frames up to the end of so many blocks that begin at a position.
    static func frames(ofBlocks count: Int, from position: Int64) -> Int {
        Grid.framesToNextLine(from: position) + (count - 1) * Grid.quantum
    }

    /// Frames before a block.
    func begin(of block: Int) -> Int { block == 0 ? 0 : block * Grid.quantum - first.offset }

    package subscript(block: Int) -> RenderContext {
        let (start, end) = (begin(of: block), min(begin(of: block + 1), frames))
        var context = first
        context.position += Int64(start)
        context.frames = end - start
        context.isControlPoint = block > 0 || first.isControlPoint
        context.framesLeftInCall -= start
        return context
    }

    var workers: RenderWorkers.View? { first.workers }

    /// The same without workers.
    var alone: RenderSpan {
        var first = first
        first.workers = nil
        return RenderSpan(first, frames: frames)
    }
}

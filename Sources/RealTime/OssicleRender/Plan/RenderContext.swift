import OssicleCore

/// What a renderer may know about the moment it works in. Passed by value; there is nothing behind it to lock.
package struct RenderContext: BitwiseCopyable {
    /// Engine time of the block's first frame.
    package var position: Int64
    /// Frames of this block, 1…`Grid.quantum`; a block never crosses a grid line.
    package var frames: Int
    /// True where new values from the control side may be taken up: at grid lines and at the start of a render call.
    package var isControlPoint: Bool
    /// Frames of this render call that are still to come, those of this block included.
    package var framesLeftInCall: Int

    /// True where a quantum of engine time begins, in every cut of blocks.
    var isOnGrid: Bool { position % Int64(Grid.quantum) == 0 }
}

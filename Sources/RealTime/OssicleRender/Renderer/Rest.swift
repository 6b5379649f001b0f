import OssicleCore

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

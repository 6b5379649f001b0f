/// Everything that crosses the line as an event, where each one matters and order counts. (What only matters in its newest
/// value, a gain or a position, crosses in the renderer's own `LatestValueCell`.)
package enum RenderCommand: BitwiseCopyable {
    case swapPlan(PlanSlot.View)
    case voice(VoiceReference, VoiceCommand)
    /// Lets go the players that start together, all in the next block.
    case openGate(StartGate.View)
    /// Forgets what a renderer has heard.
    case reset(RendererReference)
}

/// A command and the engine time at which it is carried out; times before now mean now.
package struct StampedCommand: BitwiseCopyable {
    package let position: Int64
    package let command: RenderCommand

    package init(_ command: RenderCommand, at position: Int64) {
        self.position = position
        self.command = command
    }
}

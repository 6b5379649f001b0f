import Synchronization

/// Everything that crosses the line as an event, where each one matters and order counts. (What only matters in its
/// newest value, a gain or a position, crosses in the renderer's own `LatestValueCell`.)
package enum RenderCommand: BitwiseCopyable {
    case swapPlan(PlanSlot.View)
    /// Has these threads take part in rendering from now on, or none.
    case useWorkers(RenderWorkers.View?)
    case voice(VoiceReference, VoiceCommand)
    /// Opens the gate of players that start together in the next block.
    case openGate(StartGate.View)
    /// Clears a renderer's memory of input.
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

/// Every kind of renderer that a sound event's leaf plays through; all of them understand the same commands.
package enum VoiceReference: BitwiseCopyable {
    case player(UnsafeMutablePointer<PlayerRenderer>)
    case stream(UnsafeMutablePointer<StreamRenderer>)

    func carryOut(_ command: VoiceCommand, at position: Int64) {
        switch self {
        case .player(let renderer): renderer.pointee.carryOut(command, at: position)
        case .stream(let renderer): renderer.pointee.carryOut(command, at: position)
        }
    }
}

/// Where a plan waits for the render side, behind the command that says so.
///
/// A plan that was not taken yet can be replaced: the render side then never sees it, and it is free at once. Without
/// this, a thousand changes between two render calls would keep a thousand plans.
package final class PlanSlot: @unchecked Sendable {
    /// The render side's end; valid as long as the slot.
    package struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let waiting: UnsafeMutablePointer<Cell>

        /// Render side, once: the newest plan. It is the render side's as long as the slot lives.
        func take() -> UnsafePointer<RenderPlan.View>? {
            waiting.pointee.plan.exchange(nil, ordering: .acquiringAndReleasing)
        }
    }

    fileprivate struct Cell: ~Copyable {
        let plan: Atomic<UnsafePointer<RenderPlan.View>?>
    }

    let view: View
    /// Engine time at which it is taken, at the earliest.
    let position: Int64
    private var plan: RenderPlan

    init(_ plan: RenderPlan, at position: Int64) {
        (self.plan, self.position) = (plan, position)
        let cell = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
        cell.initialize(to: Cell(plan: Atomic(plan.view)))
        view = View(waiting: cell)
    }

    deinit { view.waiting.deinitialize(count: 1).deallocate() }

    /// Control side. Whether the render side has the plan.
    var isTaken: Bool { view.waiting.pointee.plan.load(ordering: .acquiring) == nil }

    /// Control side. Whether the newest plan in it has work for several threads.
    var isDivided: Bool { plan.view.pointee.isDivided }

    /// Control side. Puts `next` in the place of a plan that still waits.
    /// - Returns: the plan that waited, which is unused; `nil` if the render side has it, and nothing was changed.
    func replace(with next: RenderPlan) -> RenderPlan? {
        let replaced = view.waiting.pointee.plan.compareExchange(
            expected: plan.view, desired: next.view, ordering: .acquiringAndReleasing
        ).exchanged
        guard replaced else { return nil }
        defer { plan = next }
        return plan
    }
}

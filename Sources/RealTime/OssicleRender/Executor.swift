import COssicle
import OssicleCore

/// The one render loop. Devices, offline rendering and tests all enter here.
///
///     render(frames)
///       ├─ carry out the commands that are due ── swap the plan, start and stop players
///       ├─ cut a block: to the grid line, to the next command, or to the end of the call, whichever comes first
///       ├─ run every step of the plan on that block
///       └─ copy the plan's outputs out; again, until the call is filled
///
/// The class is the control side's handle; `render` touches nothing but plain memory behind it.
package final class Executor: @unchecked Sendable {
    private let state: UnsafeMutablePointer<State>
    private let commands: Ring<StampedCommand>
    private let retired: Ring<Unmanaged<AnyObject>>
    private let published = PositionCell(0)
    /// Commands that found the ring full wait here, in order, for the next send.
    private var backlog: [StampedCommand] = []
    /// Whether RealtimeSanitizer, if it is part of the program, watches the render loop. Off for the first cycle of a check: the
    /// Swift runtime makes generic metadata when it is first needed.
    package var isWatched = true

    /// - Parameter commandCapacity: commands that may wait between two render calls before the control side has to hold them.
    package init(commandCapacity: Int = 8192) {
        commands = Ring(capacity: commandCapacity)
        retired = Ring(capacity: commandCapacity)
        state = .allocate(capacity: 1)
        state.initialize(to: State(commands: commands, retired: retired, published: published))
    }

    deinit {
        abandon()
        state.deinitialize(count: 1).deallocate()
        commands.deallocate()
        retired.deallocate()
        published.deallocate()
    }

    // MARK: Control side

    /// Sends a command; carried out at `position` (engine time), or at the start of the next render call if that has passed.
    /// Positions must not decrease from one command to the next.
    package func send(_ command: RenderCommand, at position: Int64) {
        backlog.append(StampedCommand(command, at: position))
        flush()
    }

    package func install(_ plan: RenderPlan, at position: Int64) {
        send(.swapPlan(plan.retainedView()), at: position)
    }

    /// Keeps `object` alive until every command sent so far has been carried out.
    package func release(_ object: AnyObject, at position: Int64) {
        send(.release(Unmanaged.passRetained(object)), at: position)
    }

    /// Frees what the render side has handed back. Call at every update.
    package func collect() {
        while let object = retired.pop() { object.release() }
        flush()
    }

    /// Engine time of the next frame to be rendered.
    package var position: Int64 { published.load() }

    /// Back to engine time 0. Only while no render call is under way.
    package func resetTime() {
        state.pointee.position = 0
        published.store(0)
    }

    /// Gives up the plan and every command that waits, and frees what they hold. Only while no render call is under way.
    package func abandon() {
        for stamped in backlog { stamped.command.relinquish() }
        backlog = []
        while let stamped = commands.pop() { stamped.command.relinquish() }
        state.pointee.plan?.plan.release()
        state.pointee.plan = nil
        while let object = retired.pop() { object.release() }
    }

    private func flush() {
        var sent = 0
        while sent < backlog.count, commands.push(backlog[sent]) { sent += 1 }
        backlog.removeFirst(sent)
    }

    // MARK: Render side

    /// Renders `frames` frames into one buffer per channel. Channels beyond the plan's are silenced. Real-time safe.
    /// - Parameter leftAfterwards: frames the client has asked for beyond these, where a long call is rendered in slices.
    package func render(_ frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, leftAfterwards: Int = 0) {
        let state = self.state
        let floatState = ossicle_flush_denormals()
        if isWatched { ossicle_rtsan_enter() }
        state.pointee.render(frames, into: outputs, channels: channels, leftAfterwards: leftAfterwards)
        if isWatched { ossicle_rtsan_exit() }
        ossicle_restore_float_state(floatState)
    }
}

extension RenderCommand {
    /// Gives up the reference a command carries, for commands that are never carried out.
    func relinquish() {
        switch self {
        case .swapPlan(let view): view.plan.release()
        case .release(let object): object.release()
        case .voice, .openGate, .reset: break
        }
    }
}

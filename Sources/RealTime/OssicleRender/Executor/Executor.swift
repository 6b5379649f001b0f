import COssicle
import OssicleCore

/// The only render loop: devices, offline rendering and tests enter here.
///
///     render(frames)
///       ├─ carry out the commands that are due ── swap the plan, start and stop players
///       ├─ cut a block: to the grid line, to the next command, or to the end of the call, whichever comes first;
///       │  where the plan has memory for several, as many in a row as no command is due in
///       ├─ run every step of the plan on them, the strands of a stage on as many threads as there are
///       └─ copy the plan's outputs out; again, until the call is filled
///
/// The class is the control side's handle; `render` touches nothing but plain memory behind it.
package final class Executor: @unchecked Sendable {
    private let state: UnsafeMutablePointer<State>
    private let commands: Ring<StampedCommand>
    private let published = PositionCell(0)
    /// How many commands the render side has carried out.
    private let carriedOut = PositionCell(0)
    /// Commands that found the ring full wait here, in order, for the next send.
    private var backlog: [StampedCommand] = []
    /// How many commands were sent.
    private var sent: Int64 = 0
    /// What commands point to, with the number of the last command that does, in order.
    private var kept: [(number: Int64, object: AnyObject)] = []
    /// What the render side no longer uses, until `takeSpent`.
    private var spent: [AnyObject] = []
    /// The newest plan.
    private var newest: PlanSlot?
    /// Made with the first plan that has work for them.
    private var workers: RenderWorkers?
    /// Threads that render, 1…64, the audio thread among them; nil for `RenderWorkers.standardThreadCount`. No byte
    /// depends on it.
    package var threadCount: Int? {
        didSet { if threadCount != oldValue { renewWorkers(at: position) } }
    }
    /// What workers do first and last on their threads.
    package var workerSetting: RenderWorkers.Setting? {
        didSet { if workers != nil { renewWorkers(at: position) } }
    }
    /// Whether RealtimeSanitizer, if it is part of the program, watches the render loop. Off for the first cycle of a
    /// check: the Swift runtime makes generic metadata when it is first needed.
    package var isWatched = true

    /// - Parameter commandCapacity: commands that may wait between two render calls before the control side has to hold
    ///   them.
    package init(commandCapacity: Int = 8192) {
        commands = Ring(capacity: commandCapacity)
        state = .allocate(capacity: 1)
        state.initialize(to: State(commands: commands, published: published, carriedOut: carriedOut))
    }

    deinit {
        state.deinitialize(count: 1).deallocate()
        commands.deallocate()
        published.deallocate()
        carriedOut.deallocate()
    }

    // MARK: Control side

    /// Sends a command; carried out at `position` (engine time), or at the start of the next render call if that has
    /// passed. Positions must not decrease from one command to the next.
    /// - Parameter owner: keeps what the command points to. The executor holds it until the command has been carried
    ///   out, so that the sender may release it at once.
    package func send(_ command: RenderCommand, keeping owner: AnyObject?, at position: Int64) {
        sent += 1
        if let owner { kept.append((sent, owner)) }
        backlog.append(StampedCommand(command, at: position))
        flush()
    }

    /// Sends a plan to the render side. One that was due before and has not been taken is dropped.
    package func install(_ plan: RenderPlan, at position: Int64) {
        let now = self.position
        if workers == nil, plan.view.pointee.isDivided { renewWorkers(at: position, areNeeded: true) }
        if let newest, max(newest.position, position) <= now, let dropped = newest.replace(with: plan) {
            spent.append(dropped)
            return
        }
        let slot = PlanSlot(plan, at: position)
        let old = newest
        newest = slot
        send(.swapPlan(slot.view), keeping: old, at: position)
    }

    /// Leaves those before to `takeSpent`.
    private func renewWorkers(at position: Int64, areNeeded: Bool = false) {
        guard areNeeded || workers != nil || newest?.isDivided == true else { return }
        let new = RenderWorkers(count: (threadCount ?? RenderWorkers.standardThreadCount) - 1, workerSetting)
        guard new != nil || workers != nil else { return }
        let old = workers
        workers = new
        send(.useWorkers(new?.view), keeping: old, at: position)
    }

    /// Workers that there are at present.
    package var workerCount: Int { workers?.count ?? 0 }

    /// Whether the render side has the plan that was installed last.
    package var hasTakenPlan: Bool { newest?.isTaken ?? true }

    /// Keeps `object` alive until every command sent so far has been carried out.
    package func release(_ object: AnyObject) {
        kept.append((sent, object))
    }

    /// Frees what the render side no longer uses. Call at every update.
    package func collect() { _ = takeSpent() }

    /// As `collect`, but the caller frees it, for instance outside a lock.
    package func takeSpent() -> [AnyObject] {
        flush()
        let done = carriedOut.load()
        let count = kept.firstIndex { $0.number > done } ?? kept.count
        defer {
            kept.removeFirst(count)
            spent = []
        }
        return spent + kept.prefix(count).map(\.object)
    }

    /// Engine time of the next frame to be rendered.
    package var position: Int64 { published.load() }

    /// Carries out what waits, whatever its time. Only while no render call is under way.
    package func carryOutEverything() {
        while let stamped = commands.pop() { state.pointee.carryOut(stamped.command) }
        for stamped in backlog { state.pointee.carryOut(stamped.command) }
        backlog = []
        carriedOut.store(sent)
    }

    /// Back to engine time 0. Pending commands are carried out first, because engine time restarts below theirs.
    /// Only while no render call is under way.
    package func resetTime() {
        carryOutEverything()
        state.pointee.position = 0
        published.store(0)
    }

    /// Drops the plan and every command that waits. Only while no render call is under way.
    /// - Returns: what they kept, for the caller to free.
    @discardableResult
    package func abandon() -> [AnyObject] {
        backlog = []
        while commands.pop() != nil {}
        state.pointee.abandon(sent)
        let plan = newest
        newest = nil
        workers = nil
        return takeSpent() + (plan.map { [$0] } ?? [])
    }

    private func flush() {
        var pushed = 0
        while pushed < backlog.count, commands.push(backlog[pushed]) { pushed += 1 }
        backlog.removeFirst(pushed)
    }

    // MARK: Render side

    /// Renders `frames` frames into one buffer per channel. Channels beyond the plan's are silenced. Real-time safe.
    /// - Parameter leftAfterwards: frames the client has asked for beyond these, where a long call is rendered in
    ///   slices.
    package func render(
        _ frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, leftAfterwards: Int = 0
    ) {
        let state = self.state
        let floatState = ossicle_flush_denormals()
        if isWatched { ossicle_rtsan_enter() }
        // Only where there is work for them: to wake them takes a system call.
        let workers = state.pointee.plan?.pointee.isDivided == true ? state.pointee.workers : nil
        workers?.begin(isWatched: isWatched)
        state.pointee.render(frames, into: outputs, channels: channels, leftAfterwards: leftAfterwards)
        // Others may have taken their place, and those before may be gone.
        if let workers, workers == state.pointee.workers { workers.end() }
        if isWatched { ossicle_rtsan_exit() }
        ossicle_restore_float_state(floatState)
    }
}

extension Executor {
    /// The render side's half of the executor.
    struct State: ~Copyable {
        var position: Int64 = 0
        var plan: UnsafePointer<RenderPlan.View>?
        var workers: RenderWorkers.View?
        private var carriedOut: Int64 = 0
        private let published: PositionCell
        private let carriedOutCell: PositionCell
        private let commands: Ring<StampedCommand>

        init(commands: Ring<StampedCommand>, published: PositionCell, carriedOut: PositionCell) {
            (self.commands, self.published, carriedOutCell) = (commands, published, carriedOut)
        }

        mutating func render(
            _ frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, leftAfterwards: Int
        ) {
            var done = 0
            while done < frames {
                let nextCommand = carryOutDueCommands(before: frames - done)
                let most = RenderSpan.frames(ofBlocks: plan?.pointee.blockCount ?? 1, from: position)
                let count = min(frames - done, most, nextCommand)
                let isLine = position & Int64(Grid.quantum - 1) == 0
                var context = RenderContext(
                    position: position, frames: min(count, Grid.framesToNextLine(from: position)),
                    isControlPoint: done == 0 || isLine, framesLeftInCall: frames - done + leftAfterwards)
                context.workers = workers
                render(RenderSpan(context, frames: count), into: outputs, channels: channels, offset: done)
                position += Int64(count)
                done += count
            }
            published.store(position)
        }

        /// Carries out what is due and returns the frames until the next command waits, at most so many.
        private mutating func carryOutDueCommands(before most: Int) -> Int {
            let before = carriedOut
            defer { if carriedOut != before { carriedOutCell.store(carriedOut) } }
            while let stamped = commands.peek() {
                if stamped.position > position { return Int(min(stamped.position - position, Int64(most))) }
                _ = commands.pop()
                carryOut(stamped.command)
            }
            return most
        }

        mutating func carryOut(_ command: RenderCommand) {
            switch command {
            case .swapPlan(let slot):
                if let next = slot.take() { plan = next }
            case .useWorkers(let new):
                workers = new
            case .voice(let voice, let command):
                voice.carryOut(command, at: position)
            case .openGate(let gate):
                gate.open()
            case .reset(let renderer):
                renderer.reset()
            }
            carriedOut += 1
        }

        /// Forgets the plan; `sent` commands count as carried out.
        mutating func abandon(_ sent: Int64) {
            plan = nil
            workers = nil
            carriedOut = sent
            carriedOutCell.store(sent)
        }

        private func render(
            _ span: RenderSpan, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, offset: Int
        ) {
            let available = plan?.pointee.outputCount ?? 0
            plan?.pointee.run(span)
            for block in 0..<span.blockCount {
                let (begin, frames) = (offset + span.begin(of: block), span[block].frames)
                for channel in 0..<min(channels, available) {
                    guard let made = plan?.pointee.outputs[block * available + channel] else { continue }
                    (outputs[channel] + begin).update(from: made, count: frames)
                }
                for channel in min(channels, available)..<channels { Mixing.clear(outputs[channel] + begin, frames) }
            }
        }
    }
}

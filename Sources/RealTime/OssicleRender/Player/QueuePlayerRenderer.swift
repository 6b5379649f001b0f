import OssicleCore

/// Plays a queue of sounds, first in first out: no input, one output port.
///
///     mail ──▶ queue ──▶ current ──▶ outputs
///       ▲                   │
///       └── ended entries ◀─┘
///
/// Samples are copied, never scaled (NaN and infinity become 0 and are counted), and everything happens on its frame:
/// starts, seams of loops, cuts and ends lie wherever they fall within a block. What the control side sends takes
/// effect with the first frame of the next block, without a fade: sent between two render calls, with the first of the
/// second.
///
/// There are two clocks. Node time is `RenderContext.position`. Player time begins at 0 where play takes effect, stands
/// still from pause to play, and goes back to 0 with stop; it may run past the last sound, and what is scheduled then
/// plays at once. A stream that is late is silent for the frames that are missing, and continues in time.
package struct QueuePlayerRenderer: ControlledRenderer, ~Copyable {
    typealias Entry = UnsafeMutablePointer<QueueEntry>

    enum Activity {
        /// Stopped or paused.
        case halted
        /// Play was requested and nothing rendered since; the entry may name a time and a gate.
        case armed(Entry)
        case running
    }

    /// The control side's way in and out.
    package var control: UnsafeMutablePointer<PlayerMail> { mail }
    let mail: UnsafeMutablePointer<PlayerMail>

    var activity = Activity.halted
    var clock = PlayerMail.Clock()
    var queue = EntryQueue()
    var current: Entry?
    /// Node time of the frame behind the last one rendered.
    var renderedTo: Int64 = 0

    package init() {
        mail = .allocate(capacity: 1)
        mail.initialize(to: PlayerMail())
    }

    deinit {
        if case .armed(let entry) = activity { entry.pointee.owner?.release() }
        current?.pointee.owner?.release()
        EntryQueue.forEach(from: queue.first) { $0.pointee.owner?.release() }
        mail.deinitialize(count: 1).deallocate()
    }

    /// Real-time safe.
    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        standStillWhileUnheard(until: context.position)
        takeMail(at: context.position)
        beginIfArmed(at: context.position)
        if case .running = activity {
            play(ports, context)
        } else {
            ports.silenceOutputs(context.frames)
        }
        renderedTo = context.position + Int64(context.frames)
    }

    /// While nothing listened, or where the clock begins anew, player time has not passed: what is scheduled is not
    /// lost. What waited for a node time that has passed meanwhile begins now.
    private mutating func standStillWhileUnheard(until position: Int64) {
        guard case .running = activity, position != renderedTo else { return }
        let hasBegun = renderedTo - clock.zero >= clock.halt
        clock.zero = hasBegun ? clock.zero + position - renderedTo : max(clock.zero, position - clock.halt)
        mail.pointee.clockCell.write(clock)
    }

    /// Hands an entry back, and says what became of it.
    func handBack(_ entry: Entry, _ outcome: QueueEntry.Outcome, at position: Int64) {
        entry.pointee.outcome = outcome
        entry.pointee.endedAt = position
        mail.pointee.toControl.push(entry)
    }
}

extension QueuePlayerRenderer {
    /// Carries out what has been sent since the last time, in order.
    mutating func takeMail(at position: Int64) {
        guard var entry = mail.pointee.toRender.takeAll() else { return }
        while true {
            let next = entry.pointee.next
            carryOut(entry, at: position)
            guard let next else { break }
            entry = next
        }
        mail.pointee.clockCell.write(clock)
    }

    private mutating func carryOut(_ entry: Entry, at position: Int64) {
        switch entry.pointee.content {
        case .sound(let sound):
            queue.append(entry, sound)
            return
        case .play:
            arm(entry, at: position)
        case .pause:
            halt(at: position)
            handBack(entry, .carriedOut, at: position)
        case .stop:
            halt(at: position)
            clock.halt = 0
            dropEverything(at: position)
            handBack(entry, .carriedOut, at: position)
        }
        clock.carriedOut += 1
    }

    /// A player that plays continues; one that still waits for its time takes the new one.
    private mutating func arm(_ entry: Entry, at position: Int64) {
        if case .running = activity, position - clock.zero >= clock.halt {
            handBack(entry, .carriedOut, at: position)
            return
        }
        disarm(at: position)
        activity = .armed(entry)
        clock.isRunning = false
    }

    private mutating func disarm(at position: Int64) {
        if case .armed(let entry) = activity { handBack(entry, .carriedOut, at: position) }
    }

    private mutating func halt(at position: Int64) {
        disarm(at: position)
        if case .running = activity { clock.halt = max(position - clock.zero, clock.halt) }
        activity = .halted
        clock.isRunning = false
    }

    private mutating func dropEverything(at position: Int64) {
        endCurrent(.stopped, at: position)
        while let entry = queue.popFirst() { handBack(entry, .stopped, at: position) }
    }

    /// Lets player time run from the block that begins at `position`, if play was requested and its gate is open.
    mutating func beginIfArmed(at position: Int64) {
        guard case .armed(let entry) = activity, case .play(let at, let gate) = entry.pointee.content else { return }
        if let gate, !gate.isOpen { return }
        activity = .running
        clock.isRunning = true
        clock.zero = max(min(at ?? position, 1 << 61), position) - clock.halt
        handBack(entry, .carriedOut, at: position)
        mail.pointee.clockCell.write(clock)
    }
}

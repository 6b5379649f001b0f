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

    /// A player that plays goes on; one that still waits for its time takes the new one.
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

    /// Lets player time run from the block that begins at `position`, if it was told to and its gate is open.
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

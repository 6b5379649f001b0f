import OssicleCore

extension QueuePlayerRenderer {
    /// Fills one block, stretch by stretch; each goes to the next moment at which another sound may begin or end.
    mutating func play(_ ports: Ports, _ context: RenderContext) {
        var done = 0
        var sounded = false
        while done < context.frames {
            let now = context.position + Int64(done) - clock.zero
            let left = Int64(context.frames - done)
            if now < clock.halt {
                done += clear(ports, done, Int(min(left, clock.halt - now)))
                continue
            }
            settle(at: now)
            let run = Int(min(left, framesToNextEvent(from: now)))
            if let current, let sound = current.pointee.sound {
                copy(current, sound, to: ports, done, run)
                sounded = true
                endIfOver(current, sound, at: now + Int64(run) + clock.zero)
            } else {
                _ = clear(ports, done, run)
            }
            done += run
        }
        if !sounded { ports.markSilent(0) }
    }

    // MARK: What plays at a moment

    /// Ends and begins whatever ends and begins at player time `now`.
    private mutating func settle(at now: Int64) {
        queue.refreshTimes()
        if let cut = queue.dueCut(at: now) { drop(until: cut, at: now + clock.zero) }
        while true {
            if let current, let sound = current.pointee.sound {
                guard sound.source.loops, queue.loopEndTime <= now,
                    sound.framesToPassEnd(from: current.pointee.frame) == 0
                else { break }
                endCurrent(.interrupted, at: now + clock.zero)
            }
            guard let sound = queue.first?.pointee.sound, sound.dueTime <= now else { break }
            current = queue.popFirst()
            if sound.source.frameCount <= 0 { endCurrent(.finished, at: now + clock.zero) }
        }
        queue.refreshTimes()
    }

    private mutating func drop(until cut: Entry, at position: Int64) {
        endCurrent(.interrupted, at: position)
        while let first = queue.first, first != cut, let entry = queue.popFirst() {
            handBack(entry, .interrupted, at: position)
        }
    }

    mutating func endCurrent(_ outcome: QueueEntry.Outcome, at position: Int64) {
        guard let entry = current else { return }
        current = nil
        handBack(entry, outcome, at: position)
    }

    private mutating func endIfOver(_ entry: Entry, _ sound: QueueEntry.Sound, at position: Int64) {
        if !sound.source.loops && entry.pointee.frame >= sound.source.frameCount { endCurrent(.finished, at: position) }
    }

    /// Frames for which nothing changes, at least 1.
    private func framesToNextEvent(from now: Int64) -> Int64 {
        let toCut = queue.cutTime == .max ? Int64.max : queue.cutTime - now
        return max(1, min(toCut, framesToSoundEvent(from: now)))
    }

    private func framesToSoundEvent(from now: Int64) -> Int64 {
        guard let current, let sound = current.pointee.sound else {
            guard let next = queue.first?.pointee.sound else { return .max }
            return next.dueTime - now
        }
        guard sound.source.loops else { return sound.source.frameCount - current.pointee.frame }
        guard queue.loopEndTime < .max else { return .max }
        // The first end of a pass that is not before the time from which loops may end.
        let toPassEnd = sound.framesToPassEnd(from: current.pointee.frame)
        let early = queue.loopEndTime == .min ? 0 : max(0, queue.loopEndTime - now - toPassEnd)
        let passes = (early + sound.source.frameCount - 1) / sound.source.frameCount
        return toPassEnd + passes * sound.source.frameCount
    }

    // MARK: Samples

    private func copy(_ entry: Entry, _ sound: QueueEntry.Sound, to ports: Ports, _ offset: Int, _ frames: Int) {
        let source = sound.source
        var (owed, nonFinite) = (0, 0)
        for channel in 0..<ports.outputCount {
            let output = ports.output(channel) + offset
            if channel < source.channelCount {
                owed = source.read(channel, from: entry.pointee.frame, count: frames, to: output)
                nonFinite += Mixing.clearNonFinite(output, frames)
            } else {
                Mixing.clear(output, frames)
            }
        }
        entry.pointee.frame += Int64(frames)
        source.window?.consumed.pointee.store(entry.pointee.frame)
        if nonFinite > 0 {
            mail.pointee.nonFiniteSamples.store(mail.pointee.nonFiniteSamples.load() + Int64(nonFinite))
        }
        if owed > 0 { mail.pointee.starvedFrames.store(mail.pointee.starvedFrames.load() + Int64(owed)) }
    }

    private func clear(_ ports: Ports, _ offset: Int, _ frames: Int) -> Int {
        for channel in 0..<ports.outputCount { Mixing.clear(ports.output(channel) + offset, frames) }
        return frames
    }
}

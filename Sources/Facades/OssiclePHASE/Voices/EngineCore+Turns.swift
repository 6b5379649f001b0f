import OssicleDSP
import OssicleRender
import OssicleSoundEvents

/// What begins when: the leaves of an event that was triggered, and the children of sequences as their turns come.
///
///     voice 1 ────────────────────┤ predicted end, less the overlap
///                   update        ▼
///     voice 2 ··········│·········├────────    told ahead, and told again while it waits if the prediction changes
extension EngineCore {
    /// How far ahead a child is told to begin: some updates, so that none can come too late.
    private var horizon: Int64 { executor.position + max(8 * Self.updateInterval, 4 * (executor.position - lastUpdate)) }

    // MARK: Beginning

    /// Has everything at and below a node begin that begins with it.
    /// - Parameter seconds: where in their sounds the leaves begin.
    func begin(_ node: Int, of event: EventInstance, at time: Int64, from seconds: Double = 0, isFollower: Bool = false, _ output: OutputStage) {
        guard event.makesSound[node] else { return }
        let children = event.tree.nodes[node].children.filter { event.makesSound[$0] }
        switch event.tree.nodes[node].kind {
        case .sampler, .stream:
            beginLeaf(node, of: event, at: time, from: seconds, isFollower: isFollower, output)
        case .container, .random, .selection, .blend:
            for child in children { begin(child, of: event, at: time, from: seconds, isFollower: isFollower, output) }
        case .sequence:
            event.turns[node] = SequenceTurns(of: children, from: time)
            if let first = children.first { begin(first, of: event, at: time, from: seconds, isFollower: isFollower, output) }
        }
    }

    private func beginLeaf(_ node: Int, of event: EventInstance, at time: Int64, from seconds: Double, isFollower: Bool, _ output: OutputStage) {
        guard let generator = event.tree.generator(node), let activation = event.activationIndices[node] else { return }
        let strip = event.strips[generator.mixer] ?? output.makeStrip(event.tree.mixers[generator.mixer], isVirtual: isCrowded)
        voiceCount += 1
        event.strips[generator.mixer] = strip
        planIsStale = true
        guard let voice = makeVoice(event, node, activation, strip, output) else {
            event.hasFailed = true
            return
        }
        event.voices.append(voice)
        event.voicesByNode[node] = voice
        (voice.begins, voice.place, voice.isFollower) = (time, voice.frame(at: seconds), isFollower)
        if voice.place > 0 { restart(voice, at: voice.place) }
        send(.start(from: voice.place, at: time), to: voice)
    }

    // MARK: Turns

    func takeTurns(_ output: OutputStage) {
        for event in events where event.stage == .playing && !event.isHalted && !event.turns.isEmpty {
            takeTurns(at: 0, of: event, event.values(at: now), output)
        }
    }

    private func takeTurns(at node: Int, of event: EventInstance, _ values: ParameterValues, _ output: OutputStage) {
        guard var turns = event.turns[node] else {
            for child in event.tree.nodes[node].children where event.makesSound[child] { takeTurns(at: child, of: event, values, output) }
            return
        }
        func timeBehind(_ index: Int) -> Int64 {
            beginning(of: node, afterChild: turns.children[index], whichBegins: turns.begins[index], event, values, output)
        }
        for index in turns.begins.indices {
            if index > 0, turns.begins[index] > executor.position, case let time = timeBehind(index - 1), time != turns.begins[index] {
                turns.begins[index] = time
                putOff(turns.children[index], of: event, to: time)
            }
            takeTurns(at: turns.children[index], of: event, values, output)
        }
        while let next = turns.next, case let time = timeBehind(next - 1), time <= horizon {
            turns.begins.append(time)
            begin(turns.children[next], of: event, at: time, isFollower: true, output)
            takeTurns(at: turns.children[next], of: event, values, output)
        }
        event.turns[node] = turns
    }

    /// When the child of a sequence begins that follows another: now at the earliest, and not before that one.
    private func beginning(of sequence: Int, afterChild child: Int, whichBegins time: Int64, _ event: EventInstance, _ values: ParameterValues,
                           _ output: OutputStage) -> Int64 {
        guard case .sequence(let overlap) = event.tree.nodes[sequence].kind, time < .max else { return .max }
        let end = end(of: child, event, values, output)
        guard end < .max else { return .max }
        let frames = min(max(Int64(nearest: overlap / unitsPerSecond * output.sampleRate), 0), 1 << 60)
        return max(max(end, 0) - frames, time, executor.position)
    }

    /// Those that wait for the end of others that has become uncertain wait without a time.
    func putOffFollowers(of event: EventInstance) {
        for node in event.turns.keys.sorted() {
            guard var turns = event.turns[node] else { continue }
            for index in turns.begins.indices where index > 0 && turns.begins[index] > executor.position {
                turns.begins[index] = .max
                putOff(turns.children[index], of: event, to: .max)
            }
            event.turns[node] = turns
        }
    }

    private func putOff(_ node: Int, of event: EventInstance, to time: Int64) {
        guard var turns = event.turns[node] else {
            if let voice = event.voicesByNode[node] {
                voice.begins = time
                send(.wait(until: time), to: voice)
            }
            for child in event.tree.nodes[node].children where event.makesSound[child] { putOff(child, of: event, to: time) }
            return
        }
        // Only the first child begins with its sequence; the others are told anew when that is settled.
        for index in turns.begins.indices {
            turns.begins[index] = index == 0 ? time : .max
            putOff(turns.children[index], of: event, to: turns.begins[index])
        }
        event.turns[node] = turns
    }

    // MARK: Ends

    /// Engine frame at which all that has begun at and below a node will have ended: `Int64.max` if that is not known, `Int64.min` if nothing plays.
    private func end(of node: Int, _ event: EventInstance, _ values: ParameterValues, _ output: OutputStage) -> Int64 {
        if let voice = event.voicesByNode[node] { return end(of: voice, event, values, output) }
        if let turns = event.turns[node], turns.next != nil { return .max }
        let children = event.tree.nodes[node].children.lazy.filter { event.makesSound[$0] }
        return children.map { self.end(of: $0, event, values, output) }.max() ?? .min
    }

    private func end(of voice: Voice, _ event: EventInstance, _ values: ParameterValues, _ output: OutputStage) -> Int64 {
        switch voice.state {
        case .terminated: return .min
        case .finished: return voice.finishedAt ?? .min
        case .playing, .asleep: break
        }
        guard case .sound(let leaf, let sound) = voice.content, leaf.playback == .oneShot else { return .max }
        let predicted = voice.player.status.pointee.endsAt.load()
        if voice.begins <= executor.position && predicted >= 0 { return event.unsettledAt >= executor.position ? .max : predicted }
        let step = output.playback(sound.sampleRate, rate: level(of: voice, treeGain: 0, values, groupMix.levels).speed, gain: 0, rampFrames: 0).step
        let left = max(sound.frameCount - voice.place, 0)
        guard voice.begins < .max, left < 1 << 31, step > 0 else { return .max }
        let frames = Int64(((UInt64(left) << 32) + step - 1) / step)
        return voice.begins < .max - frames ? voice.begins + frames : .max
    }
}

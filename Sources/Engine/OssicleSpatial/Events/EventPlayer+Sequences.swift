import OssicleDSP
import OssicleRender
import OssicleSoundEvents

/// How far a sequence has come.
struct SequenceProgress {
    /// The children that make sound, in order.
    let children: [Int]
    /// When those that have been scheduled begin: engine frames, `Int64.max` while that is not known.
    var begins: [Int64]

    init(of children: [Int], from time: Int64) {
        self.children = children
        begins = children.isEmpty ? [] : [time]
    }

    /// The child to be scheduled next; nil if all have been.
    var next: Int? { begins.count < children.count ? begins.count : nil }
}

/// Sequence scheduling: each child begins by the predicted end of the one before it, less the overlap.
///
///     voice 1 ────────────────────┤ predicted end, less the overlap
///                   update        ▼
///     voice 2 ··········│·········├────────    sent ahead, and again while it waits if the prediction changes
extension EventPlayer {
    /// What predictions go by.
    struct Prediction {
        let values: ParameterValues
        let groups: [String: GroupLevel]
        let output: OutputStage
        let room: Int
    }

    /// How far ahead a child is scheduled: some updates, so that none can come too late.
    private var horizon: Int64 {
        executor.position + max(8 * Self.updateInterval, 4 * (executor.position - lastUpdate))
    }

    /// - Parameters:
    ///   - groups: levels as of the last update. - room: voices that can be heard at once.
    package func scheduleSequences(_ output: OutputStage, groups: [String: GroupLevel], room: Int) {
        guard needs.sequences else { return }
        for event in events where event.stage == .playing && !event.transport.isHalted && !event.sequences.isEmpty {
            schedule(
                0, of: event, Prediction(values: event.values(at: now), groups: groups, output: output, room: room))
        }
    }

    private func schedule(_ node: Int, of event: EventInstance, _ prediction: Prediction) {
        guard var progress = event.sequences[node] else {
            for child in event.tree.nodes[node].children where event.chosen.makesSound[child] {
                schedule(child, of: event, prediction)
            }
            return
        }
        func timeBehind(_ index: Int) -> Int64 {
            beginning(
                of: node, behind: progress.children[index], whichBegins: progress.begins[index], event, prediction)
        }
        for index in progress.begins.indices {
            if index > 0, progress.begins[index] > executor.position, case let time = timeBehind(index - 1),
                time != progress.begins[index]
            {
                progress.begins[index] = time
                postpone(progress.children[index], of: event, to: time)
            }
            schedule(progress.children[index], of: event, prediction)
        }
        while let next = progress.next, case let time = timeBehind(next - 1), time <= horizon {
            progress.begins.append(time)
            let start = Start(at: time, isFollower: true, room: prediction.room)
            begin(progress.children[next], of: event, start, prediction.output)
            schedule(progress.children[next], of: event, prediction)
        }
        event.sequences[node] = progress
    }

    /// When the child of a sequence begins that follows another: now at the earliest, and not before that one.
    private func beginning(
        of sequence: Int, behind child: Int, whichBegins time: Int64, _ event: EventInstance, _ prediction: Prediction
    ) -> Int64 {
        guard case .sequence(let overlap) = event.tree.nodes[sequence].kind, time < .max else { return .max }
        let end = end(of: child, event, prediction)
        guard end < .max else { return .max }
        let frames = min(
            max(Int64(nearest: overlap / unitsPerSecond * prediction.output.sampleRate), 0), 1 << 60)
        return max(max(end, 0) - frames, time, executor.position)
    }

    /// Those that wait for the end of others that has become uncertain wait without a time.
    func postponeFollowers(of event: EventInstance) {
        for node in event.sequences.keys.sorted() {
            guard var progress = event.sequences[node] else { continue }
            for index in progress.begins.indices where index > 0 && progress.begins[index] > executor.position {
                progress.begins[index] = .max
                postpone(progress.children[index], of: event, to: .max)
            }
            event.sequences[node] = progress
        }
    }

    private func postpone(_ node: Int, of event: EventInstance, to time: Int64) {
        guard var progress = event.sequences[node] else {
            if let voice = event.voicesByNode[node] {
                voice.begins = time
                send(.wait(until: time), to: voice)
            }
            for child in event.tree.nodes[node].children where event.chosen.makesSound[child] {
                postpone(child, of: event, to: time)
            }
            return
        }
        // Only the first child begins with its sequence; the others are scheduled anew when that is settled.
        for index in progress.begins.indices {
            progress.begins[index] = index == 0 ? time : .max
            postpone(progress.children[index], of: event, to: progress.begins[index])
        }
        event.sequences[node] = progress
    }

    // MARK: Ends

    /// Engine frame at which all that has begun at and below a node will have ended: `Int64.max` if that is not known,
    /// `Int64.min` if nothing plays.
    private func end(of node: Int, _ event: EventInstance, _ prediction: Prediction) -> Int64 {
        if let voice = event.voicesByNode[node] { return end(of: voice, event, prediction) }
        if let progress = event.sequences[node], progress.next != nil { return .max }
        let children = event.tree.nodes[node].children.lazy.filter { event.chosen.makesSound[$0] }
        return children.map { self.end(of: $0, event, prediction) }.max() ?? .min
    }

    private func end(of voice: Voice, _ event: EventInstance, _ prediction: Prediction) -> Int64 {
        switch voice.state {
        case .terminated: return .min
        case .finished: return voice.finishedAt ?? .min
        case .playing, .asleep: break
        }
        guard case .sound(let leaf, let sound) = voice.content, leaf.playback == .oneShot else { return .max }
        let predicted = voice.player.status.pointee.endsAt.load()
        if voice.begins <= executor.position && predicted >= 0 {
            return event.transport.unsettledAt >= executor.position ? .max : predicted
        }
        let level = VoiceLevel(of: voice, treeGain: 0, prediction.values, groups: prediction.groups)
        let step = prediction.output.playback(sound.sampleRate, rate: level.speed, gain: 0, rampFrames: 0).step
        let left = max(sound.frameCount - voice.position, 0)
        guard voice.begins < .max, left < 1 << 31, step > 0 else { return .max }
        let frames = Int64(((UInt64(left) << 32) + step - 1) / step)
        return voice.begins < .max - frames ? voice.begins + frames : .max
    }
}

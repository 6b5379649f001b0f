import OssicleAVFAudio
import OssicleCore

/// Seeking: from the client's call to the frame at which the new place has been rendered.
extension EngineCore {
    func seek(_ event: EventInstance, to time: Double, resumeAt when: AVAudioTime?, _ handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)?) {
        locked {
            func answer(_ reason: PHASESoundEvent.SeekHandlerReason) {
                if let handler { hand { handler(reason) } }
            }
            guard time.isFinite, time >= 0 else {
                record(PHASESoundEventError(.apiMisuse,
                    "Event “\(event.assetIdentifier)”: seek(to: \(time)) did nothing; a place in a sound is a finite number of seconds, 0 or more."))
                return answer(.failure)
            }
            let seek = Seek(seconds: time / unitsPerSecond, time: usable(when, event, "seek(to:resumeAt:)"), handler: handler)
            switch event.stage {
            case .ending, .ended: return answer(.failure)
            case .made,
                 .waiting where event.isPaused: break
            case .waiting, .playing:
                guard event.seek == nil else { return answer(.failureSeekAlreadyInProgress) }
                event.seek = seek
                return valuesChanged()
            }
            guard engine != nil else { return answer(.failure) }
            event.startPlace = seek.seconds
            answer(.seekSuccessful)
        }
    }

    /// An event that is paused before its first frame has no voices to seek: it remembers the position, and the seek has succeeded.
    func settleSeek(of event: EventInstance) {
        guard let seek = event.seek else { return }
        event.seek = nil
        event.startPlace = seek.seconds
        if let handler = seek.handler { hand { handler(.seekSuccessful) } }
    }

    /// Tells the voices. Those that wait for their turn in a sequence begin at their beginning all the same.
    func carryOutSeeks() {
        for event in events where event.stage == .playing {
            guard let seek = event.seek, seek.takesEffectAt == nil else { continue }
            putOffFollowers(of: event)
            event.unsettledAt = executor.position
            let time = max(frame(of: seek.time), executor.position + Int64(Grid.quantum))
            event.seek?.takesEffectAt = time
            for voice in event.voices where !voice.isOver && !(voice.isFollower && voice.begins > executor.position) {
                move(voice, to: voice.frame(at: seek.seconds), at: frame(of: seek.time))
            }
        }
    }

    private func move(_ voice: Voice, to frame: Int64, at time: Int64) {
        if voice.begins > executor.position { (voice.begins, voice.place) = (max(voice.begins, time), frame) }
        restart(voice, at: frame, leavingAt: executor.position + Self.longestRenderCall)
        send(.seek(to: frame, at: time), to: voice)
    }

    /// Engine frames by which a device may be ahead of the position it has published.
    private static var longestRenderCall: Int64 { 16_384 }

    /// Answers the seeks whose frame has been rendered.
    func endSeeks() {
        for event in events {
            if let time = event.seek?.takesEffectAt, time < executor.position { endSeek(of: event) }
        }
    }

    /// A seek that has not taken effect by now has failed.
    func endSeek(of event: EventInstance) {
        guard let seek = event.seek else { return }
        event.seek = nil
        let reason: PHASESoundEvent.SeekHandlerReason = (seek.takesEffectAt.map { $0 < executor.position } ?? false) ? .seekSuccessful : .failure
        if let handler = seek.handler { hand { handler(reason) } }
    }
}

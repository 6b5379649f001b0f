import OssicleCore

/// Seeking: from the client's call to the frame at which the new position has been rendered.
extension EventPlayer {
    /// - Parameters:
    ///   - seconds: from the start of each sound, 0 or more. - time: when to continue; nil is as soon as may be.
    ///   - isAlive: whether anything will ever play the event.
    /// - Returns: whether an update has to carry it out.
    package func seek(
        _ event: EventInstance, to seconds: Double, at time: EngineTime?, isAlive: Bool,
        _ handler: (@Sendable (SeekResult) -> Void)?
    ) -> Bool {
        let seek = EventTransport.Seek(seconds: seconds, time: time, handler: handler)
        switch event.stage {
        case .ending, .ended: answer(seek, .failure)
        case .made,
            .waiting where event.transport.isPaused:
            if isAlive { event.transport.startPosition = seconds }
            answer(seek, isAlive ? .successful : .failure)
        case .waiting, .playing:
            guard event.transport.seek == nil else {
                answer(seek, .alreadyInProgress)
                return false
            }
            (needs, event.idle) = (.all, nil)
            event.transport.seek = seek
            return true
        }
        return false
    }

    func answer(_ seek: EventTransport.Seek, _ result: SeekResult) {
        if let handler = seek.handler { host?.call { handler(result) } }
    }

    /// Moves the voices. Those that wait for others in a sequence begin at their beginning all the same.
    func carryOutSeeks() {
        for event in events where event.stage == .playing {
            guard let seek = event.transport.seek, seek.takesEffectAt == nil, !isEarly(seek.time) else { continue }
            postponeFollowers(of: event)
            event.transport.unsettledAt = executor.position
            event.transport.seek?.takesEffectAt = max(
                frame(of: seek.time), executor.position + Int64(Grid.quantum))
            for voice in event.voices where !voice.isOver && !(voice.isFollower && voice.begins > executor.position) {
                move(voice, to: voice.frame(at: seek.seconds), at: frame(of: seek.time))
            }
        }
    }

    private func move(_ voice: Voice, to frame: Int64, at time: Int64) {
        if voice.begins > executor.position { (voice.begins, voice.position) = (max(voice.begins, time), frame) }
        restart(voice, at: frame, leavingAt: executor.position + Self.longestRenderCall)
        send(.seek(to: frame, at: time), to: voice)
    }

    /// Engine frames by which a device may be ahead of the position it has published.
    private static var longestRenderCall: Int64 { 16_384 }

    /// Answers the seeks whose frame has been rendered.
    func endSeeks() {
        guard needs.seeks else { return }
        for event in events {
            if let time = event.transport.seek?.takesEffectAt, time < executor.position { endSeek(of: event) }
        }
    }

    /// A seek that has not taken effect by now has failed.
    func endSeek(of event: EventInstance) {
        guard let seek = event.transport.seek else { return }
        event.transport.seek = nil
        let hasTakenEffect = seek.takesEffectAt.map { $0 < executor.position } ?? false
        answer(seek, hasTakenEffect ? .successful : .failure)
    }
}

import OssicleAVFAudio
import OssicleSpatial

/// What becomes of a client's calls on a sound event: checked, and given to the engine's event player. Any thread.
extension PHASESoundEvent {
    func performPrepare(_ handler: (@Sendable (PHASESoundEvent.PrepareHandlerReason) -> Void)?) {
        core.locked {
            let reason: PHASESoundEvent.PrepareHandlerReason =
                instance.stage == .ended ? .terminated : core.engine == nil ? .failure : .prepared
            if reason == .prepared { preparation = .prepared }
            if let handler { core.call { handler(reason) } }
        }
    }

    /// - Parameter time: nil is at once.
    /// - Returns: false if the event was started before, or is over; the handler is not kept then.
    @discardableResult
    func performStart(
        at time: AVAudioTime? = nil, call name: String = "start(at:)",
        _ handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?
    ) -> Bool {
        core.locked {
            guard instance.stage == .made else { return false }
            guard core.engine != nil else {
                // Nothing will ever play it, and a waiting event would keep this core.
                core.spatial.player.fail(instance)
                if let handler { core.call { handler(.failure) } }
                return true
            }
            preparation = .prepared
            let wrapped = handler.map { handler in
                { @Sendable (end: EventEnd) in handler(PHASESoundEvent.StartHandlerReason(end)) }
            }
            core.spatial.player.start(instance, at: engineTime(time, name), owner: self, wrapped)
            core.spatial.valuesChanged()
            return true
        }
    }

    /// Halts a started event at the next update.
    func performPause() {
        core.locked {
            guard instance.stage == .waiting || instance.stage == .playing, !instance.transport.isPaused else { return }
            core.spatial.player.pause(instance)
            core.spatial.valuesChanged()
        }
    }

    /// Lets a paused event go on at the next update, and starts one that is prepared and was never started, as PHASE
    /// does.
    /// - Parameter time: when it continues; nil is at once.
    func performResume(at time: AVAudioTime? = nil) {
        core.locked {
            switch instance.stage {
            case .made where preparation == .prepared:
                performStart(at: time, call: "resume(at:)", nil)
            case .made:
                core.record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(instance.parts.assetIdentifier)”: resume() did nothing, because the event was neither prepared nor started; call prepare() or start() first."
                    ))
            case .waiting, .playing:
                guard instance.transport.isPaused else { return }
                core.spatial.player.resume(instance, at: engineTime(time, "resume(at:)"))
                core.spatial.valuesChanged()
            case .ending, .ended: return
            }
        }
    }

    func performSeek(
        to time: Double, resumeAt when: AVAudioTime?,
        _ handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)?
    ) {
        core.locked {
            guard time.isFinite, time >= 0 else {
                core.record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(instance.parts.assetIdentifier)”: seek(to: \(time)) did nothing; a place in a sound is a finite number of seconds, 0 or more."
                    ))
                if let handler { core.call { handler(.failure) } }
                return
            }
            let wrapped = handler.map { handler in
                { @Sendable (result: SeekResult) in handler(PHASESoundEvent.SeekHandlerReason(result)) }
            }
            let isPending = core.spatial.player.seek(
                instance, to: time / core.settings.current.unitsPerSecond, at: engineTime(when, "seek(to:resumeAt:)"),
                isAlive: core.engine != nil, wrapped)
            if isPending { core.spatial.valuesChanged() }
        }
    }

    /// Ends the event: in manual mode at the next update, otherwise with the next frame that is rendered.
    func performStop() {
        core.locked {
            guard instance.stage != .ended, instance.stage != .ending else { return }
            core.spatial.player.terminate(
                instance,
                waits: core.updateMode == .manual && core.renderingState != .stopped && instance.stage != .made)
            core.spatial.valuesChanged()
        }
    }

    /// Nil, with a recorded error, for a time that names no moment.
    private func engineTime(_ time: AVAudioTime?, _ call: String) -> EngineTime? {
        guard let time else { return nil }
        if time.isSampleTimeValid { return .sample(time.sampleTime, rate: time.sampleRate) }
        if time.isHostTimeValid { return .host(seconds: AVAudioTime.seconds(forHostTime: time.hostTime)) }
        core.record(
            PHASESoundEventError(
                .apiMisuse,
                "Event “\(instance.parts.assetIdentifier)”: \(call) was given a time without sample time and host time, which counts as now; make it from lastRenderTime."
            ))
        return nil
    }
}

extension PHASESoundEvent.StartHandlerReason {
    init(_ end: EventEnd) {
        self =
            switch end {
            case .failure: .failure
            case .finished: .finishedPlaying
            case .terminated: .terminated
            }
    }
}

extension PHASESoundEvent.SeekHandlerReason {
    fileprivate init(_ result: SeekResult) {
        self =
            switch result {
            case .failure: .failure
            case .alreadyInProgress: .failureSeekAlreadyInProgress
            case .successful: .seekSuccessful
            }
    }
}

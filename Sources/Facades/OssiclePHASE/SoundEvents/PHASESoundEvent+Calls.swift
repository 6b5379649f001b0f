import OssicleAVFAudio
import OssicleRecording
import OssicleSpatial

/// What becomes of a client's calls on a sound event: checked, and given to the engine's event player. Any thread.
extension PHASESoundEvent {
    func performPrepare(_ handler: (@Sendable (PHASESoundEvent.PrepareHandlerReason) -> Void)?) {
        control.locked {
            control.note(.prepare(instance.parts.number))
            let reason: PHASESoundEvent.PrepareHandlerReason =
                instance.stage == .ended ? .terminated : control.engine == nil ? .failure : .prepared
            if reason == .prepared { preparation = .prepared }
            if let handler { control.call { handler(reason) } }
        }
    }

    /// - Parameter time: nil is at once.
    /// - Returns: false if the event was started before, or is over; the handler is not kept then.
    @discardableResult
    func performStart(
        at time: AVAudioTime? = nil, call name: String = "start(at:)",
        _ handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?
    ) -> Bool {
        control.locked {
            guard instance.stage == .made else { return false }
            guard control.engine != nil else {
                // Nothing will ever play it, and a waiting event would keep this control.
                control.spatial.player.fail(instance)
                if let handler { control.call { handler(.failure) } }
                return true
            }
            preparation = .prepared
            control.note(.startEvent(instance.parts.number, at: time?.timeRecord))
            let wrapped = handler.map { handler in
                { @Sendable (end: EventEnd) in handler(PHASESoundEvent.StartHandlerReason(end)) }
            }
            control.spatial.player.start(instance, at: engineTime(time, name), owner: self, wrapped)
            control.spatial.valuesChanged()
            return true
        }
    }

    /// Halts a started event at the next update.
    func performPause() {
        control.locked {
            guard instance.stage == .waiting || instance.stage == .playing, !instance.transport.isPaused else { return }
            control.note(.pauseEvent(instance.parts.number))
            control.spatial.player.pause(instance)
            control.spatial.valuesChanged()
        }
    }

    /// Continues a paused event at the next update, and starts one that is prepared and was never started, as PHASE
    /// does.
    /// - Parameter time: when it continues; nil is at once.
    func performResume(at time: AVAudioTime? = nil) {
        control.locked {
            switch instance.stage {
            case .made where preparation == .prepared:
                performStart(at: time, call: "resume(at:)", nil)
            case .made:
                control.record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(instance.parts.assetIdentifier)”: resume() did nothing, because the event was neither prepared nor started; call prepare() or start() first."
                    ))
            case .waiting, .playing:
                guard instance.transport.isPaused else { return }
                control.note(.resumeEvent(instance.parts.number, at: time?.timeRecord))
                control.spatial.player.resume(instance, at: engineTime(time, "resume(at:)"))
                control.spatial.valuesChanged()
            case .ending, .ended: return
            }
        }
    }

    func performSeek(
        to time: Double, resumeAt when: AVAudioTime?,
        _ handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)?
    ) {
        control.locked {
            guard time.isFinite, time >= 0 else {
                control.record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(instance.parts.assetIdentifier)”: seek(to: \(time)) did nothing; a place in a sound is a finite number of seconds, 0 or more."
                    ))
                if let handler { control.call { handler(.failure) } }
                return
            }
            control.note(.seek(instance.parts.number, to: time, resumeAt: when?.timeRecord))
            let wrapped = handler.map { handler in
                { @Sendable (result: SeekResult) in handler(PHASESoundEvent.SeekHandlerReason(result)) }
            }
            let isPending = control.spatial.player.seek(
                instance, to: time / control.settings.current.unitsPerSecond,
                at: engineTime(when, "seek(to:resumeAt:)"),
                isAlive: control.engine != nil, wrapped)
            if isPending { control.spatial.valuesChanged() }
        }
    }

    /// Ends the event: in manual mode at the next update, otherwise with the next frame that is rendered.
    func performStop() {
        control.locked {
            guard instance.stage != .ended, instance.stage != .ending else { return }
            control.note(.stopEvent(instance.parts.number))
            control.spatial.player.terminate(
                instance,
                waits: control.updateMode == .manual && control.renderingState != .stopped && instance.stage != .made)
            control.spatial.valuesChanged()
        }
    }

    /// Nil, with a recorded error, for a time that names no moment.
    private func engineTime(_ time: AVAudioTime?, _ call: String) -> EngineTime? {
        guard let time else { return nil }
        if time.isSampleTimeValid { return .sample(time.sampleTime, rate: time.sampleRate) }
        if time.isHostTimeValid { return .host(time.hostTime) }
        control.record(
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

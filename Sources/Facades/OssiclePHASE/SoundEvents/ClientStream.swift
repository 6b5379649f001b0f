import OssicleAVFAudio
import OssiclePlayback
import OssicleRecording
import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// The client's side of one stream of one sound event: its format, its buffers or its handler. Any thread.
final class ClientStream: @unchecked Sendable {
    let format: AVAudioFormat
    let stream: EventStream
    private let control: EngineControl
    private let capture: PullCapture?
    /// Number of its event.
    var event: UInt64 = 0 { didSet { capture?.event = event } }

    var identifier: String { stream.identifier }

    init(_ leaf: StreamLeaf, _ identifier: String, _ format: AVAudioFormat, _ control: EngineControl) {
        self.format = format
        self.control = control
        let finish = StreamFinish(format, normalises: leaf.normalises)
        capture =
            leaf.direction == .pull && control.recorder.isRecording
            ? PullCapture(identifier, format, control) : nil
        let origin: EventStream.Origin =
            switch leaf.direction {
            case .push: .push(PlayerQueue(running: { [control] handler in control.locked { control.call(handler) } }))
            case .pull: .pull(PullCaller(format, finish, capture: capture))
            }
        stream = EventStream(identifier, origin, finish: finish, report: { [control] in control.record($0) })
    }

    private func misuse(_ text: String) -> PHASESoundEventError {
        PHASESoundEventError(.apiMisuse, "Stream “\(identifier)”: \(text)")
    }

    // MARK: Buffers

    /// Whatever becomes of it, the completion is called once.
    func schedule(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, _ options: PHASEPushStreamBufferOptions,
        _ completion: SegmentCompletion?
    ) {
        guard case .push(let queue) = stream.origin else { return }
        control.locked {
            do {
                guard buffer.format == format else {
                    throw misuse(
                        "a buffer in \(buffer.format) was scheduled; buffers have the stream's format, \(format). Convert it with AVAudioConverter."
                    )
                }
                guard !stream.isOver else {
                    throw misuse("a buffer was scheduled behind the end of its sound event; make a new event.")
                }
                let sound: any PlayableBuffer = buffer
                guard let (samples, keeper) = sound.playableSamples(loops: options.contains(.loops)) else {
                    throw misuse("a buffer in \(buffer.format) has no samples to read.")
                }
                control.note { writer in
                    .push(
                        event, node: identifier, buffer.soundRecord(writer), at: when?.timeRecord,
                        options: options.rawValue)
                }
                queue.schedule(
                    ScheduledSegment(
                        samples, keeping: keeper, at: try frame(of: when), interruption: options.interruption,
                        completion: completion))
            } catch {
                control.record(error)
                queue.refuse(completion)
            }
        }
    }

    /// The frame of the stream's clock that a time means.
    private func frame(of when: AVAudioTime?) throws -> Int64? {
        guard let when else { return nil }
        if when.isSampleTimeValid, when.sampleRate > 0 {
            return PlayerTimes.frame(when.sampleTime, from: when.sampleRate, at: format.sampleRate)
        }
        guard when.isHostTimeValid else {
            throw misuse(
                "a buffer was scheduled at a time with neither sample nor host time; use AVAudioTime(sampleTime:atRate:), or nil for as soon as possible."
            )
        }
        guard let voice = stream.voice, let output = control.spatial.output else {
            throw misuse(
                "a buffer was scheduled at a host time before the stream plays, when its clock stands still; use AVAudioTime(sampleTime:atRate:), counted from its start."
            )
        }
        let (frame, engineFrame) = position(of: voice)
        let time = control.session.clock.frame(at: when.hostTime, output.sampleRate)
        let seconds = Double(time - engineFrame) / output.sampleRate
        return PlayerTimes.sum(frame, Int64(nearest: seconds * format.sampleRate * voice.level.speed))
    }

    /// The stream's next frame, and the engine frame at which it plays.
    private func position(of voice: Voice) -> (frame: Int64, engineFrame: Int64) {
        let (next, status) = (control.executor.position, voice.player.status)
        if voice.begins > next { return (status.pointee.position.load(), voice.begins) }
        var played = status.pointee.playedAt.load()
        var frame = status.pointee.position.load()
        // Both of one block.
        while status.pointee.playedAt.load() != played {
            (played, frame) = (status.pointee.playedAt.load(), status.pointee.position.load())
        }
        return (frame, played > 0 ? played : next)
    }

    // MARK: Handler

    private var caller: PullCaller? {
        if case .pull(let source) = stream.origin { source as? PullCaller } else { nil }
    }

    var handler: PHASEPullStreamRenderHandler {
        guard let caller else { return PullCaller.silence }
        return control.locked { caller.handler }
    }

    /// Calls of the handler that returned an error.
    var failedCalls: Int64 { caller?.stream.failedCalls.load() ?? 0 }

    /// Not while it is played.
    func setHandler(_ handler: @escaping PHASEPullStreamRenderHandler) {
        guard let caller else { return }
        control.locked {
            guard !stream.hasBegun else {
                return control.record(
                    misuse(
                        "its render handler was set while it plays; the old one stays. Set it before the event is started."
                    ))
            }
            caller.handler = handler
        }
    }
}

extension PHASEPushStreamBufferOptions {
    /// Of both interruptions the gentler one.
    fileprivate var interruption: QueueEntry.Sound.Interruption {
        contains(.interruptsAtLoop) ? .atLoop : contains(.interrupts) ? .cut : .none
    }
}

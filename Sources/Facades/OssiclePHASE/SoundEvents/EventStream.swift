import OssicleAVFAudio
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// The engine's side of one stream of one sound event: where its frames come from. Under the engine's lock.
///
///     scheduled buffers ─▶ PlayerQueue ─┐
///     the client's handler ◀▶ PullCaller┴─▶ StreamFinish ─▶ StreamRenderer, on the stream's own clock
final class EventStream: @unchecked Sendable {
    enum Origin {
        case push(PlayerQueue)
        case pull(PullCaller)
    }

    let identifier: String
    let format: AVAudioFormat
    let origin: Origin
    let finish: StreamFinish
    private(set) var hasBegun = false
    private(set) var isOver = false
    private weak var voice: Voice?
    private let core: EngineCore
    private var hasReportedFailure = false
    private var hasReportedNonFinite = false

    init(_ leaf: StreamLeaf, _ identifier: String, _ format: AVAudioFormat, _ core: EngineCore) {
        (self.identifier, self.format, self.core) = (identifier, format, core)
        finish = StreamFinish(format, normalises: leaf.normalises)
        switch leaf.direction {
        case .push:
            let queue = PlayerQueue(running: { [core] handler in core.locked { core.call(handler) } })
            queue.play(at: 0)
            origin = .push(queue)
        case .pull:
            origin = .pull(PullCaller(format, finish))
        }
    }

    // MARK: Playing

    func makeFeed() -> RendererBox<BlockRenderer> {
        switch origin {
        case .push(let queue):
            let (player, finish) = (queue.renderer, finish)
            return RendererBox(
                BlockRenderer { ports, context in
                    player.pointer.pointee.render(ports, context)
                    finish.process(ports, context.frames)
                })
        case .pull(let caller):
            return RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        }
    }

    func begin(_ voice: Voice, _ clock: RenderClock, engineRate: Double) {
        (hasBegun, self.voice) = (true, voice)
        if case .pull(let caller) = origin { caller.begin(voice.player.status, clock, engineRate: engineRate) }
    }

    /// For good: what is scheduled is given back.
    func stop() {
        isOver = true
        if case .push(let queue) = origin { queue.stop() }
    }

    /// Between render calls: gives back what has been played, and tells once of what went wrong.
    func attend() {
        switch origin {
        case .push(let queue): queue.collect()
        case .pull(let caller):
            let failed = caller.stream.failedCalls.load()
            if failed > 0 && !hasReportedFailure {
                hasReportedFailure = true
                record(
                    "its render handler returned error \(caller.stream.lastStatus.load()); such calls are silent. Return noErr, and raise isSilence if there is no sound."
                )
            }
        }
        if nonFiniteSamples > 0 && !hasReportedNonFinite {
            hasReportedNonFinite = true
            record(
                "samples that are NaN or infinite came from the client; they are played as 0. Look for a division by zero or memory that was not written."
            )
        }
    }

    func record(_ text: String) { core.record(misuse(text)) }

    private func misuse(_ text: String) -> PHASESoundEventError {
        PHASESoundEventError(.apiMisuse, "Stream “\(identifier)”: \(text)")
    }

    /// Samples of the client's that were NaN or infinite, and were played as 0. A player clears those of scheduled
    /// buffers itself.
    var nonFiniteSamples: Int64 {
        guard case .push(let queue) = origin else { return finish.nonFinite.total }
        return queue.nonFiniteSamples
    }

    /// A push stream without a buffer.
    var hasNothingToPlay: Bool {
        if case .push(let queue) = origin { queue.isEmpty } else { false }
    }

    // MARK: Buffers

    /// Whatever becomes of it, the completion is called once.
    func schedule(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, _ options: PHASEPushStreamBufferOptions,
        _ completion: SegmentCompletion?
    ) {
        guard case .push(let queue) = origin else { return }
        core.locked {
            do {
                guard buffer.format == format else {
                    throw misuse(
                        "a buffer in \(buffer.format) was scheduled; buffers have the stream's format, \(format). Convert it with AVAudioConverter."
                    )
                }
                guard !isOver else {
                    throw misuse("a buffer was scheduled behind the end of its sound event; make a new event.")
                }
                let sound: any PlayableBuffer = buffer
                guard let (samples, keeper) = sound.playableSamples(loops: options.contains(.loops)) else {
                    throw misuse("a buffer in \(buffer.format) has no samples to read.")
                }
                queue.schedule(
                    ScheduledSegment(
                        samples, keeping: keeper, at: try frame(of: when), interruption: options.interruption,
                        completion: completion))
            } catch {
                core.record(error)
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
        guard let voice, let output = core.spatial.output else {
            throw misuse(
                "a buffer was scheduled at a host time before the stream plays, when its clock stands still; use AVAudioTime(sampleTime:atRate:), counted from its start."
            )
        }
        let now = core.session.clock.hostTime(of: core.executor.position, output.sampleRate)
        let ahead =
            when.hostTime >= now
            ? AVAudioTime.seconds(forHostTime: when.hostTime - now)
            : -AVAudioTime.seconds(forHostTime: now - when.hostTime)
        let frames = (min(max(ahead, -1e9), 1e9) * format.sampleRate * voice.level.speed).rounded()
        return PlayerTimes.sum(voice.player.status.pointee.position.load(), Int64(frames))
    }

    // MARK: Handler

    var handler: PHASEPullStreamRenderHandler {
        guard case .pull(let caller) = origin else { return PullCaller.silence }
        return core.locked { caller.handler }
    }

    /// Calls of the handler that returned an error.
    var failedCalls: Int64 {
        if case .pull(let caller) = origin { caller.stream.failedCalls.load() } else { 0 }
    }

    /// Not while it is played.
    func setHandler(_ handler: @escaping PHASEPullStreamRenderHandler) {
        guard case .pull(let caller) = origin else { return }
        core.locked {
            guard !hasBegun else {
                return record(
                    "its render handler was set while it plays; the old one stays. Set it before the event is started.")
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

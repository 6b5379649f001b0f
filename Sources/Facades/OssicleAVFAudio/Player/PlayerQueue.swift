import Dispatch
import OssiclePlayback
import OssicleRender

/// The control side of a player: what is scheduled, what is over, and where player time stands. Any thread; nothing
/// waits for the render side.
///
///     schedule, play, pause, stop ──▶ mail ──▶ QueuePlayerRenderer
///     handlers ◀── a queue of its own ◀── collect ◀── mail ◀──┘
///
/// A lock guards it; no client's code is called under it. Handlers run one after the other, on the player's own queue
/// unless its maker runs them.
package final class PlayerQueue: @unchecked Sendable {
    package let renderer = ControlledBox(QueuePlayerRenderer())

    private let lock = NSLock()
    private let mail: UnsafeMutablePointer<PlayerMail>
    private let handlers = DispatchQueue(label: "ossicle.player.handlers", qos: .userInitiated)
    private static let onHandlers = DispatchSpecificKey<ObjectIdentifier>()
    private let runHandler: Run?
    /// Counts handlers for the engine that renders offline; set once, before anybody else knows the queue.
    var fence: @Sendable () -> CallbackFence? = { nil }

    package typealias Run = @Sendable (_ handler: @escaping @Sendable () -> Void) -> Void

    // Under the lock.
    private var scheduled: [Int: PlayerSound] = [:]
    private var nextNumber = 0
    /// Files that have not been played to their end, in order.
    private var streams: [FileStream] = []
    private var isArmed = false
    private var forecast = PlayerClockForecast()

    /// Files of a player that stay open at a time: a program may have only so many.
    private static let openFiles = 8

    /// - Parameter run: has a handler called, later and in the order of asking; called under this queue's lock.
    package init(running run: Run? = nil) {
        runHandler = run
        mail = renderer.control
        handlers.setSpecific(key: Self.onHandlers, value: ObjectIdentifier(handlers))
    }

    // MARK: What a client tells it

    package func schedule(_ sound: PlayerSound) {
        lock.withLock {
            sound.number = nextNumber
            nextNumber += 1
            scheduled[sound.number] = sound
            if let stream = sound.stream {
                stream.setRests(streams.count >= Self.openFiles)
                streams.append(stream)
            }
            sound.send(through: mail)
        }
    }

    /// - Parameter gate: to be opened once all who wait for it have been told.
    package func play(at time: Int64? = nil, gate: StartGate? = nil) {
        lock.withLock {
            isArmed = true
            send(.play(at: time, gate: gate?.view), keeping: gate)
        }
    }

    func pause() {
        lock.withLock {
            isArmed = false
            send(.pause)
        }
    }

    /// Drops everything. What is over already is told so first, the rest that it was stopped.
    package func stop() {
        lock.withLock {
            isArmed = false
            takeReports { hand($0, $1) }
            send(.stop)
            for sound in scheduled.values.sorted(by: { $0.number < $1.number }) { hand(sound.completion, .stopped) }
            scheduled = [:]
            for stream in streams { stream.cancel() }
            streams = []
        }
    }

    private func send(_ content: QueueEntry.Content, keeping companion: AnyObject? = nil) {
        forecast.note(content, mail.pointee.clock)
        PlayerEntry(content, keeping: companion).send(through: mail)
    }

    // MARK: What it tells

    /// Told to play, and neither paused nor stopped since.
    var isPlaying: Bool { lock.withLock { isArmed } }

    /// Node time of player time 0; `nil` while not playing. Before the render side has begun: where it will.
    /// - Parameter next: node time of the frame that comes next; `nil` if none does.
    func zero(next: Int64?) -> Int64? {
        lock.withLock { isArmed ? forecast.zero(mail.pointee.clock, next: next) : nil }
    }

    /// Samples that were NaN or infinite and have been played as 0.
    package var nonFiniteSamples: Int64 { mail.pointee.nonFiniteSamples.load() }

    /// Whether everything scheduled is over, as far as has been collected.
    package var isEmpty: Bool { lock.withLock { scheduled.isEmpty } }

    /// Frames that files could not deliver in time.
    var starvedFrames: Int { Int(clamping: mail.pointee.starvedFrames.load()) }

    // MARK: Between render calls

    /// Takes back what is over and has its handlers called.
    /// - Parameter heard: host time at which a frame of the node is heard; `nil` where nobody listens.
    package func collect(heard: ((Int64) -> UInt64)? = nil) {
        lock.withLock {
            takeReports { completion, reason, endedAt in
                guard let heard, let completion, completion.type == .dataPlayedBack, reason == .finished else {
                    return hand(completion, reason)
                }
                handlers.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: heard(endedAt))) {
                    completion.call(reason)
                }
            }
        }
    }

    /// Waits for files until `frames` frames of each are there; returns what went wrong in them.
    func fill(ahead frames: Int) -> [OssicleError] {
        let open = lock.withLock { streams }
        for stream in open { stream.fill(ahead: frames) }
        return open.compactMap { $0.takeFailure() }
    }

    /// Has files decoded in the background, and does not wait.
    func request(ahead frames: Int) -> [OssicleError] {
        let open = lock.withLock { streams }
        for stream in open { ReaderService.shared.request(stream, ahead: frames) }
        return open.compactMap { $0.takeFailure() }
    }

    /// Waits until every handler that is due has returned; not when called by one of them.
    func drain() {
        if DispatchQueue.getSpecific(key: Self.onHandlers) != ObjectIdentifier(handlers) { handlers.sync {} }
    }

    // MARK: Reports

    private func takeReports(_ body: (PlayerCompletion?, AVAudioPlayerNodeCompletionReason, Int64) -> Void) {
        mail.pointee.collect { entry, owner in
            // What `stop` has dealt with is not told again.
            guard let sound = owner as? PlayerSound, scheduled.removeValue(forKey: sound.number) != nil else { return }
            if let stream = sound.stream {
                stream.cancel()
                if let index = streams.firstIndex(where: { $0 === stream }) { streams.remove(at: index) }
                if streams.count >= Self.openFiles { streams[Self.openFiles - 1].setRests(false) }
            }
            body(sound.completion, AVAudioPlayerNodeCompletionReason(entry.outcome), entry.endedAt)
        }
    }

    private func takeReports(_ body: (PlayerCompletion?, AVAudioPlayerNodeCompletionReason) -> Void) {
        takeReports { completion, reason, _ in body(completion, reason) }
    }

    private func hand(_ completion: PlayerCompletion?, _ reason: AVAudioPlayerNodeCompletionReason) {
        guard let completion else { return }
        let call: @Sendable () -> Void = { completion.call(reason) }
        if let runHandler {
            runHandler(call)
        } else if let fence = fence() {
            fence.run("A completion handler of an AVAudioPlayerNode", on: handlers, call)
        } else {
            handlers.async(execute: call)
        }
    }

    /// Tells of a sound that was never scheduled, so that nobody waits for it.
    package func refuse(_ completion: PlayerCompletion?) { hand(completion, .refused) }
}

extension AVAudioPlayerNodeCompletionReason {
    init(_ outcome: QueueEntry.Outcome) {
        self =
            switch outcome {
            case .finished: .finished
            case .interrupted: .interrupted
            case .stopped, .carriedOut: .stopped
            }
    }
}

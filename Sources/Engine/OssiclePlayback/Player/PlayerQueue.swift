import Dispatch
import Foundation
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
    /// For messages.
    private let handlerName: String
    /// Counts handlers for the engine that renders offline; set once, before another thread has the queue.
    package var fence: @Sendable () -> CallbackFence? = { nil }

    package typealias Run = @Sendable (_ handler: @escaping @Sendable () -> Void) -> Void

    // Under the lock.
    private var scheduled: [Int: ScheduledSegment] = [:]
    private var nextNumber = 0
    /// Files that have not been played to their end, in order.
    private var streams: [FileStream] = []
    private var isArmed = false
    private var forecast = PlayerClockForecast()

    /// Files of a player that stay open at a time: a program may have only so many.
    private static let openFiles = 8

    /// - Parameters:
    ///   - handlerName: of the client's handlers, for messages.
    ///   - run: has a handler called, later and in the order of the requests; called under this queue's lock.
    package init(handlerName: String = "A completion handler", running run: Run? = nil) {
        self.handlerName = handlerName
        runHandler = run
        mail = renderer.control
        handlers.setSpecific(key: Self.onHandlers, value: ObjectIdentifier(handlers))
    }

    // MARK: Requests of the client

    package func schedule(_ segment: ScheduledSegment) {
        lock.withLock {
            segment.number = nextNumber
            nextNumber += 1
            scheduled[segment.number] = segment
            if let stream = segment.stream {
                stream.setRests(streams.count >= Self.openFiles)
                streams.append(stream)
                FileStream.readers.add(stream)
            }
            segment.send(through: mail)
        }
    }

    /// - Parameter gate: to be opened once all players that wait for it have their command.
    package func play(at time: Int64? = nil, gate: StartGate? = nil) {
        lock.withLock {
            isArmed = true
            send(.play(at: time, gate: gate?.view), keeping: gate)
        }
    }

    package func pause() {
        lock.withLock {
            isArmed = false
            send(.pause)
        }
    }

    /// Drops everything. Handlers of what is over are called first, those of the rest with `.stopped`.
    package func stop() {
        lock.withLock {
            isArmed = false
            takeReports { hand($0, $1) }
            send(.stop)
            for segment in scheduled.values.sorted(by: { $0.number < $1.number }) {
                hand(segment.completion, .stopped)
            }
            scheduled = [:]
            for stream in streams { stream.cancel() }
            FileStream.readers.remove(streams)
            streams = []
        }
    }

    private func send(_ content: QueueEntry.Content, keeping companion: AnyObject? = nil) {
        forecast.note(content, mail.pointee.clock)
        QueueEntryOwner(content, keeping: companion).send(through: mail)
    }

    // MARK: State

    /// Requested to play, and neither paused nor stopped since.
    package var isPlaying: Bool { lock.withLock { isArmed } }

    /// Node time of player time 0; `nil` while not playing. Before the render side has begun: where it will.
    /// - Parameter next: node time of the frame that comes next; `nil` if none does.
    package func zero(next: Int64?) -> Int64? {
        lock.withLock { isArmed ? forecast.zero(mail.pointee.clock, next: next) : nil }
    }

    /// Samples that were NaN or infinite and have been played as 0.
    package var nonFiniteSamples: Int64 { mail.pointee.nonFiniteSamples.load() }

    /// Whether everything scheduled is over, as far as has been collected.
    package var isEmpty: Bool { lock.withLock { scheduled.isEmpty } }

    /// Frames that files could not deliver in time.
    package var starvedFrames: Int { Int(clamping: mail.pointee.starvedFrames.load()) }

    // MARK: Between render calls

    /// Whether the render side has sent something back since the last `collect`.
    package var hasReports: Bool { mail.pointee.hasReports }

    /// Takes back what is over and has its handlers called.
    /// - Parameter heard: host time at which a frame of the node is heard; `nil` offline.
    package func collect(heard: ((Int64) -> UInt64)? = nil) {
        lock.withLock {
            takeReports { completion, reason, endedAt in
                guard let heard, let completion, completion.waitsUntilHeard, reason == .finished else {
                    return hand(completion, reason)
                }
                handlers.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: heard(endedAt))) {
                    completion.call(reason)
                }
            }
        }
    }

    /// Waits for files until `frames` frames of each are there; returns what went wrong in them.
    package func fill(ahead frames: Int) -> [FileStreamFault] {
        let open = lock.withLock { streams }
        for stream in open { stream.fill(ahead: frames) }
        return open.compactMap { $0.takeFailure() as? FileStreamFault }
    }

    /// Has files decoded in the background, and does not wait.
    package func request(ahead frames: Int) -> [FileStreamFault] {
        let open = lock.withLock { streams }
        let isBehind = open.reduce(false) { $1.request(ahead: frames) || $0 }
        if isBehind { FileStream.readers.wake() }
        return open.compactMap { $0.takeFailure() as? FileStreamFault }
    }

    /// Waits until every handler that is due has returned; not when called by one of them.
    package func drain() {
        if DispatchQueue.getSpecific(key: Self.onHandlers) != ObjectIdentifier(handlers) { handlers.sync {} }
    }

    // MARK: Reports

    private func takeReports(_ body: (SegmentCompletion?, SegmentOutcome, Int64) -> Void) {
        mail.pointee.collect { entry, owner in
            // What `stop` has dealt with is not reported again.
            guard let segment = owner as? ScheduledSegment, scheduled.removeValue(forKey: segment.number) != nil
            else { return }
            if let stream = segment.stream {
                stream.cancel()
                FileStream.readers.remove([stream])
                if let index = streams.firstIndex(where: { $0 === stream }) { streams.remove(at: index) }
                if streams.count >= Self.openFiles { streams[Self.openFiles - 1].setRests(false) }
            }
            body(segment.completion, SegmentOutcome(entry.outcome), entry.endedAt)
        }
    }

    private func takeReports(_ body: (SegmentCompletion?, SegmentOutcome) -> Void) {
        takeReports { completion, reason, _ in body(completion, reason) }
    }

    private func hand(_ completion: SegmentCompletion?, _ reason: SegmentOutcome) {
        guard let completion else { return }
        let call: @Sendable () -> Void = { completion.call(reason) }
        if let runHandler {
            runHandler(call)
        } else if let fence = fence() {
            fence.run(handlerName, on: handlers, call)
        } else {
            handlers.async(execute: call)
        }
    }

    /// Calls the handler of a segment that was never scheduled.
    package func refuse(_ completion: SegmentCompletion?) { hand(completion, .refused) }
}

extension SegmentOutcome {
    init(_ outcome: QueueEntry.Outcome) {
        self =
            switch outcome {
            case .finished: .finished
            case .interrupted: .interrupted
            case .stopped, .carriedOut: .stopped
            }
    }
}

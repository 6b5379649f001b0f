import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// Frames that a client makes on the audio thread, for one pull stream.
package protocol PullSource: AnyObject {
    /// The renderer that calls the client, and finishes what it gives.
    func makeFeed() -> RendererBox<BlockRenderer>
    /// Before the first call.
    /// - Parameters:
    ///   - status: of the stream's renderer, which outlives this. - engineRate: Hz.
    func begin(_ status: UnsafeMutablePointer<PlayerRenderer.Status>, _ clock: RenderClock, engineRate: Double)
    /// Counts calls that returned an error.
    var stream: PulledStream { get }
    /// Between render calls, and once behind the last.
    func attend(isOver: Bool)
}

/// One stream of one sound event: where its frames come from. Under the engine's lock.
///
///     scheduled segments ─▶ PlayerQueue ─┐
///     the client's handler ◀▶ PullSource ┴─▶ StreamFinish ─▶ StreamRenderer, on the stream's own clock
package final class EventStream: @unchecked Sendable {
    package enum Origin {
        case push(PlayerQueue)
        case pull(any PullSource)
    }

    package let identifier: String
    package let origin: Origin
    package private(set) var hasBegun = false
    package private(set) var isOver = false
    /// Plays it; nil before it begins.
    package private(set) weak var voice: Voice?
    private let finish: StreamFinish
    private let report: (SpatialError) -> Void
    private var hasReportedFailure = false
    private var hasReportedNonFinite = false

    /// - Parameter report: receives what goes wrong, once for each kind.
    package init(
        _ identifier: String, _ origin: Origin, finish: StreamFinish, report: @escaping (SpatialError) -> Void
    ) {
        self.identifier = identifier
        self.origin = origin
        self.finish = finish
        self.report = report
        if case .push(let queue) = origin { queue.play(at: 0) }
    }

    func makeFeed() -> RendererBox<BlockRenderer> {
        switch origin {
        case .push(let queue):
            let (player, finish) = (queue.renderer, finish)
            return RendererBox(
                BlockRenderer { ports, context in
                    player.pointer.pointee.render(ports, context)
                    finish.process(ports, context.frames)
                })
        case .pull(let source): return source.makeFeed()
        }
    }

    func begin(_ voice: Voice, _ clock: RenderClock, engineRate: Double) {
        hasBegun = true
        self.voice = voice
        if case .pull(let source) = origin { source.begin(voice.player.status, clock, engineRate: engineRate) }
    }

    /// For good: what is scheduled is given back.
    func stop() {
        isOver = true
        switch origin {
        case .push(let queue): queue.stop()
        case .pull(let source): source.attend(isOver: true)
        }
    }

    /// Between render calls: gives back what has been played, and reports what went wrong.
    func attend() {
        switch origin {
        case .push(let queue): queue.collect()
        case .pull(let source):
            source.attend(isOver: false)
            let failed = source.stream.failedCalls.load()
            if failed > 0 && !hasReportedFailure {
                hasReportedFailure = true
                report(
                    "its render handler returned error \(source.stream.lastStatus.load())",
                    rule: "Such calls are silent.",
                    cure: "Return noErr, and raise isSilence if there is no sound.")
            }
        }
        if nonFiniteSamples > 0 && !hasReportedNonFinite {
            hasReportedNonFinite = true
            report(
                "samples that are NaN or infinite came from the client", rule: "They are played as 0.",
                cure: "Look for a division by zero or memory that was not written.")
        }
    }

    private func report(_ found: String, rule: String, cure: String) {
        report(SpatialError(.misuse, object: "Stream “\(identifier)”", found: found, rule: rule, cure: cure))
    }

    /// Samples of the client's that were NaN or infinite, and were played as 0. A player clears those of scheduled
    /// buffers itself. Any thread.
    package var nonFiniteSamples: Int64 {
        guard case .push(let queue) = origin else { return finish.nonFinite.total }
        return queue.nonFiniteSamples
    }

    /// A push stream without a buffer.
    var hasNothingToPlay: Bool {
        if case .push(let queue) = origin { queue.isEmpty } else { false }
    }
}

/// The streams of one event, by node. When the event is let go, they are over. Under the engine's lock.
package final class EventStreams: @unchecked Sendable {
    private let streams: [Int: EventStream]
    private let clock: RenderClock
    private let locked: (() -> Void) -> Void

    /// - Parameter locked: runs something under the engine's lock.
    package init(_ streams: [Int: EventStream], _ clock: RenderClock, locked: @escaping (() -> Void) -> Void) {
        self.streams = streams
        self.clock = clock
        self.locked = locked
    }

    deinit { stop() }

    func makeFeed(of node: Int) -> RendererBox<BlockRenderer>? { streams[node]?.makeFeed() }

    /// - Parameter engineRate: Hz.
    func begin(_ node: Int, playedBy voice: Voice, engineRate: Double) {
        streams[node]?.begin(voice, clock, engineRate: engineRate)
    }

    func hasNothingToPlay(at node: Int) -> Bool { streams[node]?.hasNothingToPlay ?? false }

    /// Between render calls.
    func attend() { for stream in inOrder { stream.attend() } }

    /// For good. Any thread.
    package func stop() {
        let streams = inOrder
        locked { for stream in streams { stream.stop() } }
    }

    private var inOrder: [EventStream] { streams.sorted { $0.key < $1.key }.map(\.value) }
}

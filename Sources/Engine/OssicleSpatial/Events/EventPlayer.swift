import OssicleCore
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents
import Synchronization

/// Plays sound events: from the client's calls to the voices' commands. Under the engine's lock.
///
///     made ─▶ waiting ─▶ playing ─▶ (ending) ─▶ ended, until its tail is over
package final class EventPlayer {
    /// Frames of engine time between two updates in automatic mode.
    package static let updateInterval: Int64 = 512

    /// Those that were started and are not over yet, tails included; in the order of their starts.
    package private(set) var events: [EventInstance] = [] { didSet { eventsVersion &+= 1 } }
    /// Changes whenever an event has come or gone.
    private(set) var eventsVersion: UInt64 = 1
    /// Voices that are not over, as of the present update.
    package internal(set) var voiceCount = 0
    /// What there is to look for in the next steps.
    var needs = EventNeeds.all
    /// A voice or a mixer came or went.
    package var hasChangedPlan = false
    package let executor: Executor
    /// Host times of engine frames.
    let clock: RenderClock
    package let readers = ReaderService<StreamFeeder>(label: "ossicle.phase.readers")
    package weak var host: (any SpatialHost)?
    private let rate = Atomic<UInt64>((48_000.0).bitPattern)
    package var seed: UInt64 = 0
    /// What the client's times are divided by.
    package var unitsPerSecond = 1.0
    /// Engine frame of the last update.
    package var lastUpdate: Int64 = 0
    package var streamTotals = StreamTotals()
    private var eventCount: UInt64 = 0

    package init(executor: Executor, clock: RenderClock) { (self.executor, self.clock) = (executor, clock) }

    /// Of the output, Hz; 48 kHz before there is one. Set under the lock, read from any thread.
    package var sampleRate: Double {
        get { Double(bitPattern: rate.load(ordering: .relaxed)) }
        set { rate.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Seconds of engine time at the next frame to be rendered. Any thread.
    package var now: Double { Double(executor.position) / sampleRate }

    /// The engine frame that a time means; nil is the next one.
    func frame(of time: EngineTime?) -> Int64 {
        let next = executor.position
        return time?.frame(after: next, rate: sampleRate, clock: clock) ?? next
    }

    /// Whether a call at a time has to wait for a later update, because the device has not stated its first time yet.
    func isEarly(_ time: EngineTime?) -> Bool { time?.isDefinite(clock) == false }

    package func nextNumber() -> UInt64 {
        eventCount += 1
        return eventCount
    }

    // MARK: Calls

    /// Plays an event that was made, from the next update on.
    /// - Parameters:
    ///   - time: nil is at once. - owner: the client's object, kept while the event plays.
    package func start(
        _ event: EventInstance, at time: EngineTime?, owner: AnyObject, _ handler: (@Sendable (EventEnd) -> Void)?
    ) {
        needs = .all
        event.stage = .waiting
        event.transport.startTime = time
        event.client = EventClient(object: owner, hasEnded: handler)
        events.append(event)
    }

    /// An event that nothing will ever play.
    package func fail(_ event: EventInstance) { (event.stage, event.endReason) = (.ended, .failure) }

    /// Halts a started event at the next update.
    package func pause(_ event: EventInstance) {
        (needs, event.idle) = (.all, nil)
        event.transport.isPaused = true
        event.transport.resumeTime = nil
        guard event.stage == .waiting, let seek = event.transport.seek else { return }
        // Without voices to seek it remembers the position, and the seek has succeeded.
        event.transport.seek = nil
        event.transport.startPosition = seek.seconds
        answer(seek, .successful)
    }

    /// Continues a paused event at the next update.
    package func resume(_ event: EventInstance, at time: EngineTime?) {
        (needs, event.idle) = (.all, nil)
        event.transport.isPaused = false
        event.transport.resumeTime = time
    }

    /// - Parameter waits: whether it ends with the next update; otherwise with the next frame that is rendered.
    package func terminate(_ event: EventInstance, waits: Bool) {
        needs = .all
        if waits { event.stage = .ending } else { cut(event) }
    }

    /// Stops all events.
    package func terminateAll() {
        for event in events where event.stage != .ended { cut(event) }
    }

    private func cut(_ event: EventInstance) {
        for voice in event.voices where !voice.isOver {
            send(.stop, to: voice)
            voice.state = .terminated
        }
        end(event, .terminated)
    }

    /// The voice keeps its player and what that plays.
    package func send(_ command: VoiceCommand, to voice: Voice) {
        executor.send(.voice(voice.player.voice, command), keeping: voice, at: executor.position)
    }

    // MARK: Updates

    /// Ends the events whose voices have all played their last frame, counts voices, and notes what else there is to
    /// do.
    package func endFinished() {
        endSeeks()
        needs = EventNeeds()
        voiceCount = 0
        events.forEachAhead({ $0.prefetchVoices($1) }) { event in
            if let idle = event.idle, idle.isEndless, event.stage == .playing {
                voiceCount += 1
                return
            }
            needs.note(event)
            guard event.stage == .playing else { return }
            let left = countVoices(of: event)
            voiceCount += left
            if left == 0, event.hasScheduledAll { endFinished(event) }
        }
    }

    /// Notes which voices have played their last frame.
    /// - Returns: how many have not.
    private func countVoices(of event: EventInstance) -> Int {
        var left = 0
        event.voices.forEachUncounted { voice in
            if voice.isOver { return }
            if voice.finishedAt == nil { left += 1 } else { voice.state = .finished }
        }
        return left
    }

    private func endFinished(_ event: EventInstance) {
        let hasFailed = event.hasFailed && event.voices.allSatisfy(\.hasFailed)
        let wasCut = event.voices.contains { $0.state == .terminated }
        end(event, hasFailed ? .failure : wasCut ? .terminated : .finished)
    }

    /// Marks an event as over, calls its handler, and lets its tail finish.
    private func end(_ event: EventInstance, _ reason: EventEnd) {
        needs = .all
        event.stage = .ended
        event.endReason = reason
        event.transport.isPaused = false
        event.silentFrom = executor.position + event.tail(sampleRate: sampleRate) + Int64(2 * Grid.quantum)
        let client = event.client
        event.client = nil
        if let client { host?.release(client.object) }
        endSeek(of: event)
        event.parts.streams?.stop()
        if let handler = client?.hasEnded { host?.call { handler(reason) } }
        host?.eventHasEnded()
    }

    /// Carries out what the client has called on events since the last update: stops, pauses and seeks.
    package func carryOutCalls() {
        guard needs.calls else { return }
        for event in events {
            if event.stage == .ending { cut(event) }
            guard event.stage == .playing else { continue }
            let (isPaused, resumeTime) = (event.transport.isPaused, event.transport.resumeTime)
            // A pause that is over by now is still one if it ends later.
            if !event.transport.isHalted && (isPaused || resumeTime != nil) { halt(event) }
            if event.transport.isHalted && !isPaused && !isEarly(resumeTime) { goOn(event) }
        }
        carryOutSeeks()
        var count = 0
        for event in events { for voice in event.voices where !voice.isOver { count += 1 } }
        voiceCount = count
    }

    private func halt(_ event: EventInstance) {
        event.transport.isHalted = true
        postponeFollowers(of: event)
        for voice in event.voices where !voice.isOver { send(.pause, to: voice) }
    }

    private func goOn(_ event: EventInstance) {
        let time = frame(of: event.transport.resumeTime)
        event.transport.isHalted = false
        event.transport.resumeTime = nil
        event.transport.unsettledAt = executor.position
        for voice in event.voices where !voice.isOver {
            send(.resume(at: time), to: voice)
            voice.priority.sentVirtual = false
            if voice.state == .asleep { send(.sleep(advancing: voice.sleepsInRealTime), to: voice) }
        }
    }

    /// Forgets the events that nothing can be heard of any more.
    /// - Returns: what players may read until the plan without them is in place.
    package func dropSilent(at position: Int64) -> [EventInstance] {
        guard needs.silence else { return [] }
        func isGone(_ event: EventInstance) -> Bool { event.silentFrom.map { $0 <= position } ?? false }
        guard events.contains(where: isGone) else { return [] }
        let gone = events.filter(isGone)
        events.removeAll { event in gone.contains { $0 === event } }
        readers.remove(gone.flatMap(\.voices).compactMap(\.feeder))
        for event in gone { dismissOutlets(of: event) }
        hasChangedPlan = true
        return gone
    }

    private func dismissOutlets(of event: EventInstance) {
        for outlets in event.parts.outlets { outlets?.inserts.dismiss() }
    }

    // MARK: Halting the engine

    /// Nothing rings on after a stop: the next start begins in silence. Events that were started meanwhile wait for it.
    package func forgetEnded() {
        for event in events where event.stage == .ended {
            dismissOutlets(of: event)
            executor.release(event)
        }
        events.removeAll { $0.stage == .ended }
        readers.removeAll()
        hasChangedPlan = true
    }

    /// The engine is going away.
    package func forgetAll() { events = [] }
}

/// What some event needs besides having its levels set, so that an update passes over the events for nothing else.
struct EventNeeds {
    /// To be stopped, paused or resumed, or to go on after a seek.
    private(set) var calls = false
    private(set) var seeks = false
    private(set) var beginning = false
    private(set) var sequences = false
    /// To be dropped once its tail is over.
    private(set) var silence = false
    private(set) var streams = false

    /// As long as the events have not been looked at.
    static var all: EventNeeds {
        var needs = EventNeeds()
        (needs.calls, needs.seeks, needs.beginning) = (true, true, true)
        (needs.sequences, needs.silence, needs.streams) = (true, true, true)
        return needs
    }

    mutating func note(_ event: EventInstance) {
        switch event.stage {
        case .waiting: beginning = true
        case .ending: calls = true
        case .made, .playing, .ended: break
        }
        if event.transport.isPaused || event.transport.isHalted || event.transport.resumeTime != nil { calls = true }
        if event.transport.seek != nil { (seeks, calls) = (true, true) }
        if !event.sequences.isEmpty { sequences = true }
        if event.silentFrom != nil { silence = true }
        if event.parts.streams != nil { streams = true }
    }
}

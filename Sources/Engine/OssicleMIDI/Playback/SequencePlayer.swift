// The control side of a player.

import Foundation

/// Plays a sequence by a host's clock. Any thread but the render thread.
///
/// The music is a function of the clock: `PlayTransport` says where in the sequence a frame is, and each destination
/// reads its own `PlaySchedule`. Edits, mutes and settings are taken up when the player is attended, which an engine
/// does before each offline render call and every few milliseconds at a device; starts, stops, jumps and rates at once.
package final class SequencePlayer: @unchecked Sendable {
    /// Seconds by which events are sent ahead to MIDI endpoints at a device.
    package static let lead = 0.02

    private let lock = NSRecursiveLock()
    // Under the lock.
    private var piece: MIDISequence?
    private weak var ownHost: (any PlayerHost)?
    private var transport = PlayTransport()
    /// Seconds of the sequence while it does not play.
    private var restingSeconds = 0.0
    private var tempo = TempoMap()
    private var outlets: PlayOutlets
    /// What was last seen of the clock, to notice that it was set back.
    private var seen: (frame: Int64, rate: Double) = (0, 0)
    /// The sequence's count of changes, and the host, that the schedules follow.
    private var followed: (changes: UInt64, host: ObjectIdentifier, feed: ObjectIdentifier?)?

    /// - Parameter host: where it plays if the sequence has no host; `nil` for the machine's clock.
    package init(host: (any PlayerHost)? = nil, hub: MIDIHub = .shared) {
        ownHost = host
        outlets = PlayOutlets(hub: hub)
    }

    deinit { outlets.retire() }

    private var host: any PlayerHost { piece?.host ?? ownHost ?? MachineHost.shared }

    // MARK: The sequence

    /// What is played; setting it stops.
    package var sequence: MIDISequence? {
        get { lock.withLock { piece } }
        set {
            lock.withLock {
                guard newValue !== piece else { return }
                stop()
                piece = newValue
                tempo = newValue?.tempoMap ?? TempoMap()
                (restingSeconds, followed) = (0, nil)
            }
        }
    }

    // MARK: Transport

    /// Whether it was started and not stopped since, also behind the last event.
    package var isPlaying: Bool { lock.withLock { transport.isPlaying } }

    /// Begins at the position there is, with the frame that is rendered next. Starting twice does nothing.
    package func start() throws(SequenceError) {
        try withLock { () throws(SequenceError) in
            guard let piece else { throw .noSequence }
            guard !transport.isPlaying else { return }
            tempo = piece.tempoMap
            jump(to: restingSeconds)
            host.drive(self)
        }
    }

    /// Ends what sounds with the next frame, and keeps the position.
    package func stop() {
        lock.withLock {
            guard transport.isPlaying else { return }
            restingSeconds = seconds
            transport.isPlaying = false
            transport.run += 1
            publish()
            outlets.silence(at: host.now, host)
        }
    }

    /// Makes ready what `start` would otherwise make.
    package func prepare() {
        lock.withLock {
            if !transport.isPlaying, let piece { tempo = piece.tempoMap }
            publish()
        }
    }

    /// Seconds of the sequence at its own tempo; a change is a jump, which ends what sounds.
    package var seconds: Double {
        get {
            lock.withLock {
                guard transport.isPlaying else { return restingSeconds }
                let now = host.now
                return transport.sequenceSeconds(at: Double(now.frame) / max(now.rate, 1))
            }
        }
        set {
            lock.withLock {
                guard newValue.isFinite, newValue.magnitude <= 0x1p40 else { return }
                if transport.isPlaying { jump(to: newValue) } else { restingSeconds = newValue }
            }
        }
    }

    /// Beats; as `seconds`.
    package var beat: Double {
        get { lock.withLock { currentTempo.beat(at: seconds) } }
        set { lock.withLock { seconds = currentTempo.seconds(at: newValue) } }
    }

    /// While nothing plays, the tempo track as it is now.
    private var currentTempo: TempoMap { transport.isPlaying ? tempo : piece?.tempoMap ?? tempo }

    /// Sequence seconds in a second; values that are not above 0 change nothing, others are clamped to 2^±20. Default
    /// 1.
    package var rate: Double {
        get { lock.withLock { transport.rate } }
        set {
            guard newValue.isFinite, newValue > 0 else { return }
            lock.withLock {
                let rate = min(max(newValue, 0x1p-20), 0x1p20)
                if transport.isPlaying { continueAt(seconds, rate: rate) } else { transport.rate = rate }
            }
        }
    }

    /// A start or a jump.
    private func jump(to sequenceSeconds: Double) {
        transport.run += 1
        continueAt(sequenceSeconds, rate: transport.rate, earliest: sequenceSeconds - 1e-9)
        outlets.begin(at: seen.frame)
    }

    /// From the next frame on the sequence is at `sequenceSeconds`. What sounds continues unless `run` has changed.
    private func continueAt(_ sequenceSeconds: Double, rate: Double, earliest: Double = -.infinity) {
        let now = host.now
        seen = now
        transport.start = Double(now.frame) / max(now.rate, 1)
        transport.origin = sequenceSeconds
        transport.earliest = earliest
        transport.rate = rate
        transport.isPlaying = true
        publish()
    }

    // MARK: Host times

    /// When a beat is played, while playing; `nil` for a beat that is no number.
    package func hostTime(of beat: Double) -> UInt64? {
        lock.withLock {
            let clock = transport.clockSeconds(at: tempo.seconds(at: beat)) * host.now.rate
            guard transport.isPlaying, !clock.isNaN else { return nil }
            return host.hostTime(of: Int64(min(max(clock, -0x1p60), 0x1p60).rounded()))
        }
    }

    /// The beat that is played at a host time, while playing.
    package func beat(at hostTime: UInt64) -> Double? {
        lock.withLock {
            guard transport.isPlaying else { return nil }
            let clock = Double(host.frame(at: hostTime)) / max(host.now.rate, 1)
            return tempo.beat(at: transport.sequenceSeconds(at: clock))
        }
    }

    // MARK: Between render calls

    /// Takes up what has changed, and plays what is played on the control side: MIDI endpoints, callbacks, presets.
    /// - Parameter framesAhead: frames of the host's clock that may be rendered before the next call.
    package func attend(framesAhead: Int) {
        for load in lock.withLock({ playControlSide(framesAhead) }) { load() }
    }

    /// - Returns: presets to be loaded, which is the client's code and needs the lock to be free.
    private func playControlSide(_ framesAhead: Int) -> [() -> Void] {
        guard transport.isPlaying else { return [] }
        let now = host.now
        if now.frame < seen.frame || now.rate != seen.rate {
            // The clock begins anew; the music continues from where it was.
            jump(to: transport.sequenceSeconds(at: Double(seen.frame) / max(seen.rate, 1)))
        }
        seen = now
        followChanges()
        let lead = host.isOffline ? framesAhead : min(framesAhead, Int(Self.lead * now.rate))
        return outlets.play(to: now, lead: lead, host, in: piece)
    }

    private func followChanges() {
        guard let piece else { return }
        let feed = host.standardFeed.map { ObjectIdentifier($0) }
        if let followed, followed == (piece.changes.value, ObjectIdentifier(host), feed) { return }
        let map = piece.tempoMap
        if map.changes != tempo.changes {
            // The beat stays where it is.
            let beat = beat
            tempo = map
            continueAt(map.seconds(at: beat), rate: transport.rate)
        } else {
            publish()
        }
    }

    /// Makes the schedules anew.
    private func publish() {
        guard let piece else { return outlets.retire() }
        let host = host
        followed = (piece.changes.value, ObjectIdentifier(host), host.standardFeed.map { ObjectIdentifier($0) })
        outlets.publish(piece, host, tempo, transport)
        host.musicalClock?.show(self, transport, tempo: tempo, meters: piece.meterMap, resting: restingSeconds)
    }

    private func withLock<Result>(_ body: () throws(SequenceError) -> Result) throws(SequenceError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

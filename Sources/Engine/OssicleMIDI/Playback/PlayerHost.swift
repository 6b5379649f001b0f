// The clock a player follows.

import Dispatch
import Foundation
import OssicleDevices
import Synchronization

/// What plays a sequence: an engine, whose frames are the time, or the machine's clock.
package protocol PlayerHost: AnyObject, Sendable {
    /// The frame that is rendered next, and frames per second.
    var now: (frame: Int64, rate: Double) { get }
    /// Whether frames are rendered without waiting for a device.
    var isOffline: Bool { get }
    /// When a frame is at the device, in nanoseconds.
    func hostTime(of frame: Int64) -> UInt64
    func frame(at hostTime: UInt64) -> Int64
    /// What plays tracks without a destination of their own.
    var standardFeed: EventFeed? { get }
    /// Has the player attended before frames are rendered, or every few milliseconds. Held weakly.
    func drive(_ player: SequencePlayer)
    /// Calls code of the client's, in order, on a queue.
    func callBack(_ body: @escaping @Sendable () -> Void)
    /// Gives a preset to the unit of a destination.
    func load(_ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination)
    /// What tells units where the music is; `nil` where there are none.
    var musicalClock: MusicalClock? { get }
}

extension PlayerHost {
    package var musicalClock: MusicalClock? { nil }
}

/// The machine's clock as a host: nanoseconds are frames. For sequences that go to MIDI endpoints only.
package final class MachineHost: PlayerHost {
    package static let shared = MachineHost()

    private let queue = DispatchQueue(label: "ossicle.sequences", qos: .userInitiated)
    private let callbacks = DispatchQueue(label: "ossicle.sequences.callbacks")

    private struct Driven: @unchecked Sendable {
        var players: [WeakPlayer] = []
        var timer: (any DispatchSourceTimer)?
        /// Starts of players, so that none is missed by a timer that is about to end.
        var starts = 0
    }
    private struct WeakPlayer { weak var player: SequencePlayer? }
    private let driven = Mutex(Driven())

    package var now: (frame: Int64, rate: Double) { (Int64(HostClock.now), 1e9) }
    package var isOffline: Bool { false }
    package func hostTime(of frame: Int64) -> UInt64 { UInt64(max(frame, 0)) }
    package func frame(at hostTime: UInt64) -> Int64 { Int64(min(hostTime, 1 << 60)) }
    package var standardFeed: EventFeed? { nil }
    package func callBack(_ body: @escaping @Sendable () -> Void) { callbacks.async(execute: body) }

    package func load(
        _ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination
    ) {}

    package func drive(_ player: SequencePlayer) {
        driven.withLock { driven in
            driven.players.removeAll { $0.player == nil || $0.player === player }
            driven.players.append(WeakPlayer(player: player))
            driven.starts += 1
            guard driven.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(2), leeway: .microseconds(200))
            timer.setEventHandler { [weak self] in self?.tick() }
            timer.resume()
            driven.timer = timer
        }
    }

    /// Without a player that plays, the timer ends. A player's lock is never taken under this one: it holds its own
    /// when it calls `drive`.
    private func tick() {
        let (players, starts) = driven.withLock { driven in
            driven.players.removeAll { $0.player == nil }
            return (driven.players.compactMap(\.player), driven.starts)
        }
        let playing = players.filter(\.isPlaying)
        for player in playing { player.attend(framesAhead: Int(SequencePlayer.lead * 1e9)) }
        guard playing.isEmpty else { return }
        driven.withLock { driven in
            guard driven.starts == starts else { return }
            driven.timer?.cancel()
            driven.timer = nil
        }
    }
}

import OssicleAudioToolbox
import OssicleMIDI
import OssiclePlayback
import Synchronization

/// The players that follow an engine's frames, held weakly.
final class SequencePlayers: Sendable {
    private struct WeakPlayer: Sendable { weak var player: SequencePlayer? }
    private let players = Mutex<[WeakPlayer]>([])
    /// The sequence of the C interface that the engine plays.
    let adopted = Mutex<MIDISequence?>(nil)
    /// Where the client's callbacks run, one after the other.
    let callbacks = DispatchQueue(label: "ossicle.sequencer")

    func add(_ player: SequencePlayer) {
        players.withLock {
            $0.removeAll { $0.player == nil || $0.player === player }
            $0.append(WeakPlayer(player: player))
        }
    }

    /// Between render calls; under no lock.
    func attend(frames: Int) {
        for player in players.withLock({ $0.compactMap(\.player) }) { player.attend(framesAhead: frames) }
    }
}

/// Sequences are played by the engine's frames.
extension EngineMachine: PlayerHost {
    package var now: (frame: Int64, rate: Double) {
        locked { (session.executor.position, max(renderFormat.sampleRate, 1)) }
    }

    package var isOffline: Bool { locked { manual?.mode == .offline } }

    package func hostTime(of frame: Int64) -> UInt64 { session.clock.hostTime(of: frame, now.rate) }

    package func frame(at hostTime: UInt64) -> Int64 { session.clock.frame(at: hostTime, now.rate) }

    /// The instrument that was attached first.
    package var standardFeed: EventFeed? {
        locked {
            for case let instrument as AVAudioUnitMIDIInstrument in model.nodes {
                if let feed = instrument.feed { return feed }
            }
            return nil
        }
    }

    /// The sequence of the C interface that the engine plays.
    var musicSequence: MIDISequence? { sequences.adopted.withLock { $0 } }

    /// Plays another sequence of the C interface, or none.
    func adopt(_ sequence: MIDISequence?) {
        let old = sequences.adopted.withLock { adopted in
            defer { adopted = sequence }
            return adopted
        }
        old?.host = nil
        sequence?.host = self
    }

    package func drive(_ player: SequencePlayer) { sequences.add(player) }

    package func callBack(_ body: @escaping @Sendable () -> Void) {
        session.callbacks.run("a sequencer's user callback", on: sequences.callbacks, body)
    }

    package func load(
        _ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination
    ) {
        guard let state = preset.object as? NSDictionary as? [String: Any] else { return }
        let units = locked { model.nodes.compactMap { $0 as? AVAudioUnit } }
        let wanted = destination == .standard ? standardFeed.map { .feed($0) } ?? .standard : destination
        units.first { $0.trackDestination == wanted && wanted != .standard }?.auAudioUnit.fullState = state
    }
}

extension AVAudioUnit {
    /// What plays a unit of the client's frame by frame; `nil` for the built-in ones.
    var feed: EventFeed? { (driver as? HostedDriver)?.music.feed }

    /// The unit as a track's destination.
    var trackDestination: TrackDestination { feed.map { .feed($0) } ?? .parameters(parameterTarget) }

    /// Parameters of a built-in unit, set between render calls.
    private var parameterTarget: ParameterTarget {
        lock.withLock {
            if let target { return target }
            let tree = parameterTree
            let made = ParameterTarget { change in
                tree.parameter(withID: change.id, scope: change.scope, element: change.element)?.value = change.value
            }
            target = made
            return made
        }
    }
}

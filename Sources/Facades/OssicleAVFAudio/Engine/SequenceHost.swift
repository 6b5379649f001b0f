import OssicleAudioToolbox
import OssicleMIDI
import OssiclePlayback
import Synchronization

/// An engine as what plays sequences: by its frames, with its units. Sequences and players hold it weakly, as it holds
/// players.
///
/// `@unchecked`: `machine` is set once, before anybody else knows it.
final class SequenceHost: PlayerHost, @unchecked Sendable {
    private struct WeakPlayer: Sendable { weak var player: SequencePlayer? }

    weak var machine: EngineMachine?
    private let players = Mutex<[WeakPlayer]>([])
    private let adopted = Mutex<MIDISequence?>(nil)
    /// What tells units where the music is.
    let clock = MusicalClock()
    /// Where the client's callbacks run, one after the other.
    private let callbacks = DispatchQueue(label: "ossicle.sequencer")

    /// The sequence of the C interface that the engine plays.
    var sequence: MIDISequence? {
        get { adopted.withLock { $0 } }
        set {
            let old = adopted.withLock { adopted in
                defer { adopted = newValue }
                return adopted
            }
            old?.host = nil
            newValue?.host = self
        }
    }

    /// Between render calls; under no lock.
    func attend(frames: Int) {
        for player in players.withLock({ $0.compactMap(\.player) }) { player.attend(framesAhead: frames) }
    }

    package func drive(_ player: SequencePlayer) {
        players.withLock {
            $0.removeAll { $0.player == nil || $0.player === player }
            $0.append(WeakPlayer(player: player))
        }
    }

    package var now: (frame: Int64, rate: Double) {
        machine.map { machine in
            machine.locked { (machine.session.executor.position, max(machine.renderFormat.sampleRate, 1)) }
        } ?? (0, 1)
    }

    package var isOffline: Bool {
        machine.map { machine in machine.locked { machine.manual?.mode == .offline } } ?? false
    }

    package func hostTime(of frame: Int64) -> UInt64 { machine?.session.clock.hostTime(of: frame, now.rate) ?? 0 }

    package func frame(at hostTime: UInt64) -> Int64 { machine?.session.clock.frame(at: hostTime, now.rate) ?? 0 }

    /// The instrument that was attached first.
    package var standardFeed: EventFeed? {
        guard let machine else { return nil }
        return machine.locked {
            for case let instrument as AVAudioUnitMIDIInstrument in machine.model.nodes {
                if let feed = instrument.feed { return feed }
            }
            return nil
        }
    }

    /// Units count frames by clocks of their own, which may have begun at another time since they were asked last.
    package var musicalClock: MusicalClock? {
        guard let machine else { return nil }
        let units = machine.locked { machine.model.nodes.compactMap { $0 as? AVAudioUnit } }
        for driver in units.compactMap({ $0.driver as? HostedDriver }) { driver.music.locateClock() }
        return clock
    }

    package func callBack(_ body: @escaping @Sendable () -> Void) {
        machine?.session.callbacks.run("a sequencer's user callback", on: callbacks, body)
    }

    package func load(
        _ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination
    ) {
        guard let state = preset.object as? NSDictionary as? [String: Any], let machine else { return }
        let units = machine.locked { machine.model.nodes.compactMap { $0 as? AVAudioUnit } }
        let wanted = destination == .standard ? standardFeed.map { .feed($0) } ?? .standard : destination
        units.first { $0.trackDestination == wanted && wanted != .standard }?.auAudioUnit.fullState = state
    }
}

extension AVAudioUnit {
    /// Whether MIDI goes in.
    var takesMIDI: Bool {
        [
            kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
            kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteMusicEffect,
        ]
        .contains(audioComponentDescription.componentType)
    }

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

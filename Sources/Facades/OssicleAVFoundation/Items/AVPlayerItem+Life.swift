// How an item is opened, and what its player sets.

import Foundation
import OssicleCoreAudioTypes

/// Part of the state that the player sets. Lock order: a player's lock, then an item's.
extension AVPlayerItem {
    var facts: ItemFacts? { lock.withLock { state.facts } }
    var failure: OssicleError? { lock.withLock { state.error } }
    var settings: ItemSettings { lock.withLock { currentSettings } }

    /// The player it belongs to.
    var machine: PlayerMachine? {
        get { lock.withLock { state.machine } }
        set { lock.withLock { state.machine = newValue } }
    }

    /// The sound, while it is open.
    var decoder: ItemDecoder? {
        get { lock.withLock { state.decoder } }
        set { lock.withLock { state.decoder = newValue } }
    }

    /// The loop that it is a copy in.
    var loop: LoopCore? {
        get { lock.withLock { state.loop } }
        set { lock.withLock { state.loop = newValue } }
    }

    /// Where it stands, or will begin, while it is not being played.
    var restTime: CMTime {
        get { lock.withLock { state.rest } }
        set { lock.withLock { state.rest = newValue } }
    }

    /// Changes what the player follows.
    func change(_ edit: (inout ItemSettings) -> Void) {
        lock.withLock { edit(&currentSettings) }
        machine?.settingsChanged(of: self)
    }

    var buffering: Buffering? { machine?.buffering(of: self) }

    /// Moves while no player has it. Before it is opened nothing is known of its end.
    /// - Returns: false where the time is none.
    func rest(at time: CMTime) -> Bool {
        guard time.isNumeric || time.isPositiveInfinity || time.isNegativeInfinity else { return false }
        let duration = facts?.duration ?? .positiveInfinity
        restTime = time.isNumeric ? max(.zero, min(time, duration)) : time.isNegativeInfinity ? .zero : duration
        return true
    }

    /// Opens it in the background, once; `done` is called when its status is known.
    func open(_ done: @escaping @Sendable () -> Void) {
        let isFirst = lock.withLock {
            defer { state.isOpened = true }
            return !state.isOpened
        }
        guard isFirst else { return }
        Self.opening.async { [self] in
            do throws(OssicleError) {
                let reader = try asset.source.open(interruption)
                decoder = ItemDecoder(reader)
                let facts = ItemFacts(reader.info, isLocal: asset.source.cache == nil)
                lock.withLock {
                    state.facts = facts
                    state.status = .readyToPlay
                }
                changeFeed.send(.status(.readyToPlay))
                done()
            } catch {
                fail(error)
                done()
            }
        }
    }

    /// It cannot be played, or no longer.
    func fail(_ error: OssicleError) {
        let isNew = lock.withLock {
            guard state.status != .failed else { return false }
            state.status = .failed
            state.error = error
            return true
        }
        guard isNew else { return }
        changeFeed.send(.status(.failed))
        if asset.source.cache != nil {
            NotificationCenter.default.post(name: Self.newErrorLogEntryNotification, object: self)
        }
    }

    private static let opening = DispatchQueue(label: "ossicle.items", qos: .userInitiated, attributes: .concurrent)
}

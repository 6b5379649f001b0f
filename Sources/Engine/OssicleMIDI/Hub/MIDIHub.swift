import Foundation
import OssicleCore
import OssicleDevices
import Synchronization

/// The MIDI system of a process: clients with their ports, sources and destinations, virtual ones and those of devices,
/// and the way of messages between them.
///
///     MIDIReceived ─▶ source ──────▶ connected input ports ──▶ receivers, each in its form
///                        └─▶ thru connections ─┐
///     MIDISend, output port ───────────────────┴▶ event queue, by host time ─▶ destination ─▶ its receiver or device
///
/// Any thread may call. One lock guards the state and is never held while a client's code runs. Messages are
/// delivered by one thread at a time in the order of their times: by the hub's own thread, or, when the clock is moved
/// by hand, within the call that made them due.
package final class MIDIHub: Sendable {
    /// What times mean.
    package enum Clock: Sendable {
        /// `HostClock`; a thread delivers.
        case host
        /// Begins at 0 and stands still until `advance(to:)`: tests and offline rendering are exact.
        case manual
    }

    /// The hub that the process's clients share.
    package static let shared = MIDIHub(clock: .host)

    let state: Mutex<HubState>
    private let clock: Clock
    private let wake = DispatchSemaphore(value: 0)
    private let hasThread = Atomic(false)
    private let restartHandlers = Mutex<[@Sendable () -> Void]>([])

    package init(clock: Clock) {
        self.clock = clock
        state = Mutex(HubState(clock: clock))
    }

    deinit { wake.signal() }

    /// Nanoseconds.
    package var now: UInt64 { state.withLock { $0.schedule.now } }

    /// Moves a manual clock on and delivers what becomes due, each at its time. Never moves it back; does nothing to
    /// the host's.
    package func advance(to time: UInt64) {
        guard clock == .manual else { return }
        while let next = state.withLock({ $0.schedule.advance(to: time) }) {
            deliver()
            if next == time { break }
        }
    }

    /// To be called without the lock after something was put into the queue.
    func deliverSoon() {
        switch clock {
        case .manual: deliver()
        case .host:
            startThread()
            wake.signal()
        }
    }

    /// Carries out what is due, until nothing is. Where another call is at it, or this one comes out of a receiver,
    /// that one takes the new events, too.
    private func deliver() {
        guard state.withLock({ $0.schedule.beginDelivery() }) else { return }
        while let calls = state.withLock({ $0.takeDue() }) { for call in calls { call() } }
    }

    private func startThread() {
        guard !hasThread.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let thread = Thread { [weak self, wake] in
            while let next = self.map({ $0.turn() }) {
                if let time = next {
                    _ = wake.wait(timeout: DispatchTime(uptimeNanoseconds: time))
                } else {
                    wake.wait()
                }
            }
        }
        thread.name = "ossicle.midi"
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    /// When the next event is due.
    private func turn() -> UInt64? {
        deliver()
        return state.withLock { $0.schedule.queue.nextTime }
    }
}

extension MIDIHub {
    /// Returns when every notification made so far has been delivered. Not from a notification.
    package func waitForNotifications() {
        let queues = state.withLock { $0.clients.queues }
        for queue in queues { queue.sync {} }
    }

    /// Tells clients of an error of a device.
    package func report(ioError code: Int32, of device: HubID) {
        state.withLock { $0.clients.notify(.ioError(device: device, code: code)) }
    }

    /// Has devices looked for again: calls what backends have registered, and notifies.
    package func restart() {
        for handler in restartHandlers.withLock({ $0 }) { handler() }
        state.withLock { $0.clients.notify(.setupChanged) }
    }

    /// Registers what `restart` is to call.
    package func onRestart(_ handler: @escaping @Sendable () -> Void) {
        restartHandlers.withLock { $0.append(handler) }
    }
}

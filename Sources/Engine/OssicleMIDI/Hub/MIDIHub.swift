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
/// delivered by one thread at a time in the order of their times: by the hub's own thread, or, when the clock is moved by
/// hand, within the call that made them due.
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

    let state = Mutex(HubState())
    let clock: Clock
    private let wake = DispatchSemaphore(value: 0)
    private let hasThread = Atomic(false)
    let restartHandlers = Mutex<[@Sendable () -> Void]>([])

    package init(clock: Clock) { self.clock = clock }

    deinit { wake.signal() }

    /// Nanoseconds.
    package var now: UInt64 {
        switch clock {
        case .host: HostClock.now
        case .manual: state.withLock { $0.manualTime }
        }
    }

    func now(_ state: borrowing HubState) -> UInt64 { clock == .host ? HostClock.now : state.manualTime }

    /// Moves a manual clock on and delivers what becomes due, each at its time. Never moves it back; does nothing to the
    /// host's.
    package func advance(to time: UInt64) {
        guard clock == .manual else { return }
        while let next = step(to: time) {
            deliver()
            if next == time { break }
        }
    }

    /// Moves the clock to the next event, or to `limit` where none is before it; returns the time, `nil` for one that is
    /// over.
    private func step(to limit: UInt64) -> UInt64? {
        state.withLock { state in
            guard limit >= state.manualTime else { return nil }
            state.manualTime = min(max(state.queue.nextTime ?? limit, state.manualTime), limit)
            return state.manualTime
        }
    }

    /// Runs `action` at `time`, on the thread that delivers.
    func schedule(at time: UInt64, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.queue.add(.call(action), at: time) }
        deliverSoon()
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

    /// Carries out what is due, until nothing is. Where another call is at it, or this one comes out of a receiver, that
    /// one takes the new events, too.
    private func deliver() {
        guard state.withLock({ $0.beginDelivery() }) else { return }
        while let calls = state.withLock({ state in state.takeDue(now(state)) }) { for call in calls { call() } }
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
        return state.withLock { $0.queue.nextTime }
    }
}

extension HubState {
    /// False where somebody delivers already.
    fileprivate mutating func beginDelivery() -> Bool {
        guard !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// What has to be called for the next event that is due; `nil` ends the delivery.
    fileprivate mutating func takeDue(_ now: UInt64) -> [@Sendable () -> Void]? {
        guard let action = queue.take(until: now) else {
            isDelivering = false
            return nil
        }
        switch action {
        case .call(let call): return [call]
        case .deliver(let packets, let destination, let sender): return delivery(packets, to: destination, from: sender)
        case .distribute(let packets, let source): return distribution(packets, from: source, now)
        }
    }
}

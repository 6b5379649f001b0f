import Foundation
import Synchronization

/// Follows the devices of JACK and ALSA for a session, where they are what programs get: no sound server runs, or the
/// environment chooses one of the two.
final class HardwareWatch: Sendable {
    private let isStopped = Atomic(false)
    private let doubtDevices: @Sendable () -> Void
    private let report: @Sendable (SurroundingsEvent) -> Void
    private let isNeeded: @Sendable () -> Bool

    /// What is known from one look to the next.
    private struct Following {
        /// The machine's cards, where they were followed a moment ago.
        var cards: DeviceFolder?
        var hasLostServer = false
    }

    /// Seconds between two looks for a JACK server.
    private static let pause = 1.0

    /// - Parameters:
    ///   - doubtDevices: called where the devices may have changed; on the watch's thread.
    ///   - report: receives the end and the return of a JACK server; on the same thread.
    ///   - isNeeded: whether there is something to follow.
    init(
        doubtDevices: @escaping @Sendable () -> Void, report: @escaping @Sendable (SurroundingsEvent) -> Void,
        isNeeded: @escaping @Sendable () -> Bool
    ) {
        (self.doubtDevices, self.report, self.isNeeded) = (doubtDevices, report, isNeeded)
    }

    func start() {
        let thread = Thread { [weak self] in
            // What programs get may be a server's soon.
            Thread.sleep(forTimeInterval: HardwareWatch.pause / 2)
            var following = Following()
            while let watch = self, !watch.isStopped.load(ordering: .relaxed) { watch.follow(&following) }
        }
        thread.name = "ossicle.session.hardware"
        thread.start()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    private var goesOn: Bool { !isStopped.load(ordering: .relaxed) && isNeeded() }

    /// Follows a JACK server to its end, or the cards until it is time to look for a server again.
    private func follow(_ following: inout Following) {
        guard isNeeded() else {
            following.cards = nil
            return Thread.sleep(forTimeInterval: HardwareWatch.pause)
        }
        if let server = try? JackRegistrations() {
            following.cards = nil
            follow(server, &following)
        } else {
            let cards = following.cards ?? DeviceFolder(DeviceFolder.cards) { DeviceList() }
            if following.cards == nil { doubtDevices() }
            following.cards = cards
            let end = HostClock.time(HostClock.now, movedBy: HardwareWatch.pause)
            while goesOn, HostClock.now < end { if cards.next() != nil { doubtDevices() } }
        }
    }

    private func follow(_ server: JackRegistrations, _ following: inout Following) {
        if following.hasLostServer { report(.serverBack) }
        following.hasLostServer = false
        doubtDevices()
        do throws(DeviceError) {
            while goesOn { if try server.next() != nil { doubtDevices() } }
        } catch {
            following.hasLostServer = true
            report(.serverLost)
            doubtDevices()
        }
    }
}

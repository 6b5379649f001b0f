import CPulse
import Dispatch
import Foundation
import Synchronization

/// Follows a sound server for a session: its devices, what other programs play, its end and its return. A server that
/// is not there, or goes, is looked for again.
final class ServerWatch: Sendable {
    private struct Wishes: Sendable {
        var isLowered = false
        var isStopped = false
    }

    private let server: String?
    private let wishes = Mutex(Wishes())
    private let hasRestored = DispatchSemaphore(value: 0)
    private let report: @Sendable (SurroundingsEvent) -> Void
    private let readDevices: @Sendable () -> DeviceList

    /// Seconds between two looks for a server.
    private static let pause = 0.25

    /// - Parameters:
    ///   - server: as in PULSE_SERVER; nil for the user's own.
    ///   - readDevices: what there is now; empty without a server.
    ///   - report: called on the watch's thread.
    init(
        server: String?, readDevices: @escaping @Sendable () -> DeviceList,
        report: @escaping @Sendable (SurroundingsEvent) -> Void
    ) {
        (self.server, self.readDevices, self.report) = (server, readDevices, report)
    }

    func start() {
        let thread = Thread { [weak self] in
            var following = Following()
            while let watch = self, !watch.wishes.withLock({ $0.isStopped }) {
                watch.follow(&following)
                Thread.sleep(forTimeInterval: ServerWatch.pause)
            }
        }
        thread.name = "ossicle.session"
        thread.start()
    }

    func lowerOthers(_ isLowered: Bool) { wishes.withLock { $0.isLowered = isLowered } }

    /// Ends, and restores what is lowered; waits half a second at most for that.
    func stop() {
        let wasLowered = wishes.withLock { wishes in
            defer { wishes = Wishes(isLowered: false, isStopped: true) }
            return wishes.isLowered
        }
        if wasLowered { _ = hasRestored.wait(timeout: .now() + 0.5) }
    }

    /// What is known from one connection to the next.
    private struct Following {
        var devices: DeviceList?
        var wasConnected = false
    }

    /// Connects if a server is there, and returns when it is gone or the watch is stopped.
    private func follow(_ following: inout Following) {
        defer { if wishes.withLock({ $0.isStopped }) { hasRestored.signal() } }
        let name = PulseServer.name(server)
        do throws(DeviceError) {
            let found = try PulseServer.found(server, device: name)
            let connection = try PulseConnection(device: name, server: found, client: "Ossicle")
            let facilities =
                PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
                | PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
            let directory = PulseDirectory(connection, to: pa_subscription_mask_t(rawValue: facilities))
            _ = try directory.first()
            if following.wasConnected { report(.serverBack) }
            following.wasConnected = true
            noteDevices(&following)
            try work(connection, directory, &following)
        } catch {
            guard following.wasConnected, case .disconnected = error else { return }
            report(.serverLost)
            report(.others([]))
        }
    }

    private func work(
        _ connection: PulseConnection, _ directory: PulseDirectory, _ following: inout Following
    ) throws(DeviceError) {
        let neighbours = PulseNeighbours(connection)
        var known: [StreamRole]?
        while true {
            let wishes = wishes.withLock { $0 }
            neighbours.setLowered(wishes.isLowered)
            if wishes.isStopped { break }
            if directory.update() != nil {
                neighbours.doubt()
                noteDevices(&following)
            }
            if let roles = neighbours.update(), roles != known {
                known = roles
                report(.others(roles))
            }
            try connection.turn()
        }
        // What was restored has to be sent.
        for _ in 0..<3 { try connection.turn() }
    }

    private func noteDevices(_ following: inout Following) {
        let now = readDevices()
        if let old = following.devices, old != now { report(.devices(old: old, new: now)) }
        following.devices = now
    }
}

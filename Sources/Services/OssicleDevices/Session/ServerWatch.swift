import CPulse
import Dispatch
import Foundation
import Synchronization

/// Follows a sound server for a session: its lists of devices, what other programs play, its end and its return. A
/// server that is not there, or goes, is looked for again.
final class ServerWatch: Sendable {
    private struct Wishes: Sendable {
        var lowering = 0
        var hold: PulseRivals.Entry?
        var isStopped = false
    }

    private let server: String?
    private let wishes = Mutex(Wishes())
    private let hasEnded = DispatchSemaphore(value: 0)
    private let report: @Sendable (SurroundingsEvent) -> Void
    private let doubtDevices: @Sendable () -> Void
    private let connected = Atomic(false)

    /// Seconds between two looks for a server.
    private static let pause = 0.25

    /// - Parameters:
    ///   - server: as in PULSE_SERVER; nil for the user's own.
    ///   - doubtDevices: called where the devices may have changed.
    ///   - report: called on the watch's thread.
    init(
        server: String?, doubtDevices: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (SurroundingsEvent) -> Void
    ) {
        (self.server, self.doubtDevices, self.report) = (server, doubtDevices, report)
    }

    /// Whether there is a server.
    var isConnected: Bool { connected.load(ordering: .relaxed) }

    func start() {
        let thread = Thread { [weak self] in
            var wasConnected = false
            while let watch = self, !watch.wishes.withLock({ $0.isStopped }) {
                watch.follow(&wasConnected)
                Thread.sleep(forTimeInterval: ServerWatch.pause)
            }
        }
        thread.name = "ossicle.session"
        thread.start()
        Register.add(self)
    }

    func lowerOthers(by decibels: Int) { wishes.withLock { $0.lowering = decibels } }

    func publish(_ hold: PulseRivals.Entry) { wishes.withLock { $0.hold = hold } }

    /// Reports a change of `CorkedStreams` to all watches there are.
    static func reportCorking(_ isCorked: Bool) { for watch in Register.all { watch.report(.corking(isCorked)) } }

    /// Ends, with what is lowered restored and what is held published; waits half a second at most for that.
    func stop() {
        let isOwing = wishes.withLock { wishes in
            defer { (wishes.lowering, wishes.isStopped) = (0, true) }
            return wishes.lowering > 0 || wishes.hold != nil
        }
        if isOwing { _ = hasEnded.wait(timeout: .now() + 0.5) }
    }

    /// Connects if a server is there, and returns when it is gone or the watch is stopped.
    private func follow(_ wasConnected: inout Bool) {
        defer { connected.store(false, ordering: .relaxed) }
        defer { if wishes.withLock({ $0.isStopped }) { hasEnded.signal() } }
        let name = PulseServer.name(server)
        do throws(DeviceError) {
            let found = try PulseServer.found(server, device: name)
            let connection = try PulseConnection(device: name, server: found, client: "Ossicle")
            let facilities = [
                PA_SUBSCRIPTION_MASK_SINK, PA_SUBSCRIPTION_MASK_SOURCE, PA_SUBSCRIPTION_MASK_SERVER,
                PA_SUBSCRIPTION_MASK_SINK_INPUT, PA_SUBSCRIPTION_MASK_CLIENT,
            ].reduce(0) { $0 | $1.rawValue }
            let directory = PulseDirectory(connection, to: pa_subscription_mask_t(rawValue: facilities))
            _ = try directory.first()
            if wasConnected { report(.serverBack) }
            wasConnected = true
            connected.store(true, ordering: .relaxed)
            doubtDevices()
            try work(connection, directory)
        } catch {
            guard wasConnected, case .disconnected = error else { return }
            report(.serverLost)
            report(.others([]))
        }
    }

    private func work(_ connection: PulseConnection, _ directory: PulseDirectory) throws(DeviceError) {
        let (neighbours, rivals) = (PulseNeighbours(connection), PulseRivals(connection))
        var known: [StreamRole]?
        while true {
            let wishes = wishes.withLock { $0 }
            neighbours.setLowered(by: wishes.lowering)
            rivals.publish(wishes.hold)
            if wishes.isStopped { break }
            if directory.update() != nil {
                neighbours.doubt()
                rivals.doubt()
                doubtDevices()
            }
            if let roles = neighbours.update(), roles != known {
                known = roles
                report(.others(roles))
            }
            if let event = rivals.update() { report(event) }
            try connection.turn()
        }
        // What was restored and published has to be sent, and read by others before the connection ends.
        let end = ContinuousClock.now + .milliseconds(200)
        while ContinuousClock.now < end { try connection.turn() }
    }
}

extension ServerWatch {
    /// The watches there are, which end with the program.
    private enum Register {
        private struct Entry: Sendable {
            weak var watch: ServerWatch?
        }

        private static let entries = Mutex<[Entry]>([])
        private static let isRegistered = Atomic(false)

        static var all: [ServerWatch] { entries.withLock { $0.compactMap(\.watch) } }

        static func add(_ watch: ServerWatch) {
            entries.withLock { entries in
                entries.removeAll { $0.watch == nil }
                entries.append(Entry(watch: watch))
            }
            guard !isRegistered.exchange(true, ordering: .relaxed) else { return }
            atexit { for watch in Register.all { watch.stop() } }
        }
    }
}

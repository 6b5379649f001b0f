import Foundation
import Synchronization

/// The sound of this machine, as a session sees it: a server, or hardware where none runs. From any thread.
package final class ServerSurroundings: SessionSurroundings {
    private struct Reading: Sendable {
        var devices = DeviceList()
        var validUntil: ContinuousClock.Instant?
        /// What the session knows.
        var reported: DeviceList?
    }

    private let server: String?
    private let reading = Mutex(Reading())
    private let current = Mutex<(server: ServerWatch?, hardware: HardwareWatch?)>((nil, nil))

    /// - Parameter server: as in PULSE_SERVER, whose devices are then meant; nil for what programs get that name none.
    package init(server: String? = nil) { self.server = server }

    deinit { stop(current.withLock { $0 }) }

    /// At most a second old.
    package var devices: DeviceList {
        reading.withLock { reading in
            if let end = reading.validUntil, ContinuousClock.now < end { return reading.devices }
            return read(&reading)
        }
    }

    private func read(_ reading: inout Reading) -> DeviceList {
        let list = server.map { try? DeviceList.current(server: $0) } ?? (try? DeviceList.standard())
        reading.devices = list ?? DeviceList()
        reading.validUntil = ContinuousClock.now + .seconds(1)
        return reading.devices
    }

    package func watch(_ report: @escaping @Sendable (SurroundingsEvent) -> Void) {
        let doubt: @Sendable () -> Void = { [weak self] in
            if let change = self?.newList() { report(change) }
        }
        let watch = ServerWatch(server: server, doubtDevices: doubt, report: report)
        let hardware = HardwareWatch(doubtDevices: doubt, report: report) { [server] in
            if server != nil { return false }
            return DeviceChoice.ofEnvironment(.output)?.isOfHardware ?? !watch.isConnected
        }
        let old = current.withLock { current in
            defer { current = (watch, hardware) }
            return current
        }
        stop(old)
        watch.start()
        hardware.start()
    }

    private func stop(_ watches: (server: ServerWatch?, hardware: HardwareWatch?)) {
        watches.hardware?.stop()
        watches.server?.stop()
    }

    /// Reads the devices; nil where they are what the session knows.
    private func newList() -> SurroundingsEvent? {
        reading.withLock { reading in
            let (old, new) = (reading.reported, read(&reading))
            reading.reported = new
            return old.flatMap { $0 == new ? nil : .devices(old: $0, new: new) }
        }
    }

    /// As long as a server is there. A program that ends restores them; one that is killed does not.
    package func duckOthers(by decibels: Int) { current.withLock { $0.server }?.lowerOthers(by: decibels) }

    /// At devices of every backend.
    package func muteOutput(_ isMuted: Bool) { OutputMute.isOn = isMuted }

    /// Streams have the role they are opened with.
    package func adopt(role: StreamRole) { StreamRole.current = role }

    package func hold(_ hold: SoundHold, since: UInt64) {
        let entry = PulseRivals.Entry(hold, since: since)
        current.withLock { $0.server }?.publish(entry)
    }
}

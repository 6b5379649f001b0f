import Foundation
import Synchronization

/// The sound server of this machine, as a session sees it. From any thread.
package final class ServerSurroundings: SessionSurroundings {
    private struct Reading: Sendable {
        var devices = DeviceList()
        var validUntil: ContinuousClock.Instant?
    }

    private let server: String?
    private let reading = Mutex(Reading())
    private let current = Mutex<ServerWatch?>(nil)

    /// - Parameter server: as in PULSE_SERVER, whose devices are then meant; nil for what programs get that name none.
    package init(server: String? = nil) { self.server = server }

    deinit { current.withLock { $0 }?.stop() }

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
        let watch = ServerWatch(server: server) { [weak self] in
            guard let self else { return DeviceList() }
            return reading.withLock { self.read(&$0) }
        } report: { event in
            report(event)
        }
        let old = current.withLock { current in
            defer { current = watch }
            return current
        }
        old?.stop()
        watch.start()
    }

    /// By 12 dB, as long as a server is there. A program that ends restores them; one that is killed does not.
    package func duckOthers(_ isDucked: Bool) { current.withLock { $0 }?.lowerOthers(isDucked) }

    /// At devices of every backend.
    package func muteOutput(_ isMuted: Bool) { OutputMute.isOn = isMuted }

    /// Streams have the role they are opened with.
    package func adopt(role: StreamRole) { StreamRole.current = role }

    package func hold(_ hold: SoundHold, since: UInt64) {
        let entry = PulseRivals.Entry(hold, since: since)
        current.withLock { $0 }?.publish(entry)
    }
}

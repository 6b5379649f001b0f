import Synchronization

/// The sound server of this machine, as a session sees it. From any thread.
package final class ServerSurroundings: SessionSurroundings {
    private struct Reading: Sendable {
        var devices = DeviceList()
        var validUntil: ContinuousClock.Instant?
    }

    private let reading = Mutex(Reading())

    package init() {}

    /// At most a second old.
    package var devices: DeviceList {
        reading.withLock { reading in
            if let end = reading.validUntil, ContinuousClock.now < end { return reading.devices }
            reading.devices = (try? DeviceList.standard()) ?? DeviceList()
            reading.validUntil = ContinuousClock.now + .seconds(1)
            return reading.devices
        }
    }

    package func watch(_ report: @escaping @Sendable (SurroundingsEvent) -> Void) {}
    package func duckOthers(_ isDucked: Bool) {}
    package func adopt(role: StreamRole) {}
}

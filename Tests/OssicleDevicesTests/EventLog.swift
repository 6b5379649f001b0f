import OssicleTestKit
import Synchronization
@testable import OssicleDevices

/// Writes down the events of a device, and lets a test wait for one.
final class EventLog: Sendable {
    private let entries = Mutex<[DeviceEvent]>([])

    func hear(_ event: DeviceEvent) { entries.withLock { $0.append(event) } }
    var events: [DeviceEvent] { entries.withLock { $0 } }

    /// Whether such an event came, in twenty seconds at most.
    func hears(_ isWanted: (DeviceEvent) -> Bool) -> Bool { eventually { events.contains(where: isWanted) } }
    func hears(_ event: DeviceEvent) -> Bool { hears { $0 == event } }
}

/// Gathers host times on a device's thread.
final class TimeLog: Sendable {
    private let entries = Mutex<[UInt64]>([])

    func append(_ time: UInt64) { entries.withLock { $0.append(time) } }
    var times: [UInt64] { entries.withLock { $0 } }
    /// The same in seconds.
    var seconds: [Double] { times.map { Double($0) * 1e-9 } }
}

/// Whether something becomes so, in twenty seconds at most.
func eventually(_ isSo: () -> Bool) -> Bool { SoundServer.eventually(isSo) }

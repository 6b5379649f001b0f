import Dispatch
import Foundation
import Synchronization

/// A port of another program or of hardware, at a MIDI service of the machine.
package struct MIDIPortInfo: Hashable, Sendable {
    package enum Direction: Sendable {
        /// Messages come from it.
        case source
        /// Messages go to it.
        case destination
    }

    /// Names the port at its backend for as long as it is there, and again when it comes back.
    package let id: String
    /// For people.
    package let name: String
    /// The device or program it belongs to.
    package let device: String
    package let direction: Direction

    package init(id: String, name: String, device: String, direction: Direction) {
        self.id = id
        self.name = name
        self.device = device
        self.direction = direction
    }
}

/// What a backend reports, on a thread of its own, in order.
package enum MIDIBackendEvent: Sendable {
    /// All ports there are now. Comes first, and whenever some have come or gone.
    case ports([MIDIPortInfo])
    /// Bytes of MIDI 1.0 from a port, at a host time in nanoseconds: whole messages, or a part of a system exclusive
    /// one.
    case received([UInt8], at: UInt64, port: String)
    /// The service is gone; nothing else follows.
    case lost(DeviceError)
}

/// A MIDI service of the machine: its ports, and messages from and to them.
package protocol MIDIBackend: AnyObject, Sendable {
    /// "JACK MIDI".
    var name: String { get }
    /// Nanoseconds by which the backend wants messages before their time, to place them exactly.
    var advance: UInt64 { get }
    /// Connects, and reports from then on. Throws `DeviceError.noServer` where there is no such service, with the
    /// reason.
    func start(_ events: @escaping @Sendable (MIDIBackendEvent) -> Void) throws(DeviceError)
    /// Sends bytes of MIDI 1.0 to a port at a host time; what is over goes at once. A port there is not is no error.
    /// Any thread.
    func send(_ bytes: [UInt8], at time: UInt64, to port: String)
    /// Disconnects; no report follows. Not from a report.
    func stop()
}

/// The thread of a backend: runs `turn` whenever it is woken, and at least every `interval` seconds.
final class MIDIBackendThread: Sendable {
    private let wakes = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let stopping = Atomic(false)
    private let running = Mutex<ObjectIdentifier?>(nil)

    /// From any thread, a real-time one included.
    func wake() { wakes.signal() }

    func start(_ label: String, every interval: Double, _ turn: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            while !stopping.load(ordering: .acquiring) {
                turn()
                _ = wakes.wait(timeout: .now() + interval)
            }
            ended.signal()
        }
        thread.name = label
        thread.qualityOfService = .userInteractive
        let identity = ObjectIdentifier(thread)
        running.withLock { $0 = identity }
        thread.start()
    }

    /// Returns when the thread has ended, two seconds at most; at once on the thread itself and where none was started.
    func stop() {
        guard !stopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
        guard let thread = running.withLock({ $0 }), thread != ObjectIdentifier(Thread.current) else { return }
        wakes.signal()
        _ = ended.wait(timeout: .now() + DeviceThread.patience)
    }
}

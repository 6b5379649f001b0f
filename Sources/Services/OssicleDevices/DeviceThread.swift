import Foundation
import Synchronization

/// What a device does on its thread, from the moment it is open.
protocol DeviceLoop: AnyObject {
    /// Called again and again; waits for the device for a tenth of a second at most.
    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError)
    /// The last call of a loop that `stop` ended.
    func finish()
}

extension DeviceLoop {
    func finish() {}
}

/// The thread of a device: one at a time, which opens the device, works until it is stopped, and is waited for.
final class DeviceThread: Sendable {
    /// Seconds `stop` waits for a callback to return.
    static let patience = 2.0

    /// One run from start to end.
    private final class Run: Sendable {
        let stopping = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
    }

    private let current = Mutex<Run?>(nil)
    private let label: String
    private let device: String
    private let meters: DeviceMeters?

    /// - Parameters:
    ///   - device: what errors call it.
    ///   - meters: of a device whose sound the thread carries: it is then scheduled for that.
    init(label: String, device: String, meters: DeviceMeters? = nil) {
        (self.label, self.device, self.meters) = (label, device, meters)
    }

    deinit { stop() }

    /// Whether the thread is to go on.
    typealias GoOn = @Sendable () -> Bool

    /// Returns when the device is open; throws what was in the way, or `DeviceError.noServer` after `seconds`.
    /// - Parameters:
    ///   - events: receives `started`, and `stopped` or `lost`; on the thread.
    ///   - open: opens the device; on the thread.
    func start(
        within seconds: Double, events: @escaping @Sendable (DeviceEvent) -> Void,
        open: @escaping @Sendable () throws(DeviceError) -> any DeviceLoop
    ) throws(DeviceError) {
        let (opening, meters) = (ServerReply<Void>(), meters)
        let isFirst = run { goOn in
            do throws(DeviceError) {
                meters?.reset()
                let loop = try open()
                meters?.set(scheduling: .obtain())
                defer { if meters != nil { DeviceScheduling.leave() } }
                guard opening.finish(.success(())) else { return }
                DeviceThread.turn(loop, events, goOn)
            } catch {
                opening.finish(.failure(error))
            }
        }
        guard isFirst else { throw .alreadyRunning(device: device) }
        do throws(DeviceError) {
            try opening.value(within: seconds, device: device)
        } catch {
            abandon()
            throw error
        }
    }

    private static func turn(
        _ loop: any DeviceLoop, _ events: @Sendable (DeviceEvent) -> Void, _ goOn: DeviceThread.GoOn
    ) {
        events(.started)
        do throws(DeviceError) {
            while goOn() { try loop.turn(goOn) }
            loop.finish()
            events(.stopped)
        } catch {
            events(.lost(error))
        }
    }

    /// Runs `body` on a new thread. False if one is running.
    private func run(_ body: @escaping @Sendable (GoOn) -> Void) -> Bool {
        let run = Run()
        let isFirst = current.withLock { current in
            guard current == nil else { return false }
            current = run
            return true
        }
        guard isFirst else { return false }
        let thread = Thread { [weak self] in
            Thread.current.threadDictionary[DeviceThread.key] = ObjectIdentifier(run)
            body { !run.stopping.load(ordering: .acquiring) }
            self?.forget(run)
            run.ended.signal()
        }
        thread.name = label
        thread.qualityOfService = .userInteractive
        thread.start()
        return true
    }

    /// As `AudioDevice.stop`: waits for `patience` at most. A thread that hangs longer is abandoned.
    @discardableResult func stop() -> Bool {
        guard let run = current.withLock({ $0 }) else { return true }
        run.stopping.store(true, ordering: .releasing)
        if Thread.current.threadDictionary[DeviceThread.key] as? ObjectIdentifier == ObjectIdentifier(run) {
            return false
        }
        guard run.ended.wait(timeout: .now() + DeviceThread.patience) == .success else {
            forget(run)
            return false
        }
        // Another thread that waits is let through as well.
        run.ended.signal()
        return true
    }

    /// Lets the thread end by itself: it may hang in a call that never returns.
    private func abandon() {
        current.withLock { run in
            run?.stopping.store(true, ordering: .releasing)
            run = nil
        }
    }

    private func forget(_ run: Run) {
        current.withLock { if $0 === run { $0 = nil } }
    }

    private static let key = "ossicle.device.run"
}

import Foundation
import OssicleMessages
import Synchronization

/// The thread of a device: one at a time, started, told to stop, and waited for.
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

    init(label: String) { self.label = label }

    /// Asks whether the thread is to go on.
    typealias GoOn = @Sendable () -> Bool

    /// Runs `body` on a new thread. False if one is running.
    func start(_ body: @escaping @Sendable (GoOn) -> Void) -> Bool {
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

    /// Tells the thread to end and waits until it has, for `patience` at most: a thread that hangs longer is abandoned.
    /// Does not wait when called on the thread itself.
    /// - Returns: whether the thread has ended.
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
        // Whoever else waits is let through as well.
        run.ended.signal()
        return true
    }

    /// Tells the thread to end and forgets it: it may hang in a call that never returns.
    func abandon() {
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

/// Says once that sound goes nowhere, in one line: a program that plays to a silent clock looks as if it worked.
final class SilenceNotice: Sendable {
    /// For the whole process, however many engines it has.
    static let shared = SilenceNotice { StandardError.write($0) }

    private let isGiven = Atomic(false)
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    func give(_ error: DeviceError) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        write("Ossicle: no output device, a silent clock keeps time (\(error.reason)).\n")
    }
}

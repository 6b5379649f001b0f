import Dispatch

/// Waits for something that another thread does; the limit is for a test that fails.
final class DispatchGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    func wait() -> Bool { semaphore.wait(timeout: .now() + 20) == .success }
}

import Dispatch
import Synchronization

extension PulseDevice {
    /// Carries the outcome of a connection from the thread that waits for the server to the one that started it and must not.
    final class Opening: Sendable {
        private enum Outcome: Sendable {
            case pending, abandoned
            case done(DeviceError?)
        }

        private let outcome = Mutex(Outcome.pending)
        private let ready = DispatchSemaphore(value: 0)

        /// Device thread. False when nobody waits any more, and the connection is to be closed.
        func finish(_ error: DeviceError?) -> Bool {
            let isAwaited = outcome.withLock { outcome in
                guard case .pending = outcome else { return false }
                outcome = .done(error)
                return true
            }
            ready.signal()
            return isAwaited
        }

        /// Starting thread. What came out, or that nothing did within `seconds`.
        func result(within seconds: Double, device: String) -> DeviceError? {
            _ = ready.wait(timeout: .now() + seconds)
            return outcome.withLock { outcome in
                if case .done(let error) = outcome { return error }
                outcome = .abandoned
                return .noServer(device: device, detail: "no answer within \(seconds) s")
            }
        }
    }
}

import Dispatch
import Synchronization

/// Carries the outcome of talking to a server from the thread that waits for the server to the one that asked and must not wait for ever.
final class Handover<Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case pending, abandoned
        case done(Result<Value, DeviceError>)
    }

    private let outcome = Mutex(Outcome.pending)
    private let ready = DispatchSemaphore(value: 0)

    /// Talking thread. False when nobody waits any more, and the connection is to be closed.
    @discardableResult func finish(_ result: Result<Value, DeviceError>) -> Bool {
        let isAwaited = outcome.withLock { outcome in
            guard case .pending = outcome else { return false }
            outcome = .done(result)
            return true
        }
        ready.signal()
        return isAwaited
    }

    /// Asking thread. What came out; `DeviceError.noServer` when nothing did within `seconds`.
    func value(within seconds: Double, device: String) throws(DeviceError) -> Value {
        _ = ready.wait(timeout: .now() + seconds)
        let result = outcome.withLock { outcome in
            if case .done(let result) = outcome { return result }
            outcome = .abandoned
            return .failure(.noAnswer(device: device, seconds: seconds))
        }
        return try result.get()
    }
}

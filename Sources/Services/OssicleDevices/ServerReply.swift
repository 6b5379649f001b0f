import Dispatch
import Foundation
import Synchronization

/// Carries the outcome of talking to a server from the thread that waits for the server to the one that asked and must
/// not wait for ever.
final class ServerReply<Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case pending, abandoned
        case done(Result<Value, DeviceError>)
    }

    private let outcome = Mutex(Outcome.pending)
    private let ready = DispatchSemaphore(value: 0)

    /// Talking thread. False when no caller waits any more, and the connection is to be closed.
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

extension ServerReply {
    /// Asks on a thread of its own, which is left alone when it takes longer than `seconds`.
    static func wait(
        label: String, within seconds: Double, device: String,
        for ask: @escaping @Sendable () throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        let reply = ServerReply()
        let thread = Thread {
            do throws(DeviceError) {
                reply.finish(.success(try ask()))
            } catch {
                reply.finish(.failure(error))
            }
        }
        thread.name = label
        thread.start()
        return try reply.value(within: seconds, device: device)
    }
}

import Dispatch
import Foundation
import Synchronization

/// What a device does on its thread once it is connected.
protocol PulseWork: AnyObject {
    /// Called after every turn of the connection's main loop.
    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError)
    /// The last call, while the connection still stands.
    func finish()
}

/// The thread of whatever talks to a sound server for long: connects, opens, works until told to stop.
final class PulseThread: Sendable {
    let device: String
    private let server: String
    private let client: String
    private let thread: DeviceThread
    private let meters: DeviceMeters?

    /// - Parameter meters: of a device whose sound the thread carries, which is scheduled for that.
    init(label: String, device: String, server: String, client: String, meters: DeviceMeters? = nil) {
        (self.device, self.server, self.client, thread) = (device, server, client, DeviceThread(label: label))
        self.meters = meters
    }

    deinit { thread.stop() }

    /// Returns when the work is open; throws what was in the way within two seconds.
    func start(
        events: @escaping @Sendable (DeviceEvent) -> Void,
        open: @escaping @Sendable (PulseConnection) throws(DeviceError) -> any PulseWork
    ) throws {
        let opening = ServerReply<Void>()
        let (device, server, client, meters) = (device, server, client, meters)
        let isFirst = thread.start { goOn in
            do throws(DeviceError) {
                let connection = try PulseConnection(device: device, server: server, client: client)
                let work = try open(connection)
                meters?.set(scheduling: .obtain())
                defer { if meters != nil { DeviceScheduling.leave() } }
                guard opening.finish(.success(())) else { return }
                PulseThread.run(work, connection, events, goOn)
            } catch {
                opening.finish(.failure(error))
            }
        }
        guard isFirst else { throw DeviceError.alreadyRunning(device: device) }
        do {
            try opening.value(within: PulseConnection.patience, device: device)
        } catch {
            thread.abandon()
            throw error
        }
    }

    @discardableResult func stop() -> Bool { thread.stop() }

    private static func run(
        _ work: any PulseWork, _ connection: PulseConnection, _ events: @Sendable (DeviceEvent) -> Void,
        _ goOn: DeviceThread.GoOn
    ) {
        events(.started)
        do throws(DeviceError) {
            while goOn() {
                try work.turn(goOn)
                try connection.turn()
            }
            work.finish()
            events(.stopped)
        } catch {
            events(.lost(error))
        }
    }
}

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

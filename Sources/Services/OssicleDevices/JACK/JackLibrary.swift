import CJack
import Foundation
import Synchronization

/// The clients that this process has at libjack, and whether their server is gone.
///
/// When a client is opened after the end of a server, libjack (jackd2) frees whatever clients of that server are still
/// open, under the hands of their owners. So none is opened until the owners have closed theirs, which takes them
/// `JackClient.grace`.
///
/// A process that exits deactivates its clients first. Else a server that waits for its clients waits for dead ones, so
/// that the calls of the next program hang, and the library's threads run while the process is torn down.
final class JackLibrary: Sendable {
    static let shared = JackLibrary()
    /// Seconds that an exit waits for a server.
    private static let patience = 1.0

    private struct State {
        var clients = 0
        var serverHasEnded = false
        /// Addresses of clients that the server calls.
        var active: Set<UInt> = []
        var isLeaving = false
    }
    private let state = Mutex(State())

    /// Counts a client that is about to be opened; false where it must not be.
    func begin() -> Bool {
        state.withLock { state in
            if state.isLeaving || (state.serverHasEnded && state.clients > 0) { return false }
            state.serverHasEnded = false
            state.clients += 1
            return true
        }
    }

    /// A client was closed, or could not be opened.
    func end() { state.withLock { $0.clients -= 1 } }

    /// Lets the server call a client; false where it does not.
    func activate(_ client: OpaquePointer) -> Bool {
        JackLibrary.leavesAtExit
        let address = UInt(bitPattern: client)
        guard state.withLock({ !$0.isLeaving && $0.active.insert(address).inserted }) else { return false }
        if jack_activate(client) == 0 { return true }
        state.withLock { _ = $0.active.remove(address) }
        return false
    }

    /// Returns when the server calls a client no more. Behind the end of a server there is nothing to do.
    func deactivate(_ client: OpaquePointer) {
        let address = UInt(bitPattern: client)
        if state.withLock({ $0.active.remove(address) != nil }) { jack_deactivate(client) }
    }

    /// A client is about to be closed. False where it must not be, as the process exits.
    func forget(_ client: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: client)
        return state.withLock { state in
            if !state.isLeaving { state.active.remove(address) }
            return !state.isLeaving
        }
    }

    fileprivate func noteEnd() {
        state.withLock { state in
            state.serverHasEnded = true
            state.active = []
        }
    }

    /// What is registered behind the loading of libjack runs ahead of its destructors.
    private static let leavesAtExit: Void = { atexit { JackLibrary.shared.leave() } }()

    /// Other threads may still use the clients: they stay open. A halted server is not waited for.
    private func leave() {
        let clients = state.withLock { state in
            state.isLeaving = true
            return state.active
        }
        guard !clients.isEmpty else { return }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for address in clients { OpaquePointer(bitPattern: address).map(JackLibrary.shared.deactivate) }
            done.signal()
        }
        _ = done.wait(timeout: .now() + JackLibrary.patience)
    }
}

/// The end of one client's server, as a thread of libjack's reports it.
final class JackEnd: Sendable {
    private struct State {
        var hasCome = false
        var handler: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    func note() {
        JackLibrary.shared.noteEnd()
        let handler = state.withLock { state in
            state.hasCome = true
            return state.handler
        }
        handler?()
    }

    func set(_ handler: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.handler = handler
            return state.hasCome
        }
        if hasCome { handler() }
    }
}

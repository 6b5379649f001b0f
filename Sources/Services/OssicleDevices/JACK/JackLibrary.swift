import Synchronization

/// The clients that this process has at libjack, and whether their server is gone.
///
/// When a client is opened after the end of a server, libjack (jackd2) frees whatever clients of that server are still open,
/// under the hands of their owners. So none is opened until the owners have closed theirs, which takes them
/// `JackClient.grace`.
final class JackLibrary: Sendable {
    static let shared = JackLibrary()

    private struct State {
        var clients = 0
        var serverHasEnded = false
    }
    private let state = Mutex(State())

    /// Counts a client that is about to be opened; false where it must not be.
    func begin() -> Bool {
        state.withLock { state in
            if state.serverHasEnded && state.clients > 0 { return false }
            state.serverHasEnded = false
            state.clients += 1
            return true
        }
    }

    /// A client was closed, or could not be opened.
    func end() { state.withLock { $0.clients -= 1 } }

    fileprivate func noteEnd() { state.withLock { $0.serverHasEnded = true } }
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

import Synchronization

/// What went wrong in calls that cannot throw: the last error, and a handler for each. Any thread.
package final class ErrorLog: Sendable {
    private struct Content {
        package var last: (any Error)?
        var handler: (@Sendable (any Error) -> Void)?
    }

    private let content = Mutex(Content())
    private let putOff: @Sendable (_ report: @escaping () -> Void) -> Void

    /// - Parameter putOff: runs a report once the calling thread holds no lock that the client's handler might wait
    ///   for.
    package init(puttingOff putOff: @escaping @Sendable (_ report: @escaping () -> Void) -> Void = { $0() }) {
        self.putOff = putOff
    }

    package var last: (any Error)? {
        get { content.withLock { $0.last } }
        set { content.withLock { $0.last = newValue } }
    }

    package var handler: (@Sendable (any Error) -> Void)? {
        get { content.withLock { $0.handler } }
        set { content.withLock { $0.handler = newValue } }
    }

    /// Keeps the error, and gives it to the handler; without one it goes to standard error.
    package func record(_ error: any Error) {
        let handler = content.withLock { content in
            content.last = error
            return content.handler
        }
        putOff {
            if let handler { handler(error) } else { StandardError.write("Ossicle: \(error)\n") }
        }
    }

    /// Runs a call whose old spelling cannot throw.
    package func recording(_ body: () throws -> Void) {
        do { try body() } catch { record(error) }
    }
}

// Changes as a stream and as calls of a handler.

import Foundation

/// Sends changes to streams and to one handler. Any thread; the handler is called on the thread that made the change,
/// with none of Ossicle's locks held.
final class ChangeFeed<Change: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var streams: [Int: AsyncStream<Change>.Continuation] = [:]
    private var lastNumber = 0
    private var current: (@Sendable (Change) -> Void)?

    deinit { streams.values.forEach { $0.finish() } }

    /// Every change from now on.
    func stream() -> AsyncStream<Change> {
        AsyncStream { continuation in
            let number = lock.withLock {
                lastNumber += 1
                streams[lastNumber] = continuation
                return lastNumber
            }
            continuation.onTermination = { [weak self] _ in
                self?.lock.withLock { _ = self?.streams.removeValue(forKey: number) }
            }
        }
    }

    /// Streams that are being read.
    var streamCount: Int { lock.withLock { streams.count } }

    var handler: (@Sendable (Change) -> Void)? {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    func send(_ change: Change) {
        let (handler, all) = lock.withLock { (current, Array(streams.values)) }
        handler?(change)
        for stream in all { stream.yield(change) }
    }
}

import Dispatch
import Synchronization

/// A file that is read ahead of what plays it.
package protocol ReadAheadStream: AnyObject, Sendable {
    /// Whether frames should be read now. Does not wait for the disk.
    var needsFrames: Bool { get }
    /// Seconds that are there and have not been played. Does not wait for the disk.
    var secondsAhead: Double { get }
    /// Reads one chunk; may wait for the disk.
    func fillChunk()
}

/// Keeps the windows of file streams filled: the stream with the least sound ahead gets the next chunk.
///
/// At a device a queue of its own reads, and nothing waits for it: neither the audio thread nor a thread that holds the
/// engine's lock. A disk that hangs makes streams starve, once they have played what they have ahead, and nothing else.
package final class ReaderService<Stream: ReadAheadStream>: @unchecked Sendable {
    private struct State {
        var streams: [Stream] = []
        var isServing = false
    }

    private let state = Mutex(State())
    package let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    package var all: [Stream] { state.withLock(\.streams) }

    package func add(_ stream: Stream) { state.withLock { $0.streams.append(stream) } }

    package func remove(_ gone: [Stream]) {
        if gone.isEmpty { return }
        state.withLock { state in state.streams.removeAll { stream in gone.contains { $0 === stream } } }
    }

    package func removeAll() { state.withLock { $0.streams = [] } }

    /// Has what is needed read in the background, and returns at once.
    package func wake() {
        let isNeeded = state.withLock { state in
            guard !state.isServing, state.streams.contains(where: \.needsFrames) else { return false }
            state.isServing = true
            return true
        }
        if isNeeded { queue.async { [self] in serve() } }
    }

    private func serve() {
        while let stream = mostUrgent() { stream.fillChunk() }
    }

    private func mostUrgent() -> Stream? {
        state.withLock { state in
            let next = state.streams.filter(\.needsFrames).min { $0.secondsAhead < $1.secondsAhead }
            state.isServing = next != nil
            return next
        }
    }
}

import Dispatch
import Synchronization

/// Keeps the windows of all of an engine's file streams filled: whoever has the least sound ahead gets the next chunk.
///
/// At a device a queue of its own reads, and nobody waits for it: neither the audio thread nor whoever holds the
/// engine's lock. A disk that hangs makes streams starve, once they have played what they have ahead, and nothing else.
package final class StreamReaders: @unchecked Sendable {
    private struct State {
        var feeders: [StreamFeeder] = []
        var isServing = false
    }

    private let state = Mutex(State())
    package let queue = DispatchQueue(label: "ossicle.phase.readers", qos: .userInitiated)

    package var all: [StreamFeeder] { state.withLock(\.feeders) }

    func add(_ feeder: StreamFeeder) { state.withLock { $0.feeders.append(feeder) } }

    func remove(_ gone: [StreamFeeder]) {
        if gone.isEmpty { return }
        state.withLock { state in state.feeders.removeAll { feeder in gone.contains { $0 === feeder } } }
    }

    func removeAll() { state.withLock { $0.feeders = [] } }

    /// Reads what is needed next, on this thread: offline nothing may be late.
    func fillNow() {
        for feeder in all { feeder.fill() }
    }

    /// Has what is needed read in the background, and returns at once.
    func wake() {
        let isNeeded = state.withLock { state in
            guard !state.isServing, state.feeders.contains(where: \.needsFrames) else { return false }
            state.isServing = true
            return true
        }
        if isNeeded { queue.async { [self] in serve() } }
    }

    private func serve() {
        while let feeder = mostUrgent() { feeder.fillChunk() }
    }

    private func mostUrgent() -> StreamFeeder? {
        state.withLock { state in
            let next = state.feeders.filter(\.needsFrames).min { $0.secondsAhead < $1.secondsAhead }
            state.isServing = next != nil
            return next
        }
    }
}

import Foundation

/// Updates of one kind of sample: whether they run, how often they come, and where they go. Any thread.
final class SensorUpdates<Sample: CMLogItem>: @unchecked Sendable {
    typealias Handler = (Sample?, (any Error)?) -> Void

    private struct State {
        var interval = 0.0
        var isActive = false
        var queue: OperationQueue?
        var handler: Handler?
        /// Grows with every start and stop, so that a sample on its way to the queue does not outlive a stop.
        var session = 0
        /// Timestamps: the last sample's, and from which on the next is due.
        var last = -Double.infinity
        var due = -Double.infinity
    }

    private let lock = NSLock()
    private var state = State()

    var isActive: Bool { lock.withLock { state.isActive } }

    /// Seconds; what is negative or not finite counts as 0, which is every sample.
    var interval: TimeInterval {
        get { lock.withLock { state.interval } }
        set { lock.withLock { (state.interval, state.due) = (newValue.isFinite ? max(newValue, 0) : 0, -.infinity) } }
    }

    func start(_ queue: OperationQueue? = nil, _ handler: Handler? = nil) {
        lock.withLock {
            (state.isActive, state.queue, state.handler) = (true, queue, handler)
            (state.last, state.due) = (-.infinity, -.infinity)
            state.session += 1
        }
    }

    func stop() {
        lock.withLock {
            (state.isActive, state.queue, state.handler) = (false, nil, nil)
            state.session += 1
        }
    }

    func deliver(_ sample: Sample) {
        let route = lock.withLock { isDue(sample.timestamp) ? state.queue.map { ($0, state.session) } : nil }
        // A sample is immutable, which is what lets it go to the client's queue.
        nonisolated(unsafe) let sample = sample
        if let (queue, session) = route { queue.addOperation { self.call(sample, nil, session: session) } }
    }

    func deliver(_ error: any Error) {
        let route = lock.withLock { state.queue.map { ($0, state.session) } }
        if let (queue, session) = route { queue.addOperation { self.call(nil, error, session: session) } }
    }

    /// Under the lock. The interval is kept on the average: a sample that comes a little late does not put off those behind it.
    private func isDue(_ time: TimeInterval) -> Bool {
        if time < state.last { state.due = time }
        state.last = time
        guard time >= state.due else { return false }
        let next = state.due + state.interval
        state.due = next > time ? next : time + state.interval
        return true
    }

    private func call(_ sample: Sample?, _ error: (any Error)?, session: Int) {
        let handler = lock.withLock { state.session == session ? state.handler : nil }
        handler?(sample, error)
    }
}

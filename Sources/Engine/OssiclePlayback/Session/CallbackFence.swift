import Dispatch
import Foundation
import OssicleRender

/// The client's code of one engine that is due or runs: completion handlers and tap blocks, each on a queue of its own.
///
/// What a handler schedules has to be there when the next offline call begins, or the sound would depend on how soon a
/// thread had time for the handler. So an offline call waits for all that is due (`wait`), and what falls due while it
/// renders begins behind it (`hold`, `release`). A handler that does not return in time is passed over, and with it
/// what waits behind it on its queue, until it has returned.
package final class CallbackFence: @unchecked Sendable {
    /// One queue with something due.
    private struct Line {
        let queue: DispatchQueue
        /// What runs, or runs next.
        var name: String
        var due = 0
        /// Since when the first one runs or, before that, could run; in nanoseconds.
        var since: UInt64
        var isPassedOver = false
    }

    private struct Callback {
        let queue: DispatchQueue
        let name: String
        let body: @Sendable () -> Void
    }

    private let state = NSCondition()

    // Under the condition's lock.
    private var lines: [Line] = []
    /// Threads inside a callback.
    private var threads: Set<UInt> = []
    private var held: [Callback]?

    package init() {}

    // MARK: Callbacks

    /// Has `body` called on `queue`, behind what is due there. Never waits.
    /// - Parameter name: of the callback, for the message about one that hangs.
    package func run(_ name: String, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        state.withLock {
            let callback = Callback(queue: queue, name: name, body: body)
            if held == nil { dispatch(callback) } else { held?.append(callback) }
        }
    }

    private func dispatch(_ callback: Callback) {
        if let index = index(of: callback.queue) {
            lines[index].due += 1
        } else {
            lines.append(Line(queue: callback.queue, name: callback.name, due: 1, since: Self.now))
        }
        callback.queue.async { [self] in
            began(callback)
            callback.body()
            ended(callback)
        }
    }

    private func began(_ callback: Callback) {
        state.withLock {
            threads.insert(RenderGate.currentThread)
            guard let index = index(of: callback.queue) else { return }
            (lines[index].name, lines[index].since) = (callback.name, Self.now)
        }
    }

    private func ended(_ callback: Callback) {
        state.withLock {
            threads.remove(RenderGate.currentThread)
            if let index = index(of: callback.queue) {
                lines[index].due -= 1
                (lines[index].since, lines[index].isPassedOver) = (Self.now, false)
                if lines[index].due == 0 { lines.remove(at: index) }
            }
            state.broadcast()
        }
    }

    private func index(of queue: DispatchQueue) -> Int? { lines.firstIndex { $0.queue === queue } }

    // MARK: Render calls

    /// Waits until all that is due has returned or been passed over. Does not wait within a callback, which would wait
    /// for itself.
    /// - Parameter limit: seconds a callback may take from now on, or from when it could begin if that is later.
    /// - Returns: the names of those that were passed over, each once.
    package func wait(atMost limit: Double) -> [String] {
        state.lock()
        defer { state.unlock() }
        guard !threads.contains(RenderGate.currentThread) else { return [] }
        let start = Self.now
        var late: [String] = []
        while true {
            var shortest = Double.infinity
            for index in lines.indices where !lines[index].isPassedOver {
                let left = limit - Double(Self.now - max(lines[index].since, start)) * 1e-9
                if left > 0 {
                    shortest = min(shortest, left)
                } else {
                    lines[index].isPassedOver = true
                    late.append(lines[index].name)
                }
            }
            guard lines.contains(where: { !$0.isPassedOver }) else { return late }
            _ = state.wait(until: Date(timeIntervalSinceNow: min(shortest, 3600)))
        }
    }

    /// A render call begins: what falls due waits for `release`.
    package func hold() { state.withLock { held = [] } }

    /// The render call is over.
    package func release() {
        state.withLock {
            let callbacks = held ?? []
            held = nil
            for callback in callbacks { dispatch(callback) }
        }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

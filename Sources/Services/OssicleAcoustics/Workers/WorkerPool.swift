import Dispatch
import Foundation
import Synchronization

/// Shares independent pieces of work out over threads. What comes back does not depend on how many there are.
package struct WorkerPool: Sendable, Hashable {
    package let workers: Int

    /// - Parameter workers: 1…1024; nil for `OSSICLE_THREADS` of the environment, and all cores where that says nothing usable.
    package init(workers: Int? = nil) {
        let asked = workers ?? ProcessInfo.processInfo.environment["OSSICLE_THREADS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        self.workers = min(max(asked ?? ProcessInfo.processInfo.activeProcessorCount, 1), 1024)
    }

    package static let shared = WorkerPool()

    /// `[body(0), body(1), …]`; fewer than `fewest` are computed right here, because waking threads takes longer. The calls run in any order on any thread, so `body` must be a pure function of its index.
    package func map<Result: Sendable>(count: Int, fewest: Int = 2, _ body: @Sendable (Int) -> Result) -> [Result] {
        guard count >= fewest, count > 1, workers > 1 else { return (0..<max(count, 0)).map(body) }
        return Array(unsafeUninitializedCapacity: count) { slots, filled in
            let next = Atomic(0)
            // Every index is claimed by one thread, which alone writes its slot.
            nonisolated(unsafe) let base = slots.baseAddress
            DispatchQueue.concurrentPerform(iterations: min(workers, count)) { _ in
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < count else { return }
                    base?.advanced(by: index).initialize(to: body(index))
                }
            }
            filled = count
        }
    }
}

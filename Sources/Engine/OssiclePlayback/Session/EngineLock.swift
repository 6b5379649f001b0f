import Foundation
import OssicleRender
import Synchronization

/// A recursive lock that puts off to its outermost unlock what must not run under it. That is the client's code above
/// all: it may wait for another thread, and that thread for the lock.
package final class EngineLock: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Identity of the thread that holds the lock; 0 if none does.
    private let owner = Atomic<UInt>(0)
    // Under the lock.
    private var depth = 0
    private var deferred: [() -> Void] = []

    package init() {}

    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        enter()
        defer { unlock() }
        return try body()
    }

    /// As `locked`; nil, without `body`, where the lock is not free within so many seconds.
    package func locked<Result>(within seconds: Double, _ body: () throws -> Result) rethrows -> Result? {
        guard lock.lock(before: Date(timeIntervalSinceNow: seconds)) else { return nil }
        enter()
        defer { unlock() }
        return try body()
    }

    private func enter() {
        depth += 1
        owner.store(RenderGate.currentThread, ordering: .relaxed)
    }

    /// Runs `work` on the calling thread: at once or, if that holds the lock, behind its outermost unlock.
    package func afterwards(_ work: @escaping () -> Void) {
        guard owner.load(ordering: .relaxed) == RenderGate.currentThread else { return work() }
        deferred.append(work)
    }

    private func unlock() {
        depth -= 1
        guard depth == 0 else { return lock.unlock() }
        let work = deferred
        deferred = []
        owner.store(0, ordering: .relaxed)
        lock.unlock()
        for step in work { step() }
    }
}

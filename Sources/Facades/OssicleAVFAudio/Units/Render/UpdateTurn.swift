import Synchronization

/// Lets several threads, one of them a render thread, write the same parameters to the same renderer: one at a time, without waiting.
///
/// A thread that finds another at work only counts up; the other then repeats its update. The newest parameters always arrive.
final class UpdateTurn: Sendable {
    private let wanted = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    private let isBusy = Atomic(false)
    private let update: @Sendable () -> Void

    /// - Parameter update: reads the parameters and writes them to the renderer; without a lock and without memory.
    init(_ update: @escaping @Sendable () -> Void) { self.update = update }

    /// Any thread, the render thread included.
    func run() {
        wanted.add(1, ordering: .sequentiallyConsistent)
        finish()
    }

    /// Calls `body` while no update is under way; waits for the one that is. Not on a render thread.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        while !isBusy.compareExchange(expected: false, desired: true, ordering: .sequentiallyConsistent).exchanged { sched_yield() }
        defer {
            isBusy.store(false, ordering: .sequentiallyConsistent)
            finish()
        }
        return try body()
    }

    private func finish() {
        while wanted.load(ordering: .sequentiallyConsistent) != done.load(ordering: .sequentiallyConsistent) {
            guard isBusy.compareExchange(expected: false, desired: true, ordering: .sequentiallyConsistent).exchanged else { return }
            done.store(wanted.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
            update()
            isBusy.store(false, ordering: .sequentiallyConsistent)
        }
    }
}

/// A truth value that threads share.
final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isOn: Bool {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
    }
}

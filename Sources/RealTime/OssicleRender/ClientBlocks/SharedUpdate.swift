import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets several threads, one of them a render thread, write the same parameters to the same renderer: one at a time,
/// without waiting.
///
/// A thread that finds another at work only counts up; the other then repeats its update. The newest parameters always
/// arrive.
package final class UpdateTurn: Sendable {
    private let wanted = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    private let isBusy = Atomic(false)
    private let update: @Sendable () -> Void

    /// - Parameter update: reads the parameters and writes them to the renderer; takes no lock and no memory.
    package init(_ update: @escaping @Sendable () -> Void) { self.update = update }

    /// Any thread, the render thread included.
    package func run() {
        wanted.add(1, ordering: .sequentiallyConsistent)
        finish()
    }

    /// Calls `body` while no update is under way; waits for the one that is. Not on a render thread.
    package func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        while !isBusy.compareExchange(expected: false, desired: true, ordering: .sequentiallyConsistent).exchanged {
            sched_yield()
        }
        defer {
            isBusy.store(false, ordering: .sequentiallyConsistent)
            finish()
        }
        return try body()
    }

    private func finish() {
        while wanted.load(ordering: .sequentiallyConsistent) != done.load(ordering: .sequentiallyConsistent) {
            guard isBusy.compareExchange(expected: false, desired: true, ordering: .sequentiallyConsistent).exchanged
            else { return }
            done.store(wanted.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
            update()
            isBusy.store(false, ordering: .sequentiallyConsistent)
        }
    }
}

/// A truth value that threads share.
package final class SharedFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isOn: Bool {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
    }
}

/// An immutable value that the control side replaces and the render side reads, without a lock and without a copy.
///
/// A replaced value is freed when no call is reading: at the next change, or with this object.
package final class Published<Value>: @unchecked Sendable {
    private final class Box {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let lock = Mutex(())
    // Under the lock.
    private var boxes: [Box]
    private let current: Atomic<UnsafeRawPointer>
    private let readers = Atomic<Int>(0)

    package init(_ value: Value) {
        let box = Box(value)
        boxes = [box]
        current = Atomic(UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque()))
    }

    /// Any thread but the render thread.
    package func change(_ edit: (inout Value) -> Void) {
        lock.withLock { _ in
            guard var value = boxes.last?.value else { return }
            edit(&value)
            let box = Box(value)
            boxes.append(box)
            current.store(UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque()), ordering: .sequentiallyConsistent)
            if readers.load(ordering: .sequentiallyConsistent) == 0 { boxes.removeFirst(boxes.count - 1) }
        }
    }

    /// Render side.
    package func read<Result>(_ body: (borrowing Value) -> Result) -> Result {
        readers.add(1, ordering: .sequentiallyConsistent)
        defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
        return Unmanaged<Box>.fromOpaque(current.load(ordering: .sequentiallyConsistent))._withUnsafeGuaranteedRef {
            body($0.value)
        }
    }
}

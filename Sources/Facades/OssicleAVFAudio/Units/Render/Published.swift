import OssicleCore
import Synchronization

/// An immutable value that the control side replaces and the render side reads, without a lock and without a copy.
///
/// A value that was replaced goes when no call is reading: at the next change, or with this object.
final class Published<Value>: @unchecked Sendable {
    private final class Box {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let lock = NSLock()
    private var boxes: [Box]
    private let current: Atomic<UnsafeRawPointer>
    private let readers = Atomic<Int>(0)

    init(_ value: Value) {
        let box = Box(value)
        boxes = [box]
        current = Atomic(UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque()))
    }

    /// Any thread but the render thread.
    func change(_ edit: (inout Value) -> Void) {
        lock.withLock {
            guard var value = boxes.last?.value else { return }
            edit(&value)
            let box = Box(value)
            boxes.append(box)
            current.store(UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque()), ordering: .sequentiallyConsistent)
            if readers.load(ordering: .sequentiallyConsistent) == 0 { boxes.removeFirst(boxes.count - 1) }
        }
    }

    /// Render side.
    func read<Result>(_ body: (borrowing Value) -> Result) -> Result {
        readers.add(1, ordering: .sequentiallyConsistent)
        defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
        return Unmanaged<Box>.fromOpaque(current.load(ordering: .sequentiallyConsistent))._withUnsafeGuaranteedRef { body($0.value) }
    }
}

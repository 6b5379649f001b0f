// The objects behind the opaque references of the C interfaces.

/// References and the objects they stand for. A reference is a number, never an address: one that is stale or made up is found out
/// instead of followed. Any thread.
final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private let lock = NSLock()
    private var objects: [OpaquePointer: Object] = [:]

    /// A reference for `object`, which it keeps alive.
    func add(_ object: Object) -> OpaquePointer {
        let handle = OpaquePointer(Handle.next())
        lock.withLock { objects[handle] = object }
        return handle
    }

    /// The object of a reference; `nil` for one that was never given out or is gone.
    func object(of handle: OpaquePointer) -> Object? { lock.withLock { objects[handle] } }

    /// Makes a reference invalid and returns its object; `nil` where it was invalid already.
    @discardableResult
    func remove(_ handle: OpaquePointer) -> Object? { lock.withLock { objects.removeValue(forKey: handle) } }
}

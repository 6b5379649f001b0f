// The handles of objects behind C interfaces.

import Foundation
import Synchronization

/// References and the objects they stand for. A reference is a number, never an address: one that is stale or made up
/// is found out instead of followed. Any thread.
package final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private let lock = NSLock()
    private var objects: [OpaquePointer: Object] = [:]
    private var handles: [ObjectIdentifier: OpaquePointer] = [:]

    package init() {}

    /// A reference for `object`, which it keeps alive; the same one each time.
    package func add(_ object: Object) -> OpaquePointer {
        lock.withLock {
            if let known = handles[ObjectIdentifier(object)] { return known }
            let handle = OpaquePointer(Handle.next())
            (objects[handle], handles[ObjectIdentifier(object)]) = (object, handle)
            return handle
        }
    }

    /// The object of a reference; `nil` for one that was never given out or is gone.
    package func object(of handle: OpaquePointer) -> Object? { lock.withLock { objects[handle] } }

    /// The reference of an object, if it has one.
    package func handle(of object: Object) -> OpaquePointer? { lock.withLock { handles[ObjectIdentifier(object)] } }

    /// The first object that fits.
    package func first(where fits: (Object) -> Bool) -> Object? { lock.withLock { objects.values.first(where: fits) } }

    /// Makes a reference invalid and returns its object; `nil` where it was invalid already.
    @discardableResult
    package func remove(_ handle: OpaquePointer) -> Object? {
        lock.withLock {
            let object = objects.removeValue(forKey: handle)
            if let object { handles[ObjectIdentifier(object)] = nil }
            return object
        }
    }
}

/// Gives out addresses that are never followed. Each is given once in the life of the process, so that one whose object
/// is gone is recognised as such instead of leading to another object.
package enum Handle {
    private static let counter = Atomic<UInt>(0)

    /// A new handle. Any thread.
    package static func next() -> UnsafeMutableRawPointer {
        let number = counter.wrappingAdd(16, ordering: .relaxed).newValue
        return UnsafeMutableRawPointer(bitPattern: number) ?? next()
    }
}

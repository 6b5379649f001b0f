// Errors on their way into status codes, and the handles of objects behind C interfaces.

import OssicleConversion
import OssicleFiles
import OssicleProperties
import Synchronization

extension StatusError {
    /// Runs what concerns a file and gives its errors their status.
    static func file<Result>(_ body: () throws(AudioFileError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.status) }
    }

    /// Runs what concerns a converter and gives its errors their status.
    static func conversion<Result>(_ body: () throws(ConversionError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.status) }
    }
}

extension UInt32 {
    /// The nearest number there is; 0 for NaN.
    init(rounding value: Double) {
        self = value.isNaN ? 0 : UInt32(Swift.min(Swift.max(0, value.rounded()), Double(UInt32.max)))
    }
}

/// References and the objects they stand for. A reference is a number, never an address: one that is stale or made up
/// is found out instead of followed. Any thread.
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

/// Gives out addresses that are never followed. Each is given once in the life of the process, so that one whose object
/// is gone is recognised as such instead of leading to another object.
enum Handle {
    private static let counter = Atomic<UInt>(0)

    /// A new handle. Any thread.
    static func next() -> UnsafeMutableRawPointer {
        let number = counter.wrappingAdd(16, ordering: .relaxed).newValue
        return UnsafeMutableRawPointer(bitPattern: number) ?? next()
    }
}

// Values of properties between an object and the client's memory, and the status of a call, as C interfaces have them.

import Foundation

/// The value of a property on its way to the client.
package enum PropertyValue {
    /// A plain value or several.
    case bytes([UInt8])
    /// An object, which the client has to release.
    case object(NSObject)

    /// A plain value, without the padding behind it.
    package static func of<Value>(_ value: Value) -> PropertyValue { .bytes(withUnsafeBytes(of: value) { Array($0) }) }

    /// Plain values, one behind the other as in a C array.
    package static func list<Value>(_ values: [Value]) -> PropertyValue {
        .bytes(values.withUnsafeBytes { Array($0) })
    }

    /// Text, as an object.
    package static func text(_ text: String) -> PropertyValue { .object(NSString(string: text)) }

    /// Size in the client's memory.
    package var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .object: MemoryLayout<UnsafeRawPointer>.size
        }
    }

    /// Writes the value to `memory`, which has room for `size` bytes, and sets `size` to what it wrote. Without enough
    /// room nothing is written and `badSize` is the result.
    package func write(
        to memory: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>, badSize: Int32
    ) throws(StatusError) {
        guard Int(size.pointee) >= self.size else { throw StatusError(badSize) }
        switch self {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
            }
        case .object(let object):
            memory.storeBytes(of: Unmanaged.passRetained(object).toOpaque(), as: UnsafeMutableRawPointer.self)
        }
        size.pointee = UInt32(clamping: self.size)
    }
}

/// What a client gives with a property: its new value, or the question that it answers.
package struct PropertyData {
    package let bytes: UnsafeRawBufferPointer
    /// The status of data of the wrong size.
    package let badSize: Int32

    package init(_ memory: UnsafeRawPointer?, _ size: UInt32, badSize: Int32) {
        bytes = UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : Int(size))
        self.badSize = badSize
    }

    /// The plain value.
    package func value<Value>(_ type: Value.Type = Value.self) throws(StatusError) -> Value {
        guard bytes.count >= MemoryLayout<Value>.size else { throw StatusError(badSize) }
        return bytes.loadUnaligned(as: Value.self)
    }

    /// As many plain values as there are.
    package func list<Value>(_ type: Value.Type = Value.self) throws(StatusError) -> [Value] {
        guard bytes.count % MemoryLayout<Value>.stride == 0 else { throw StatusError(badSize) }
        return stride(from: 0, to: bytes.count, by: MemoryLayout<Value>.stride).map {
            bytes.loadUnaligned(fromByteOffset: $0, as: Value.self)
        }
    }

    /// A question that `answer` can be asked; an empty one when only the size of the answer matters.
    package func question<Value>(_ nothing: Value) throws(StatusError) -> Value {
        bytes.isEmpty ? nothing : try value()
    }
}

/// A status that is not success.
package struct StatusError: Error, Equatable {
    package let status: Int32

    package init(_ status: Int32) { self.status = status }
}

/// Runs `body`; its error becomes the result.
package func status(of body: () throws(StatusError) -> Void) -> Int32 {
    do {
        try body()
        return 0
    } catch {
        return error.status
    }
}

/// An element of a C array that C code knows as a pointer to memory, not as an object.
package protocol CArrayValue: AnyObject {
    /// Lives as long as the element does.
    var pointer: UnsafeRawPointer { get }
}

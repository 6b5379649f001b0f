// The small types that Apple's C headers define and Foundation on Linux lacks.

@_exported import Foundation
import OssicleProperties

/// A result code; 0 is success. See `OssicleError.describe(status:)` for its name and meaning.
public typealias OSStatus = Int32
/// Four characters in one number, the first in the most significant byte.
public typealias FourCharCode = UInt32
/// A four-character code that names a type.
public typealias OSType = FourCharCode
/// A truth value of the C interfaces.
public typealias DarwinBoolean = ObjCBool
/// A truth value of the C interfaces.
public typealias Boolean = DarwinBoolean
/// A result code of the host clock functions.
public typealias kern_return_t = Int32
/// The place a function writes its error to; `nil` when the caller does not ask.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
/// A string, in the C interfaces' spelling.
public typealias CFString = NSString
/// Bytes, in the C interfaces' spelling.
public typealias CFData = NSData
/// A location, in the C interfaces' spelling.
public typealias CFURL = NSURL
/// The events of a thread, in the C interfaces' spelling.
public typealias CFRunLoop = RunLoop

/// A dictionary, in the C interfaces' spelling.
public typealias CFDictionary = NSDictionary
/// An array, in the C interfaces' spelling.
public typealias CFArray = NSArray
/// A dictionary, array, string, number, date or bytes, in the C interfaces' spelling.
public typealias CFPropertyList = AnyObject

/// Success.
public let noErr: OSStatus = 0
/// Success, as the host clock functions spell it.
public let KERN_SUCCESS: kern_return_t = 0

/// Runs `body` and returns its result. Objects on Linux are released without pools, so there is nothing to drain.
@discardableResult
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}

/// Number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> Int { theArray.count }

/// The element at `idx`: an object, or where the array holds structures, a pointer to one. It lives as long as the
/// array does. `nil` for an index there is not.
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: Int) -> UnsafeRawPointer? {
    guard idx >= 0, idx < theArray.count else { return nil }
    let element = theArray.object(at: idx)
    if let value = element as? any CArrayValue { return value.pointer }
    return (element as? NSObject).map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}

/// Sets `count` bytes to `value`; does nothing without memory.
@_disfavoredOverload @inlinable @discardableResult
public func memset(_ memory: UnsafeMutableRawPointer?, _ value: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory, count > 0 else { return memory }
    memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: count)
    return memory
}

/// Copies `count` bytes; does nothing where either side has no memory.
@_disfavoredOverload @inlinable @discardableResult
public func memcpy(
    _ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
    guard let target, let source, count > 0 else { return target }
    target.copyMemory(from: source, byteCount: count)
    return target
}

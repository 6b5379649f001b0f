// The small types that Apple's C headers define and Foundation on Linux lacks.

@_exported import Foundation

/// A result code; 0 is success. See `describe(status:)` for its name and meaning.
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

/// A dictionary, in the C interfaces' spelling.
public typealias CFDictionary = NSDictionary
/// An array, in the C interfaces' spelling.
public typealias CFArray = NSArray

/// Success.
public let noErr: OSStatus = 0
/// Success, as the host clock functions spell it.
public let KERN_SUCCESS: kern_return_t = 0

/// Runs `body` and returns its result. Objects on Linux are released without pools, so there is nothing to drain.
@discardableResult
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}

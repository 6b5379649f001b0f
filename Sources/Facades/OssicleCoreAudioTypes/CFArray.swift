// Arrays in the C interfaces' spelling.

/// An element that C code knows as a pointer to memory, not as an object.
package protocol CArrayValue: AnyObject {
    /// Lives as long as the element does.
    var pointer: UnsafeRawPointer { get }
}

/// Number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> Int { theArray.count }

/// The element at `idx`: an object, or where the array holds structures, a pointer to one. It lives as long as the array does. `nil` for an
/// index there is not.
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: Int) -> UnsafeRawPointer? {
    guard idx >= 0, idx < theArray.count else { return nil }
    let element = theArray.object(at: idx)
    if let value = element as? any CArrayValue { return value.pointer }
    return (element as? NSObject).map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}

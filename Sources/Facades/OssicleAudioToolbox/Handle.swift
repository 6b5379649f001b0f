// Names that look like pointers, for the C interfaces.

import Synchronization

/// Gives out addresses that nobody follows. Each is given once in the life of the process, so that one whose object is gone is
/// recognised as such instead of leading to another object.
enum Handle {
    private static let counter = Atomic<UInt>(0)

    /// A new handle. Any thread.
    static func next() -> UnsafeMutableRawPointer {
        let number = counter.wrappingAdd(16, ordering: .relaxed).newValue
        return UnsafeMutableRawPointer(bitPattern: number) ?? next()
    }
}

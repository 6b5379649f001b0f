import Foundation

/// A budget of bytes. What a buffer takes from it is not given back.
open class MDLMeshBufferZoneDefault: NSObject, MDLMeshBufferZone {
    /// The size in bytes.
    public let capacity: Int
    /// What made the zone.
    public let allocator: any MDLMeshBufferAllocator
    private let lock = NSLock()
    private var left: Int

    init(capacity: Int, allocator: any MDLMeshBufferAllocator) {
        self.capacity = max(0, capacity)
        self.allocator = allocator
        left = self.capacity
    }

    /// Takes `length` bytes, if they are left.
    func take(_ length: Int) -> Bool {
        lock.withLock {
            guard length >= 0, length <= left else { return false }
            left -= length
            return true
        }
    }
}

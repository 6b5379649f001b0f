import Foundation

/// A buffer in ordinary memory, of at most 2 GiB.
open class MDLMeshBufferData: NSObject, MDLMeshBuffer {
    /// What the buffer holds.
    public let type: MDLMeshBufferType
    /// What made the buffer.
    public let allocator: any MDLMeshBufferAllocator
    private let storage: ByteStorage
    private let home: (any MDLMeshBufferZone)?

    /// `length` zero bytes. A negative length counts as zero.
    public convenience init(type: MDLMeshBufferType, length: Int) {
        self.init(type: type, length: length, zone: nil, allocator: MDLMeshBufferDataAllocator())
    }

    /// A copy of `data`; empty without.
    public convenience init(type: MDLMeshBufferType, data: Data?) {
        self.init(type: type, length: data?.count ?? 0)
        fill(data ?? Data(), offset: 0)
    }

    init(type: MDLMeshBufferType, length: Int, zone: (any MDLMeshBufferZone)?, allocator: any MDLMeshBufferAllocator) {
        self.type = type
        self.allocator = allocator
        storage = ByteStorage(count: length)
        home = zone
    }

    /// The size in bytes.
    open var length: Int { storage.count }

    /// A copy of all bytes.
    open var data: Data { Data(bytes: storage.bytes, count: storage.count) }

    /// Where the buffer was made; one of exactly its size if it was made alone.
    open var zone: any MDLMeshBufferZone { home ?? allocator.newZone(length) }

    /// Writes `data` from byte `offset` on. What lies outside of the buffer is left out.
    open func fill(_ data: Data, offset: Int) { storage.fill(data, offset: offset) }

    /// Access to the bytes themselves; they outlive the buffer for as long as the map is kept.
    @discardableResult
    open func map() -> MDLMeshBufferMap {
        MDLMeshBufferMap(bytes: storage.bytes) { [storage] in withExtendedLifetime(storage) {} }
    }

    /// A buffer of its own with the same bytes.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = MDLMeshBufferData(type: type, length: length, zone: nil, allocator: allocator)
        copy.fill(data, offset: 0)
        return copy
    }
}

/// Makes buffers in ordinary memory.
open class MDLMeshBufferDataAllocator: NSObject, MDLMeshBufferAllocator {
    /// An allocator; all are alike.
    public override init() {}

    @discardableResult
    open func newZone(_ capacity: Int) -> any MDLMeshBufferZone {
        MDLMeshBufferZoneDefault(capacity: capacity, allocator: self)
    }

    @discardableResult
    open func newZoneForBuffers(withSize sizes: [NSNumber], andType types: [NSNumber]) -> any MDLMeshBufferZone {
        let sum = sizes.reduce(0) { total, size in
            let (sum, overflow) = total.addingReportingOverflow(max(0, size.intValue))
            return overflow ? .max : sum
        }
        return newZone(sum)
    }

    @discardableResult
    open func newBuffer(_ length: Int, type: MDLMeshBufferType) -> any MDLMeshBuffer {
        MDLMeshBufferData(type: type, length: length, zone: nil, allocator: self)
    }

    @discardableResult
    open func newBuffer(with data: Data, type: MDLMeshBufferType) -> any MDLMeshBuffer {
        let buffer = newBuffer(data.count, type: type)
        buffer.fill(data, offset: 0)
        return buffer
    }

    @discardableResult
    open func newBuffer(
        from zone: (any MDLMeshBufferZone)?, length: Int, type: MDLMeshBufferType
    ) -> (any MDLMeshBuffer)? {
        let home = zone ?? newZone(length)
        let fits = (home as? MDLMeshBufferZoneDefault)?.take(length) ?? (length <= home.capacity)
        return fits ? MDLMeshBufferData(type: type, length: length, zone: home, allocator: self) : nil
    }

    @discardableResult
    open func newBuffer(
        from zone: (any MDLMeshBufferZone)?, data: Data, type: MDLMeshBufferType
    ) -> (any MDLMeshBuffer)? {
        let buffer = newBuffer(from: zone, length: data.count, type: type)
        buffer?.fill(data, offset: 0)
        return buffer
    }
}

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

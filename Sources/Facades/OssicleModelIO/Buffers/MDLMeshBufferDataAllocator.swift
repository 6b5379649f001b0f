import Foundation

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
    open func newBuffer(from zone: (any MDLMeshBufferZone)?, length: Int, type: MDLMeshBufferType) -> (any MDLMeshBuffer)? {
        let home = zone ?? newZone(length)
        let fits = (home as? MDLMeshBufferZoneDefault)?.take(length) ?? (length <= home.capacity)
        return fits ? MDLMeshBufferData(type: type, length: length, zone: home, allocator: self) : nil
    }

    @discardableResult
    open func newBuffer(from zone: (any MDLMeshBufferZone)?, data: Data, type: MDLMeshBufferType) -> (any MDLMeshBuffer)? {
        let buffer = newBuffer(from: zone, length: data.count, type: type)
        buffer?.fill(data, offset: 0)
        return buffer
    }
}

import Foundation

/// Bytes of vertices or indices.
public protocol MDLMeshBuffer: NSObjectProtocol, NSCopying {
    /// Writes `data` from byte `offset` on. What lies outside of the buffer is left out.
    func fill(_ data: Data, offset: Int)
    /// Access to the bytes for as long as the map is kept.
    func map() -> MDLMeshBufferMap
    /// The size in bytes.
    var length: Int { get }
    /// What made the buffer.
    var allocator: any MDLMeshBufferAllocator { get }
    /// Where the buffer was made.
    var zone: any MDLMeshBufferZone { get }
    /// What the buffer holds.
    var type: MDLMeshBufferType { get }
}

/// Room for several buffers.
public protocol MDLMeshBufferZone: NSObjectProtocol {
    /// The size in bytes.
    var capacity: Int { get }
    /// What made the zone.
    var allocator: any MDLMeshBufferAllocator { get }
}

/// Makes buffers and zones.
public protocol MDLMeshBufferAllocator: NSObjectProtocol {
    /// Room for `capacity` bytes.
    func newZone(_ capacity: Int) -> any MDLMeshBufferZone
    /// Room for buffers of the given sizes in bytes.
    func newZoneForBuffers(withSize sizes: [NSNumber], andType types: [NSNumber]) -> any MDLMeshBufferZone
    /// A buffer of `length` zero bytes.
    func newBuffer(_ length: Int, type: MDLMeshBufferType) -> any MDLMeshBuffer
    /// A buffer with a copy of `data`.
    func newBuffer(with data: Data, type: MDLMeshBufferType) -> any MDLMeshBuffer
    /// A buffer of `length` zero bytes; nil if the zone has no room for it. Without a zone, one is made.
    func newBuffer(from zone: (any MDLMeshBufferZone)?, length: Int, type: MDLMeshBufferType) -> (any MDLMeshBuffer)?
    /// A buffer with a copy of `data`; nil if the zone has no room for it. Without a zone, one is made.
    func newBuffer(from zone: (any MDLMeshBufferZone)?, data: Data, type: MDLMeshBufferType) -> (any MDLMeshBuffer)?
}

/// Zeroed memory at a fixed address, shared by a buffer and its maps.
final class ByteStorage {
    let bytes: UnsafeMutableRawPointer
    let count: Int

    /// `count` bytes, limited to what one buffer may hold; none if the system refuses.
    init(count: Int) {
        let wanted = min(max(count, 0), MeshLimits.bufferLength)
        if let memory = calloc(max(wanted, 1), 1) {
            (bytes, self.count) = (memory, wanted)
        } else {
            (bytes, self.count) = (.allocate(byteCount: 1, alignment: 1), 0)
        }
    }

    deinit { free(bytes) }

    func fill(_ data: Data, offset: Int) {
        guard offset >= 0, offset < count else { return }
        let room = UnsafeMutableRawBufferPointer(start: bytes + offset, count: count - offset)
        data.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(room.count))) }
    }
}

/// Access to the bytes of a buffer. They stay in place for as long as the map is kept.
open class MDLMeshBufferMap: NSObject {
    /// The first byte.
    public let bytes: UnsafeMutableRawPointer
    private let deallocator: (() -> Void)?

    /// Wraps memory of the client; `deallocator` is called when the map goes.
    public init(bytes: UnsafeMutableRawPointer, deallocator: (() -> Void)? = nil) {
        self.bytes = bytes
        self.deallocator = deallocator
    }

    deinit { deallocator?() }
}

/// What a buffer holds.
public enum MDLMeshBufferType: UInt, Sendable {
    /// Vertices' attributes.
    case vertex = 1
    /// Indices of corners.
    case index = 2
    /// Anything else.
    case custom = 3
}

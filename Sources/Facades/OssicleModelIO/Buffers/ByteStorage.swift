import Foundation

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

// Where bytes come from and go to.

/// Bytes that can be read anywhere: a file, memory, a client's callbacks. For one thread at a time.
package protocol ByteSource: AnyObject {
    /// What errors call it.
    var name: String { get }
    var byteCount: Int64 { get }
    /// Reads up to `memory.count` bytes from `offset` on; fewer only at the end.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int
}

/// Bytes that can be written anywhere: a file, a client's callbacks. For one thread at a time.
package protocol ByteSink: AnyObject {
    /// What errors call it.
    var name: String { get }
    /// Writes all of `bytes` from `offset` on; beyond the end the gap becomes zeros.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError)
    /// Gives the bytes back to whoever keeps them; the last call.
    func close() throws(AudioFileError)
}

/// Bytes in memory.
package final class MemoryBytes: ByteSource {
    package let name: String
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8], name: String = "memory") {
        self.bytes = bytes
        self.name = name
    }

    package var byteCount: Int64 { Int64(bytes.count) }

    package func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        guard let start = Int(exactly: offset), start >= 0, start < bytes.count else { return 0 }
        let count = min(memory.count, bytes.count - start)
        bytes.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        return count
    }
}

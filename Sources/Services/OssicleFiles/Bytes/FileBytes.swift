// Where bytes come from and go to.

import Foundation

/// Bytes that can be read anywhere: a file, memory, a client's callbacks. For one thread at a time.
package protocol ByteSource: AnyObject {
    /// What errors call it.
    var name: String { get }
    var byteCount: Int64 { get }
    /// Which file the bytes are, if they are all of one; sources of the same identity have the same bytes.
    var identity: FileIdentity? { get }
    /// Reads up to `memory.count` bytes from `offset` on; fewer only at the end.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int
}

extension ByteSource {
    package var identity: FileIdentity? { nil }
}

/// Bytes that can be written anywhere: a file, a client's callbacks. For one thread at a time.
package protocol ByteSink: AnyObject {
    /// What errors call it.
    var name: String { get }
    /// Writes all of `bytes` from `offset` on; beyond the end the gap becomes zeros.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError)
    /// Gives the bytes back to their owner; the last call.
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

extension [UInt8] {
    /// As `withUnsafeBytes`, with the error's type kept.
    func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(AudioFileError) -> Value
    ) throws(AudioFileError) -> Value {
        try withUnsafeBytes { bytes in Result { () throws(AudioFileError) in try body(bytes) } }.get()
    }

    /// As `withUnsafeMutableBytes`, with the error's type kept.
    mutating func withMutableBytes<Value>(
        _ body: (UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Value
    ) throws(AudioFileError) -> Value {
        try withUnsafeMutableBytes { bytes in Result { () throws(AudioFileError) in try body(bytes) } }.get()
    }
}

/// A file to read, open for as long as this object lives.
package final class FileBytes: ByteSource {
    package let name: String
    package let byteCount: Int64
    package let identity: FileIdentity?
    private let descriptor: Int32

    /// Opens the regular file at `path`.
    package init(path: String) throws(AudioFileError) {
        try SoundFile.checkReadable(path)
        descriptor = SoundFile.descriptor(path, O_RDONLY)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            if descriptor >= 0 { Foundation.close(descriptor) }
            throw AudioFileError(
                .notPermitted, path: path, found: FileBytes.reason(), rule: "A file to read must open.",
                cure: "Check the file and its folder.")
        }
        name = path
        byteCount = Int64(status.st_size)
        identity = FileIdentity(status)
    }

    deinit { Foundation.close(descriptor) }

    package func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        guard offset >= 0, let base = memory.baseAddress else { return 0 }
        var done = 0
        while done < memory.count {
            let (position, overflow) = offset.addingReportingOverflow(Int64(done))
            guard !overflow else { break }
            let count = pread(descriptor, base + done, memory.count - done, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw AudioFileError(
                    .damaged, path: name, found: "byte \(position) cannot be read: \(FileBytes.reason())",
                    rule: "The disk must give every byte.",
                    cure: "Check the disk, or copy the file.")
            }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}

/// A file to write, created or emptied. Every write goes to the system at once, so a process that ends leaves them
/// behind.
package final class FileSink: ByteSink {
    package let name: String
    private var descriptor: Int32

    package init(path: String) throws(AudioFileError) {
        try SoundFile.checkWritable(path)
        descriptor = SoundFile.descriptor(path, O_RDWR | O_CREAT | O_TRUNC)
        guard descriptor >= 0 else {
            throw AudioFileError(
                .writeFailed, path: path, found: FileBytes.reason(), rule: "The file must be creatable in its folder.",
                cure: "Check the folder's permissions.")
        }
        name = path
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset &+ Int64(done)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    package func close() throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        let result = Foundation.close(descriptor)
        descriptor = -1
        guard result == 0 else { throw failure() }
    }

    private func failure() -> AudioFileError {
        AudioFileError(
            .writeFailed, path: name, found: FileBytes.reason(), rule: "The disk must take every byte.",
            cure: "Free some space.")
    }
}

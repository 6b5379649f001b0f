// Bytes of servers: which are there, and where they are kept.

import Foundation

/// A file in the temporary folder that goes with this object, and with the process.
final class CacheFile: @unchecked Sendable {
    private let descriptor: Int32

    /// `nil` where none can be made; `errno` says why.
    init?() {
        var template = Array((NSTemporaryDirectory() + "ossicle-http-XXXXXX").utf8CString)
        let first = mkstemp(&template)
        guard first >= 0 else { return nil }
        defer { Foundation.close(first) }
        unlink(template)
        // Never as 0, 1 or 2, which are free in a program that closed its standard error.
        descriptor = fcntl(first, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { return nil }
    }

    deinit { Foundation.close(descriptor) }

    /// The file as the system names it while it is open.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// What keeps the bytes from being written; `nil` when they are.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> String? {
        guard let base = bytes.baseAddress else { return nil }
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset &+ Int64(done)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return Self.reason() }
            done += count
        }
        return nil
    }

    /// Reads what is there of `memory.count` bytes.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        guard let base = memory.baseAddress else { return 0 }
        var done = 0
        while done < memory.count {
            let count = pread(descriptor, base + done, memory.count - done, off_t(offset &+ Int64(done)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}

/// Ranges of bytes, in order and apart from each other.
struct ByteRanges: Equatable {
    private(set) var ranges: [Range<Int64>] = []

    /// Adds a range and joins what touches.
    mutating func insert(_ new: Range<Int64>) {
        guard !new.isEmpty else { return }
        var joined = new
        ranges.removeAll { old in
            guard old.lowerBound <= joined.upperBound, old.upperBound >= joined.lowerBound else { return false }
            joined = min(old.lowerBound, joined.lowerBound)..<max(old.upperBound, joined.upperBound)
            return true
        }
        ranges.insert(joined, at: ranges.firstIndex { $0.lowerBound > joined.lowerBound } ?? ranges.endIndex)
    }

    /// The first byte from `offset` on that is not there.
    func firstMissing(from offset: Int64) -> Int64 {
        ranges.first { $0.contains(offset) }?.upperBound ?? offset
    }

    /// Whether all of `range` is there.
    func contains(_ range: Range<Int64>) -> Bool { firstMissing(from: range.lowerBound) >= range.upperBound }

    /// Bytes that are there.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
}

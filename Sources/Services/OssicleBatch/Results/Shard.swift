import Foundation
import OssicleScenes

/// One of several parts that the rows of a manifest are dealt out to in turns: row k belongs to part k modulo their
/// number.
package struct Shard: Sendable, Hashable {
    package let index: Int
    package let count: Int

    package static let whole = Shard(unchecked: 0, of: 1)
    private static let counts = 1...1_000_000

    private init(unchecked index: Int, of count: Int) { (self.index, self.count) = (index, count) }

    /// “i/n”, i from 0 to n − 1; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], Shard.counts.contains(count),
            (0..<count).contains(index)
        else { return nil }
        self.init(unchecked: index, of: count)
    }

    /// Rows of this part, of `total`.
    func rowCount(of total: Int) -> Int { (total - index + count - 1) / count }

    /// The number in the manifest of the part's row.
    func row(_ position: Int) -> Int { index + position * count }

    /// “results-3-of-7.jsonl”; without numbers where there is one part.
    func name(_ stem: String, _ ending: String) -> String {
        count == 1 ? "\(stem).\(ending)" : "\(stem)-\(index)-of-\(count).\(ending)"
    }
}

/// The names in a folder of results that are not a row's.
enum ResultNames {
    static let results = "results", facts = "set", failures = "failures", archive = "rows"
    /// What is not finished begins with this.
    static let hidden = ".ossicle-batch-"

    /// Whether a file is one that a shard writes about itself.
    static func isOurs(_ name: String) -> Bool {
        [(results, ".jsonl"), (facts, ".json"), (failures, ".jsonl")].contains { stem, ending in
            name == stem + ending || (name.hasPrefix(stem + "-") && name.hasSuffix(ending) && name.contains("-of-"))
        } || name.hasPrefix(hidden)
    }
}

/// A file that is written with the system's calls, so that what was written is known to be on the disk.
final class AppendedFile {
    let path: String
    private(set) var size: Int
    private let descriptor: Int32

    /// Opens or makes the file, for this process alone.
    init(_ path: String) throws(BatchError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw AppendedFile.failure(path, "cannot be written") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BatchError(
                "“\(path)”", "is in use by another process", rule: "one works on a shard at a time",
                cure: "wait for it, or end it")
        }
        size = Int(lseek(descriptor, 0, SEEK_END))
    }

    deinit { close(descriptor) }

    /// Lets another have the file. By name, because threads that end, and processes that start, may hold the descriptor
    /// a moment longer.
    func unlock() { flock(descriptor, LOCK_UN) }

    func append(_ bytes: [UInt8]) throws(BatchError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(size + done))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw AppendedFile.failure(path, "could not be written") }
            done += written
        }
        size += done
    }

    func bytes(_ range: Range<Int>) -> [UInt8]? {
        var (bytes, done) = ([UInt8](repeating: 0, count: range.count), 0)
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress?.advanced(by: done), range.count - done, off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }

    func cut(to count: Int) throws(BatchError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw AppendedFile.failure(path, "could not be cut") }
        size = count
    }

    func synchronise() { fsync(descriptor) }

    /// Writes a file of its own and lets it reach the disk.
    static func write(_ bytes: [UInt8], to path: String) throws(BatchError) {
        unlink(path)
        let file = try AppendedFile(path)
        try file.append(bytes)
        file.synchronise()
    }

    static func move(_ path: String, to place: String) throws(BatchError) {
        guard rename(path, place) == 0 else { throw failure(place, "could not be put into its place") }
    }

    private static func failure(_ path: String, _ what: String) -> BatchError {
        BatchError(
            "“\(path)”", "\(what) (\(String(cString: strerror(errno))))", rule: "results need a folder with room",
            cure: "check permissions and free space")
    }
}

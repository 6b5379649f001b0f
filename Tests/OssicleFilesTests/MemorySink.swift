@testable import OssicleFiles

/// Bytes written to memory; refuses what would make them more than `limit`, as a full disk does.
final class MemorySink: ByteSink {
    let name = "memory"
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    func write(_ new: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        let start = Int(offset), end = start + new.count
        guard end <= limit else {
            throw AudioFileError(
                .writeFailed, path: name, found: "no space left", rule: "The memory must take every byte.",
                cure: "Free some space.")
        }
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]).copyMemory(from: new) }
    }

    func close() {}
}

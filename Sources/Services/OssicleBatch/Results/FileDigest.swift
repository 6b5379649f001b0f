import Foundation
import OssicleFiles

/// Digests of files, piece by piece.
enum FileDigest {
    private static let piece = 1 << 20

    static func hex(of bytes: Data) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0.bindMemory(to: UInt8.self)) }
        return hash.finish()
    }

    /// SHA-256 and size of what an open file holds from where it is on, `count` bytes at most.
    static func hex(of file: FileHandle, count: Int = .max) -> (digest: String, byteCount: Int) {
        var (hash, done) = (SHA256(), 0)
        while done < count {
            guard let data = try? file.read(upToCount: min(piece, count - done)), !data.isEmpty else { break }
            data.withUnsafeBytes { hash.update($0.bindMemory(to: UInt8.self)) }
            done += data.count
        }
        return (hash.finish(), done)
    }
}

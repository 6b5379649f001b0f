// A resource of a server, for a reader of sound files.

import Foundation
import OssicleCoreAudioTypes
import OssicleFiles
import Synchronization

/// One reader's view of a cache. For one thread at a time; `interrupt` from any.
final class HTTPBytes: ByteSource, @unchecked Sendable {
    let name: String
    let byteCount: Int64
    private let cache: HTTPCache
    private let isInterrupted: InterruptFlag

    /// Waits until the server has sent the length. Throws what keeps it from it.
    init(_ cache: HTTPCache, _ flag: InterruptFlag) throws {
        self.cache = cache
        isInterrupted = flag
        name = cache.url.absoluteString
        byteCount = try cache.total { flag.isSet }
    }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        let end = min(offset &+ Int64(memory.count), byteCount)
        guard offset >= 0, end > offset else { return 0 }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(end - offset)])
        do {
            return try cache.read(into: wanted, at: offset) { isInterrupted.isSet }
        } catch {
            throw AudioFileError(
                .damaged, path: name, found: "byte \(offset) does not come: \(error)",
                rule: "The server has to send every byte.", cure: "Look after network and server.")
        }
    }
}

/// Ends waits of a reader: once set, until it is cleared.
final class InterruptFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool {
        get { flag.load(ordering: .acquiring) }
        set { flag.store(newValue, ordering: .releasing) }
    }
}

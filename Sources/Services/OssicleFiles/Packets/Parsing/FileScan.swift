// What a look at a whole file found, for all that read it.

import Foundation
import OssicleCodecs
import Synchronization

/// Facts and packets of a file. Many readers of one file, as voices that play it, share one: a container without tables
/// is looked at once and not once for each.
final class FileScan: Sendable {
    let facts: ReaderFacts
    let index: PacketIndex
    private let key: Key?

    private struct Key: Hashable {
        let file: FileIdentity
        let hint: AudioContainer?
    }

    private struct Reference {
        weak var scan: FileScan?
        let identity: ObjectIdentifier

        init(_ scan: FileScan) { (self.scan, identity) = (scan, ObjectIdentifier(scan)) }
    }

    /// Those in use. While this is locked no scan is held for a moment only: if that were the last hold, the scan would
    /// end there and lock this again.
    private static let shared = Mutex<[Key: Reference]>([:])

    private init(_ facts: ReaderFacts, _ index: PacketIndex, _ key: Key?) {
        (self.facts, self.index, self.key) = (facts, index, key)
    }

    deinit {
        guard let key else { return }
        let own = ObjectIdentifier(self)
        Self.shared.withLock { shared in if shared[key]?.identity == own { shared[key] = nil } }
    }

    /// The scan of these bytes that another reader uses; `nil` where there is none.
    static func ofOpenFile(_ source: any ByteSource, hint: AudioContainer?) -> FileScan? {
        guard let file = source.identity else { return nil }
        return shared.withLock { $0[Key(file: file, hint: hint)]?.scan }
    }

    /// Keeps what `scanner` found, which has come to the end of the file, for those who read it from now on.
    static func keep(
        _ facts: ReaderFacts, _ scanner: FileScanner, of source: any ByteSource, hint: AudioContainer?
    ) -> FileScan {
        let key = source.identity.map { Key(file: $0, hint: hint) }
        let scan = FileScan(facts, scanner.found.index, key)
        if let key { shared.withLock { $0[key] = Reference(scan) } }
        return scan
    }
}

/// Tells a file as it is now from all others and from what it was before.
package struct FileIdentity: Hashable, Sendable {
    private let device, number, size: Int64
    private let modifiedSeconds, modifiedNanoseconds, changedSeconds, changedNanoseconds: Int64

    /// - Parameter now: seconds since 1970.
    /// - Returns: `nil` for a file written within the last second: clocks of file systems tick some hundred times a
    ///   second, and a file that is written again in the same tick would look unchanged.
    package init?(_ status: stat, now: Int = time(nil)) {
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        guard max(modified.tv_sec, changed.tv_sec) < now - 1 else { return nil }
        device = Int64(truncatingIfNeeded: status.st_dev)
        number = Int64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        (modifiedSeconds, modifiedNanoseconds) = (Int64(modified.tv_sec), Int64(modified.tv_nsec))
        (changedSeconds, changedNanoseconds) = (Int64(changed.tv_sec), Int64(changed.tv_nsec))
    }
}

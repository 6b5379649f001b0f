import OssicleCoreAudioTypes
import OssicleRender
import Synchronization

/// The taps of one node.
///
/// A list that was given out is never changed in place, even with a single owner again: ThreadSanitizer does not follow
/// reference counts.
final class NodeTaps: @unchecked Sendable {
    private let taps = Mutex<[Tap]>([])

    var all: [Tap] { taps.withLock { $0 } }

    func add(_ tap: Tap) { taps.withLock { $0 = $0 + [tap] } }

    func remove(_ isGone: (Tap) -> Bool) -> [Tap] {
        taps.withLock { taps in
            let gone = taps.filter(isGone)
            taps = taps.filter { !isGone($0) }
            return gone
        }
    }

    /// Hands over what has not filled a buffer.
    func flush() {
        for tap in all { tap.flush() }
    }
}

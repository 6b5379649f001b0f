import OssicleCoreAudioTypes
import OssicleRender
import Synchronization

/// The taps of one node.
final class NodeTaps: @unchecked Sendable {
    private let taps = Mutex<[Tap]>([])

    var all: [Tap] { taps.withLock { $0 } }

    func add(_ tap: Tap) { taps.withLock { $0.append(tap) } }

    func remove(_ isGone: (Tap) -> Bool) -> [Tap] {
        taps.withLock { taps in
            let gone = taps.filter(isGone)
            taps.removeAll(where: isGone)
            return gone
        }
    }

    /// Hands over what has not filled a buffer.
    func flush() {
        for tap in all { tap.flush() }
    }
}

import Foundation
import Synchronization

/// Whether the program may record, and whether it has muted what it records. Read before an input is opened.
package final class RecordAccess: Sendable {
    /// Of this program.
    package static let shared = RecordAccess(environment: ProcessInfo.processInfo.environment)

    /// Linux has no such permission: it is granted, unless the environment variable OSSICLE_DENY_RECORD_PERMISSION is
    /// 1. An input then has no format, gives silence, and a recorder refuses.
    package let isDenied: Bool
    private let muted = Atomic(false)

    package init(environment: [String: String]) {
        isDenied = environment["OSSICLE_DENY_RECORD_PERMISSION"] == "1"
    }

    /// Whether live input is silenced in the whole program. From any thread, the audio thread too.
    package var isMuted: Bool {
        get { muted.load(ordering: .relaxed) }
        set { muted.store(newValue, ordering: .relaxed) }
    }
}

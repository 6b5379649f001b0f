// What calls that cannot throw have to say.

import OssicleCoreAudioTypes
import OssicleMessages
import Synchronization

/// The last error of a player's calls, and a handler for each. Any thread.
final class PlayerErrors: Sendable {
    private struct Content {
        var last: OssicleError?
        var handler: (@Sendable (any Error) -> Void)?
    }

    static let isObservationEnabled = Atomic(false)
    private let content = Mutex(Content())

    var last: (any Error)? {
        get { content.withLock { $0.last } }
        set { content.withLock { $0.last = newValue as? OssicleError } }
    }

    var handler: (@Sendable (any Error) -> Void)? {
        get { content.withLock { $0.handler } }
        set { content.withLock { $0.handler = newValue } }
    }

    /// Keeps the error, and gives it to the handler; without one it goes to standard error.
    func record(_ error: OssicleError) {
        let handler = content.withLock { content in
            content.last = error
            return content.handler
        }
        if let handler { handler(error) } else { StandardError.write("Ossicle: \(error)\n") }
    }
}

/// What a client can get wrong about players.
enum PlayerFault {
    /// The domain of AVFoundation's errors.
    static let domain = "AVFoundationErrorDomain"
    private static let unknown = -11800

    static func error(_ value: String, _ rule: String, _ cure: String) -> OssicleError {
        OssicleError(domain: domain, code: unknown, object: "AVPlayer", value: value, rule: rule, cure: cure)
    }
}

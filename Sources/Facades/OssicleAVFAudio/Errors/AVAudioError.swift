// The errors of AVFAudio.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleMessages
import Synchronization

/// The domain of AVFAudio's errors.
let avfaudioErrorDomain = "com.apple.coreaudio.avfaudio"

extension OssicleError {
    /// An error of AVFAudio with the code `status`.
    static func avfaudio(
        _ status: OSStatus, _ object: String, value: String, rule: String, cure: String
    ) -> OssicleError {
        OssicleError(
            domain: avfaudioErrorDomain, code: Int(status), object: object, value: value, rule: rule, cure: cure)
    }

    /// A failure of a sound file, with the code Core Audio has for it.
    convenience init(_ error: AudioFileError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(Self.status(error)), object: "AVAudioFile \"\(error.path)\"",
            value: error.found,
            rule: error.rule, cure: error.cure)
    }

    /// As the C interface tells it, but that AVFAudio has a closed file be not there.
    private static func status(_ error: AudioFileError) -> OSStatus {
        error.kind == .closed ? kAudio_FileNotFoundError : error.status
    }
}

/// What went wrong in calls that cannot throw: the last error, and a handler for each.
final class ErrorLog: Sendable {
    private struct Content {
        var last: (any Error)?
        var handler: (@Sendable (any Error) -> Void)?
    }

    private let content = Mutex(Content())
    private let putOff: @Sendable (_ report: @escaping () -> Void) -> Void

    /// - Parameter putOff: runs a report once the calling thread holds no lock that the client's handler might wait
    ///   for.
    init(puttingOff putOff: @escaping @Sendable (_ report: @escaping () -> Void) -> Void = { $0() }) {
        self.putOff = putOff
    }

    var last: (any Error)? {
        get { content.withLock { $0.last } }
        set { content.withLock { $0.last = newValue } }
    }

    var handler: (@Sendable (any Error) -> Void)? {
        get { content.withLock { $0.handler } }
        set { content.withLock { $0.handler = newValue } }
    }

    /// Keeps the error, and gives it to the handler; without one it goes to standard error.
    func record(_ error: any Error) {
        let handler = content.withLock { content in
            content.last = error
            return content.handler
        }
        putOff {
            if let handler { handler(error) } else { StandardError.write("Ossicle: \(error)\n") }
        }
    }

    /// Runs a call whose old spelling cannot throw.
    func recording(_ body: () throws -> Void) {
        do { try body() } catch { record(error) }
    }
}

/// The error of what is declared and not there yet; `Documentation/Status.md` lists its callers.
func notImplemented(_ feature: String, _ consequence: String) -> OssicleError {
    .avfaudio(
        kAudio_UnimplementedError, feature, value: "asked for", rule: "This is not implemented in Ossicle yet.",
        cure: consequence)
}

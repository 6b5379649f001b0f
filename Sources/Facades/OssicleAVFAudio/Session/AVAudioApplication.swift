// What a program may do with sound, whatever its session.

import OssicleCoreAudioTypes
import OssiclePlayback
import Synchronization

/// Permission to record, and muting of what is recorded.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    private static let ofProgram = AVAudioApplication(RecordAccess.shared)

    private let access: RecordAccess
    private let muteHandler = Mutex<MuteHandler?>(nil)

    init(_ access: RecordAccess) { self.access = access }

    /// `@unchecked`: the client answers for what its handler captures.
    private struct MuteHandler: @unchecked Sendable {
        let call: (Bool) -> Bool
    }

    /// The program's.
    open class var shared: AVAudioApplication { ofProgram }

    // MARK: Permission

    /// Whether the program may record.
    public enum recordPermission: Int, Sendable {
        /// It has not been asked for; does not happen here.
        case undetermined = 0x756E_6474
        /// It may not record: inputs give silence.
        case denied = 0x6465_6E79
        /// It may record.
        case granted = 0x6772_6E74
    }

    /// Granted, unless the environment variable OSSICLE_DENY_RECORD_PERMISSION is 1: then an input has no format and
    /// gives silence, and a session of the category `.record` does not become active.
    open var recordPermission: AVAudioApplication.recordPermission { access.isDenied ? .denied : .granted }

    /// Answers at once, on the calling thread: there is no prompt.
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        response(shared.recordPermission == .granted)
    }

    /// Whether the program may record.
    open class func requestRecordPermission() async -> Bool { shared.recordPermission == .granted }

    /// Whether the program's sound may be mixed into the microphone of others.
    public enum MicrophoneInjectionPermission: Int, Sendable {
        /// Nothing can be mixed into others' microphones here.
        case serviceDisabled = 0x7372_6473
        /// It has not been asked for.
        case undetermined = 0x756E_6474
        /// The program may not mix its sound in.
        case denied = 0x6465_6E79
        /// The program may mix its sound in.
        case granted = 0x6772_6E74
    }

    /// `.serviceDisabled`: there is no such thing here.
    open var microphoneInjectionPermission: MicrophoneInjectionPermission { .serviceDisabled }

    /// Answers at once, on the calling thread.
    open class func requestMicrophoneInjectionPermission(
        completionHandler response: @escaping @Sendable (MicrophoneInjectionPermission) -> Void
    ) {
        response(shared.microphoneInjectionPermission)
    }

    /// Whether the program's sound may be mixed into the microphone of others.
    open class func requestMicrophoneInjectionPermission() async -> MicrophoneInjectionPermission {
        shared.microphoneInjectionPermission
    }

    // MARK: Muting

    /// Silences live input in the whole program, or lets it through. Asks the handler first, and posts
    /// `inputMuteStateChangeNotification` after; does neither for what is so already. Throws `unspecified` if the
    /// handler refuses.
    open func setInputMuted(_ muted: Bool) throws {
        guard access.isMuted != muted else { return }
        let handler = muteHandler.withLock { $0 }
        if let handler, !handler.call(muted) { throw SessionFault.refusedMute(muted) }
        access.isMuted = muted
        NotificationCenter.default.post(
            name: AVAudioApplication.inputMuteStateChangeNotification, object: self,
            userInfo: [AVAudioApplication.muteStateKey: muted])
    }

    /// Default false.
    open var isInputMuted: Bool { access.isMuted }

    /// Asked before the input is muted, or let through, on the thread of `setInputMuted`; false refuses. `nil` takes it
    /// away.
    open func setInputMuteStateChangeHandler(_ inputMuteHandler: ((Bool) -> Bool)?) throws {
        let handler = inputMuteHandler.map(MuteHandler.init)
        muteHandler.withLock { $0 = handler }
    }

    /// `isInputMuted` has changed; the new state in the user info. The object is the application.
    public static let inputMuteStateChangeNotification = NSNotification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification")
    /// `Bool`.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"
}

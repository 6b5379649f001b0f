// The session: what sound is to the program, and how it gets on with others.

import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// Says what sound is to the program, and whether it may be heard now; there is one.
///
/// Nothing here has to be used: engines and players open their devices with or without an active session. An active one
/// learns of interruptions, and pauses what is at a device when one begins. Calls may come from any thread. Notifications
/// are posted on the thread of the call that caused them, before it returns, and otherwise on one of Ossicle's own.
open class AVAudioSession: NSObject, @unchecked Sendable {
    private static let shared = AVAudioSession(SessionControl.ofProgram())

    let control: SessionControl

    init(_ control: SessionControl) {
        self.control = control
        super.init()
        control.begin(for: self)
    }

    /// The program's session.
    open class func sharedInstance() -> AVAudioSession { shared }

    // MARK: Category, mode, options, policy

    /// Every category; those that record only where there is an input.
    open var availableCategories: [Category] {
        let hasInput = isInputAvailable
        return SessionRules.categories.filter { hasInput || !SessionRules.records($0) }
    }

    /// As `setCategory(_:mode:policy:options:)`, without options; the mode stays where the category has it, else it is
    /// `.default`.
    open func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

    /// As `setCategory(_:mode:policy:options:)`; the mode stays where the category has it, else it is `.default`.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        let mode = SessionRules.modes(of: category).contains(self.mode) ? self.mode : .default
        try setCategory(category, mode: mode, options: options)
    }

    /// As `setCategory(_:mode:policy:options:)`, with the policy `.default`.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets all four at once, also of an active session. Options do not outlive the category they were set with.
    /// Throws `badParam` for what does not go together.
    open func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        try SessionRules.check(category, mode, policy: policy, options: options)
        control.locked {
            control.change {
                $0.category = category
                $0.mode = mode
                $0.policy = policy
                $0.options = SessionRules.completed(options)
            }
        }
    }

    /// Default `.soloAmbient`.
    open var category: Category { control.settingsNow.category }

    /// Those of the last `setCategory`; `.duckOthers` brings `.mixWithOthers` with it.
    open var categoryOptions: CategoryOptions { control.settingsNow.options }

    /// Default `.default`.
    open var routeSharingPolicy: RouteSharingPolicy { control.settingsNow.policy }

    /// Those of the category.
    open var availableModes: [Mode] { SessionRules.modes(of: category) }

    /// Throws `badParam` for a mode that the category, its options or the policy do not go with.
    open func setMode(_ mode: Mode) throws {
        try control.locked {
            let now = control.settings
            try SessionRules.check(now.category, mode, policy: now.policy, options: now.options)
            control.change { $0.mode = mode }
        }
    }

    /// Default `.default`.
    open var mode: Mode { control.settingsNow.mode }

    // MARK: Permission

    /// See `AVAudioApplication.recordPermission`.
    @available(*, deprecated, message: "Use AVAudioApplication.shared.recordPermission")
    open var recordPermission: RecordPermission { control.access.isDenied ? .denied : .granted }

    /// Answers at once, on the calling thread. See `AVAudioApplication.requestRecordPermission`.
    @available(*, deprecated, message: "Use AVAudioApplication.requestRecordPermission")
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(!control.access.isDenied) }

    // MARK: Activation

    /// Activates the session, or deactivates it; what is so already stays so.
    ///
    /// An active session with `.duckOthers` lowers other programs where there is a sound server. Deactivating pauses
    /// what is at a device, and does not throw for it. Throws `mediaServicesFailed` while the server is gone,
    /// `insufficientPriority` during a call, and `cannotStartRecording` for a category that only records, without
    /// permission.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        if active { try control.activate() } else { control.deactivate() }
    }

    /// Activates without keeping the caller waiting; the handler is called on a queue of Ossicle's own.
    open func activate(
        options: AVAudioSessionActivationOptions,
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        control.queue.async { [control] in
            do {
                try control.activate()
                handler(true, nil)
            } catch {
                handler(false, error)
            }
        }
    }

    /// Activates. True, or the error.
    @discardableResult
    open func activate(options: AVAudioSessionActivationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            activate(options: options) { isActive, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isActive) }
            }
        }
    }
}

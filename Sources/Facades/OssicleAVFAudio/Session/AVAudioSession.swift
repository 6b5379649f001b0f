// The session: what sound is to the program, and how it gets on with others.

import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// Says what sound is to the program, and whether it may be heard now; there is one.
///
/// Nothing here has to be used: engines and players open their devices with or without an active session. An active one
/// learns of interruptions, and pauses what is at a device when one begins. Calls may come from any thread.
/// Notifications are posted on the thread of the call that caused them, before it returns, and otherwise on one of
/// Ossicle's own.
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

    /// Whether the program may record.
    public enum RecordPermission: UInt, Sendable {
        /// It has not been asked for.
        case undetermined = 0x756E_6474
        /// It may not record: inputs give silence.
        case denied = 0x6465_6E79
        /// It may record.
        case granted = 0x6772_6E74
    }

    /// See `AVAudioApplication.recordPermission`.
    @available(*, deprecated, message: "Use AVAudioApplication.shared.recordPermission")
    open var recordPermission: RecordPermission { control.access.isDenied ? .denied : .granted }

    /// Answers at once, on the calling thread. See `AVAudioApplication.requestRecordPermission`.
    @available(*, deprecated, message: "Use AVAudioApplication.requestRecordPermission")
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(!control.access.isDenied) }

    // MARK: Activation

    /// What goes with an activation or deactivation.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others that were interrupted may go on. For deactivations.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// Activates the session, or deactivates it; what is so already stays so.
    ///
    /// An active session that does not mix interrupts those of other programs with Ossicle at the same sound server;
    /// deactivating with `.notifyOthersOnDeactivation` lets them resume. One with `.duckOthers` lowers other programs.
    /// Deactivating pauses what is at a device, and does not throw for it. Throws `mediaServicesFailed` while the
    /// server is gone, `insufficientPriority` during a call, and `cannotStartRecording` for a category that only
    /// records, without permission.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard !active else { return try control.activate() }
        control.deactivate(mayResume: options.contains(.notifyOthersOnDeactivation))
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

/// The sound of other programs, and of the system.
extension AVAudioSession {
    /// Whether another program plays.
    public var isOtherAudioPlaying: Bool { control.locked { control.activation.otherSound != .none } }

    /// Whether another program plays music, a film or a call, so that secondary sound should be silent.
    public var secondaryAudioShouldBeSilencedHint: Bool { control.locked { control.activation.otherSound == .primary } }

    /// How much a program that gives spoken prompts should say.
    public enum PromptStyle: UInt, Sendable {
        /// Nothing: somebody speaks on the telephone.
        case none = 0x6E6F_6E65
        /// As little as possible.
        case short = 0x7368_7274
        /// Everything.
        case normal = 0x6E72_6D6C
    }

    /// How much a program that gives spoken prompts should say: nothing during a call, little beside primary sound.
    public var promptStyle: PromptStyle {
        control.locked {
            if control.activation.isCalled { return .none }
            return control.activation.otherSound == .primary ? .short : .normal
        }
    }

    /// Kept: there are no haptics.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        control.keep { $0.allowsHapticsDuringRecording = inValue }
    }

    /// Default false.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool {
        control.settingsNow.habits.allowsHapticsDuringRecording
    }

    /// Kept: alerts do not interrupt here.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        control.keep { $0.prefersNoInterruptionsFromAlerts = inValue }
    }

    /// Default false.
    public var prefersNoInterruptionsFromSystemAlerts: Bool {
        control.settingsNow.habits.prefersNoInterruptionsFromAlerts
    }

    /// Whether a session of `.playback` that does not mix is interrupted when its device goes.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        control.keep { $0.prefersInterruptionOnRouteDisconnect = inValue }
    }

    /// Default true.
    public var prefersInterruptionOnRouteDisconnect: Bool {
        control.settingsNow.habits.prefersInterruptionOnRouteDisconnect
    }

    /// Kept: the output's channels are used in any case.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        control.keep { $0.supportsMultichannelContent = inValue }
    }

    /// Default false.
    public var supportsMultichannelContent: Bool { control.settingsNow.habits.supportsMultichannelContent }

    /// Kept: no sound is mixed into the microphone of others.
    public func setPreferredMicrophoneInjectionMode(_ inValue: MicrophoneInjectionMode) throws {
        control.keep { $0.injectionMode = inValue }
    }

    /// Default `.none`.
    public var preferredMicrophoneInjectionMode: MicrophoneInjectionMode { control.settingsNow.habits.injectionMode }

    /// False.
    public var isMicrophoneInjectionAvailable: Bool { false }
}

/// What goes with `activate(options:)`.
public struct AVAudioSessionActivationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// What goes with a deactivation.
public struct AVAudioSessionDeactivationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Others that were interrupted may go on.
    public static let notifyOthersOnDeactivation = AVAudioSessionDeactivationOptions(rawValue: 1)
}

// What a session posts.

import OssicleCoreAudioTypes

/// The object of every notification is the session.
extension AVAudioSession {
    /// An interruption began, or ended. Type, and then reason or options, in the user info.
    public static let interruptionNotification = name("InterruptionNotification")
    /// Sound takes another route. Reason and previous route in the user info.
    public static let routeChangeNotification = name("RouteChangeNotification")
    /// The sound server is gone.
    public static let mediaServicesWereLostNotification = name("MediaServicesWereLostNotification")
    /// The sound server is back: the session is inactive, and whatever plays is to be made anew.
    public static let mediaServicesWereResetNotification = name("MediaServicesWereResetNotification")
    /// Primary sound of others began, or ended. Type in the user info.
    public static let silenceSecondaryAudioHintNotification = name("SilenceSecondaryAudioHintNotification")
    /// Whether the output plays spatial sound. Never posted: nothing here says so.
    public static let spatialPlaybackCapabilitiesChangedNotification = name(
        "SpatialPlaybackCapabilitiesChangedNotification")
    /// What the output makes of what is played. New mode in the user info.
    public static let renderingModeChangeNotification = name("RenderingModeChangeNotification")
    /// What the output could make of what is played.
    public static let renderingCapabilitiesChangeNotification = name("RenderingCapabilitiesChangeNotification")
    /// Never posted: no sound is mixed into the microphone of others here.
    public static let microphoneInjectionCapabilitiesChangeNotification = name(
        "MicrophoneInjectionCapabilitiesChangeNotification")
    /// Inputs came or went.
    public static let availableInputsChangeNotification = name("AvailableInputsChangeNotification")
    /// `isOutputMuted` has changed. The new state in the user info.
    public static let outputMuteStateChangeNotification = name("OutputMuteStateChangeNotification")
    /// The listener turned a muted output up.
    public static let userIntentToUnmuteOutputNotification = name("UserIntentToUnmuteOutputNotification")
    /// The session became active.
    public static let didBecomeActiveNotification = name("DidBecomeActiveNotification")
    /// The session became inactive. A `DeactivationContext` in the user info.
    public static let didBecomeInactiveNotification = name("DidBecomeInactiveNotification")
    /// `DeactivationContext`.
    public static let deactivationContextKey = "AVAudioSessionDeactivationContextKey"

    private static func name(_ end: String) -> NSNotification.Name { NSNotification.Name("AVAudioSession" + end) }

    /// Why sound takes another route.
    public enum RouteChangeReason: UInt, Sendable {
        /// The reason is not known.
        case unknown = 0
        /// A device came.
        case newDeviceAvailable = 1
        /// A device went: by convention what plays is paused.
        case oldDeviceUnavailable = 2
        /// The session has another category, mode or options.
        case categoryChange = 3
        /// The program, or its user, chose another.
        case override = 4
        /// The machine was asleep.
        case wakeFromSleep = 6
        /// No device serves the category.
        case noSuitableRouteForCategory = 7
        /// The same devices, in another form.
        case routeConfigurationChange = 8
    }

    /// Which end of an interruption.
    public enum InterruptionType: UInt, Sendable {
        /// It is over. The program decides whether to play on.
        case ended = 0
        /// Whatever played to a device has been paused.
        case began = 1
    }

    /// What to do at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Go on with what was played.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// Why an interruption began.
    public enum InterruptionReason: UInt, Sendable {
        /// Other sound.
        case `default` = 0
        /// Not here.
        @available(*, deprecated, message: "Never given")
        case appWasSuspended = 1
        /// The microphone was switched off, as by the lid of a computer.
        case builtInMicMuted = 2
        /// Not here.
        case sceneWasBackgrounded = 3
        /// The device on the route went away.
        case routeDisconnected = 4
    }

    /// Which end of the primary sound of others.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// Others' primary sound is over: secondary sound may be heard again.
        case end = 0
        /// Others' primary sound begins: secondary sound is to be silent.
        case begin = 1
    }

    /// Who deactivated a session.
    public enum DeactivationSource: Int, Sendable {
        /// The program called `setActive(false)`.
        case app = 1
        /// The system took it away, in an interruption.
        case system = 2
    }

    /// What is known of an interruption.
    public final class InterruptionContext: NSObject, Sendable {
        /// Why it was interrupted.
        public let reason: InterruptionReason

        init(reason: InterruptionReason) { self.reason = reason }
    }

    /// Why a session became inactive.
    public final class DeactivationContext: NSObject, Sendable {
        /// Who made it inactive: the program, or the system.
        public let source: DeactivationSource
        /// `nil` where the program deactivated its session.
        public let interruptionContext: InterruptionContext?

        init(interruption: InterruptionReason?) {
            source = interruption == nil ? .app : .system
            interruptionContext = interruption.map(InterruptionContext.init)
        }
    }

    /// Why a session became inactive, as one value.
    public enum DeactivationResult: Sendable {
        /// The program called `setActive(false)`.
        case appDeactivated
        /// The system took it away; what is known of the interruption.
        case systemInterruption(InterruptionContext)
    }

    /// `didBecomeActiveNotification`, as a message.
    public struct DidBecomeActiveMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = AVAudioSession

        /// The notification's name.
        public static var name: Notification.Name { AVAudioSession.didBecomeActiveNotification }

        /// The message to post.
        public init() {}

        /// The message of a notification of that name.
        public static func makeMessage(_ notification: Notification) -> DidBecomeActiveMessage? { .init() }

        /// The notification of a message.
        public static func makeNotification(_ message: DidBecomeActiveMessage) -> Notification {
            Notification(name: name)
        }
    }

    /// `didBecomeInactiveNotification`, as a message.
    public struct DidBecomeInactiveMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = AVAudioSession

        /// The notification's name.
        public static var name: Notification.Name { AVAudioSession.didBecomeInactiveNotification }

        /// Why the session became inactive.
        public let deactivationResult: DeactivationResult

        /// The message to post.
        public init(deactivationResult: DeactivationResult) { self.deactivationResult = deactivationResult }

        /// The message of a notification; `nil` for one without its context.
        public static func makeMessage(_ notification: Notification) -> DidBecomeInactiveMessage? {
            guard let context = notification.userInfo?[deactivationContextKey] as? DeactivationContext else {
                return nil
            }
            return DidBecomeInactiveMessage(
                deactivationResult: context.interruptionContext.map(DeactivationResult.systemInterruption)
                    ?? .appDeactivated)
        }

        /// The notification of a message, with its context.
        public static func makeNotification(_ message: DidBecomeInactiveMessage) -> Notification {
            let context =
                switch message.deactivationResult {
                case .appDeactivated: DeactivationContext(interruption: nil)
                case .systemInterruption(let interruption): DeactivationContext(interruption: interruption.reason)
                }
            return Notification(name: name, userInfo: [deactivationContextKey: context])
        }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.DidBecomeActiveMessage> {
    /// A session became active.
    public static var didBecomeActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.DidBecomeInactiveMessage> {
    /// A session became inactive.
    public static var didBecomeInactive: Self { .init() }
}

/// `UInt`, a raw value of `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// `UInt`, a raw value of `AVAudioSession.InterruptionOptions`; where the interruption ended.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// `UInt`, a raw value of `AVAudioSession.InterruptionReason`; where the interruption began.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// `Bool`; never given.
@available(*, deprecated, message: "Use AVAudioSessionInterruptionReasonKey")
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// `UInt`, a raw value of `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// `UInt`, a raw value of `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
/// `Bool`.
public let AVAudioSessionSpatialAudioEnabledKey = "AVAudioSessionSpatialAudioEnabledKey"
/// `Int`, a raw value of `AVAudioSession.RenderingMode`.
public let AVAudioSessionRenderingModeNewRenderingModeKey = "AVAudioSessionRenderingModeNewRenderingModeKey"
/// `Bool`.
public let AVAudioSessionMicrophoneInjectionIsAvailableKey = "AVAudioSessionMicrophoneInjectionIsAvailableKey"
/// `Bool`.
public let AVAudioSessionMuteStateKey = "AVAudioSessionMuteStateKey"

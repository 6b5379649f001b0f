import Dispatch
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import Synchronization

/// Everything behind a session: settings, state, ports, and what is posted.
///
/// One lock guards it. Notifications are posted, and participants called, behind its outermost unlock.
final class SessionControl: @unchecked Sendable {
    /// What comes from other threads than the client's is posted here.
    let queue = DispatchQueue(label: "ossicle.session")
    let access: RecordAccess
    private let lock = EngineLock()
    let participants: SessionParticipants
    let surroundings: any SessionSurroundings
    private let openWith: @Sendable (DevicePreferences) -> Void
    private let weakSession = Mutex(WeakSession())

    // Under the lock.
    var settings = SessionSettings()
    var activation = SessionActivation()
    /// When the session last took the sound, or gave it back; nanoseconds of `HostClock`.
    private var heldSince: UInt64 = 0
    /// dB by which other programs are to be lowered, by who wants it.
    private var ducking: [ObjectIdentifier: Int] = [:]
    /// In place of the machine's.
    var simulatedPorts: SessionPorts?

    /// - Parameters:
    ///   - openWith: receives what devices are to be opened with, whenever that changes.
    init(
        surroundings: any SessionSurroundings, participants: SessionParticipants, access: RecordAccess,
        openWith: @escaping @Sendable (DevicePreferences) -> Void
    ) {
        self.surroundings = surroundings
        self.participants = participants
        self.access = access
        self.openWith = openWith
    }

    /// The session of the program, at the machine's sound server.
    static func ofProgram() -> SessionControl {
        SessionControl(surroundings: ServerSurroundings(), participants: .shared, access: .shared) {
            DevicePreferences.current = $0
        }
    }

    /// `@unchecked`: the mutex guards it.
    private struct WeakSession: @unchecked Sendable {
        weak var session: AVAudioSession?
    }

    private var session: AVAudioSession? { weakSession.withLock { $0.session } }

    func begin(for session: AVAudioSession) {
        weakSession.withLock { $0.session = session }
        let receive: @Sendable (SurroundingsEvent) -> Void = { [weak self] event in self?.receive(event) }
        surroundings.watch { [queue] event in queue.async { receive(event) } }
    }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result { try lock.locked(body) }

    var settingsNow: SessionSettings { locked { settings } }

    // MARK: Settings

    /// Changes category, mode, options or policy. Under the lock.
    func change(_ edit: (inout SessionSettings) -> Void) {
        let (previous, before) = (route, settings.category)
        edit(&settings)
        surroundings.adopt(role: settings.role)
        openWith(settings.devicePreferences)
        perform(activation.adopt(settings.intent))
        let isNewCategory = activation.phase == .active && settings.category != before
        if route != previous || isNewCategory { tellRoute(.categoryChange, previous) }
    }

    /// Changes what the route depends on. Under the lock.
    func changeRoute(_ reason: AVAudioSession.RouteChangeReason, _ edit: () -> Void) {
        let previous = route
        edit()
        openWith(settings.devicePreferences)
        if route != previous { tellRoute(reason, previous) }
    }

    func prefer(_ edit: (inout SessionPreferences) -> Void) {
        locked {
            edit(&settings.preferences)
            openWith(settings.devicePreferences)
        }
    }

    func keep(_ edit: (inout SessionHabits) -> Void) {
        locked {
            edit(&settings.habits)
            perform(activation.adopt(settings.intent))
        }
    }

    /// Under the lock.
    func require(_ category: AVAudioSession.Category, for deed: String) throws {
        guard settings.category == category else {
            throw SessionFault.needs(category, for: deed, not: settings.category)
        }
    }

    // MARK: Activation

    func activate() throws {
        try locked {
            if settings.records, !settings.plays, access.isDenied { throw SessionFault.recordingDenied }
            let mode = renderingMode
            surroundings.adopt(role: settings.role)
            do throws(SessionActivation.Refusal) {
                perform(try activation.activate())
            } catch {
                throw error == .call ? SessionFault.called : SessionFault.servicesLost
            }
            tellRendering(since: mode)
        }
    }

    /// - Parameter mayResume: whether other programs that were interrupted should go on.
    func deactivate(mayResume: Bool) { move { $0.deactivate(mayResume: mayResume) } }

    /// Moves the state machine, and does what follows from that.
    /// - Returns: whether the session is interrupted now.
    @discardableResult
    func move(_ step: (inout SessionActivation) -> [SessionChange]) -> Bool {
        locked {
            let mode = renderingMode
            perform(step(&activation))
            tellRendering(since: mode)
            return activation.phase == .interrupted
        }
    }

    /// Under the lock.
    func perform(_ changes: [SessionChange]) {
        for change in changes {
            if case .hold = change { heldSince = HostClock.now }
            lock.afterwards { [self, heldSince] in carryOut(change, at: heldSince) }
        }
    }

    private func carryOut(_ change: SessionChange, at time: UInt64) {
        switch change {
        case .activated: post(AVAudioSession.didBecomeActiveNotification)
        case .deactivated(let claim):
            for participant in participants.all { participant.pauseForSession() }
            let context = AVAudioSession.DeactivationContext(interruption: claim.map(\.reason))
            post(AVAudioSession.didBecomeInactiveNotification, [AVAudioSession.deactivationContextKey: context])
        case .interrupted(let claim):
            post(
                AVAudioSession.interruptionNotification,
                [
                    AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue,
                    AVAudioSessionInterruptionReasonKey: claim.reason.rawValue,
                ])
        case .interruptionEnded(let mayResume):
            for participant in participants.all { participant.sessionInterruptionEnded(mayResume: mayResume) }
            let options: AVAudioSession.InterruptionOptions = mayResume ? .shouldResume : []
            post(
                AVAudioSession.interruptionNotification,
                [
                    AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.ended.rawValue,
                    AVAudioSessionInterruptionOptionKey: options.rawValue,
                ])
        case .silenceHint(let isOn):
            let type: AVAudioSession.SilenceSecondaryAudioHintType = isOn ? .begin : .end
            post(
                AVAudioSession.silenceSecondaryAudioHintNotification,
                [AVAudioSessionSilenceSecondaryAudioHintTypeKey: type.rawValue])
        case .duckOthers(let isDucked): duckOthers(by: isDucked ? 12 : 0, for: ObjectIdentifier(self))
        case .hold(let hold): surroundings.hold(hold, since: time)
        case .servicesLost: post(AVAudioSession.mediaServicesWereLostNotification)
        case .servicesReset: post(AVAudioSession.mediaServicesWereResetNotification)
        }
    }

    /// Lowers other programs by the most that anyone wants.
    /// - Parameters:
    ///   - decibels: 0 for who no longer wants it.
    ///   - owner: the session, or an engine or unit with voice processing.
    func duckOthers(by decibels: Int, for owner: ObjectIdentifier) {
        locked {
            ducking[owner] = decibels > 0 ? decibels : nil
            surroundings.duckOthers(by: ducking.values.max() ?? 0)
        }
    }

    // MARK: Surroundings

    /// What the sound server reports. Simulated ports stay.
    private func receive(_ event: SurroundingsEvent) {
        switch event {
        case .devices(let old, let new):
            locked {
                let (old, new) = (SessionPorts(old), SessionPorts(new))
                if simulatedPorts == nil { replace(old, by: new, nil) }
            }
        case .others(let roles): move { $0.note(roles) }
        case .rival(.exclusive, let since):
            // What was read before this session took the sound does not interrupt it.
            locked { if since > heldSince { move { $0.begin(.program) } } }
        case .rival(.released(let mayResume), _): move { $0.end(.program, mayResume: mayResume) }
        case .corking(let isCorked): move { isCorked ? $0.begin(.policy) : $0.end(.policy, mayResume: true) }
        case .serverLost: move { $0.loseServices() }
        case .serverBack: move { $0.resetServices() }
        }
    }

    // MARK: Telling

    /// Under the lock.
    func tellRoute(
        _ reason: AVAudioSession.RouteChangeReason, _ previous: AVAudioSessionRouteDescription
    ) {
        tell(
            AVAudioSession.routeChangeNotification,
            [
                AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                AVAudioSessionRouteChangePreviousRouteKey: previous,
            ])
    }

    /// Under the lock.
    func tellRendering(since mode: AVAudioSession.RenderingMode) {
        guard renderingMode != mode else { return }
        tell(
            AVAudioSession.renderingModeChangeNotification,
            [AVAudioSessionRenderingModeNewRenderingModeKey: renderingMode.rawValue])
    }

    /// Posts behind the outermost unlock.
    func tell(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        lock.afterwards { [self] in post(name, userInfo) }
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        guard let session else { return }
        NotificationCenter.default.post(name: name, object: session, userInfo: userInfo)
    }
}

extension SoundClaim {
    var reason: AVAudioSession.InterruptionReason {
        switch self {
        case .call, .program, .policy, .prompt: .default
        case .mutedMicrophone: .builtInMicMuted
        case .routeDisconnected: .routeDisconnected
        }
    }
}

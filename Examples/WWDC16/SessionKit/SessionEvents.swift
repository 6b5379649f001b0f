import AVFoundation

/// Reports to a program what its session's notifications say, in its own words.
///
/// Assign what is wanted before the session is activated. Everything is called on the thread that posts.
public final class SessionEvents: @unchecked Sendable {
    public let session: AVAudioSession
    public var interruptionBegan: () -> Void = {}
    public var interruptionEnded: (_ shouldResume: Bool) -> Void = { _ in }
    public var routeChanged:
        (_ reason: AVAudioSession.RouteChangeReason, _ previous: AVAudioSessionRouteDescription?) -> Void =
            { _, _ in }
    public var secondaryAudioShouldBeSilent: (_ isSilent: Bool) -> Void = { _ in }
    public var servicesWereReset: () -> Void = {}
    private var observers: [any NSObjectProtocol] = []

    public init(_ session: AVAudioSession = .sharedInstance()) {
        self.session = session
        observe(AVAudioSession.interruptionNotification) { $0.interruption($1) }
        observe(AVAudioSession.routeChangeNotification) { $0.route($1) }
        observe(AVAudioSession.silenceSecondaryAudioHintNotification) { $0.hint($1) }
        observe(AVAudioSession.mediaServicesWereResetNotification) { events, _ in events.servicesWereReset() }
    }

    deinit { observers.forEach(NotificationCenter.default.removeObserver) }

    private func observe(
        _ name: Notification.Name, _ handle: @escaping @Sendable (SessionEvents, Notification) -> Void
    ) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] note in
                if let self { handle(self, note) }
            })
    }

    private func interruption(_ note: Notification) {
        guard let number = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt else { return }
        switch AVAudioSession.InterruptionType(rawValue: number) {
        case .began: interruptionBegan()
        case .ended:
            let bits = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            interruptionEnded(AVAudioSession.InterruptionOptions(rawValue: bits).contains(.shouldResume))
        default: break
        }
    }

    private func route(_ note: Notification) {
        let number = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        guard let reason = number.flatMap(AVAudioSession.RouteChangeReason.init) else { return }
        routeChanged(
            reason,
            note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription)
    }

    private func hint(_ note: Notification) {
        let number = note.userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt
        secondaryAudioShouldBeSilent(number == AVAudioSession.SilenceSecondaryAudioHintType.begin.rawValue)
    }
}

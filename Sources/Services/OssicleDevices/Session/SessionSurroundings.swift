import Synchronization

/// What a session sees of the machine's devices and of other programs, and what it does to them.
package protocol SessionSurroundings: AnyObject, Sendable {
    /// The devices there are; empty without a server.
    var devices: DeviceList { get }
    /// Begins to report what changes; a second call replaces the first. On a thread of its own.
    func watch(_ report: @escaping @Sendable (SurroundingsEvent) -> Void)
    /// Lowers what other programs play by so many dB, or restores it for 0.
    func duckOthers(by decibels: Int)
    /// Silences what this program plays at devices, or lets it sound.
    func muteOutput(_ isMuted: Bool)
    /// What this program's own sound is for, from the next stream on.
    func adopt(role: StreamRole)
    /// Shows other programs what this program's session holds of the sound.
    /// - Parameter since: nanoseconds of `HostClock`.
    func hold(_ hold: SoundHold, since: UInt64)
}

/// What happens around a session.
package enum SurroundingsEvent: Sendable, Hashable {
    case devices(old: DeviceList, new: DeviceList)
    /// What other programs play now; corked and muted streams are left out.
    case others([StreamRole])
    /// Another program's session took the sound after this program's, or gave it back; since when, in nanoseconds of
    /// `HostClock`.
    case rival(SoundHold, since: UInt64)
    /// The server's policy wants this program's streams paused, or lets them go on.
    case corking(Bool)
    case serverLost
    case serverBack
}

/// What a stream is for: the values of the server's property `media.role`.
package enum StreamRole: String, Sendable, Hashable, CaseIterable {
    case music, video, game, event, phone, animation, production
    case accessibility = "a11y"
    case announcement = "announce"
    /// Of another name, or none.
    case unknown = ""

    private static let adopted = Mutex<StreamRole?>(nil)

    /// Of the streams this program opens from now on; nil for none. From any thread.
    package static var current: StreamRole? {
        get { adopted.withLock { $0 } }
        set { adopted.withLock { $0 = newValue } }
    }

    package init(name: String) {
        switch name.lowercased() {
        case "movie": self = .video
        case "communication": self = .phone
        case "notification": self = .event
        case let other: self = StreamRole(rawValue: other) ?? .unknown
        }
    }

    /// Effects and prompts, beside which anything may sound.
    package var isSecondary: Bool {
        switch self {
        case .game, .event, .animation, .accessibility, .announcement: true
        case .music, .video, .phone, .production, .unknown: false
        }
    }
}

import AVFoundation
import SessionKit

/// A list of tasks that chimes when one is done. The chime is welcome and not needed: it sounds beside what others
/// play, and is left out beside their music.
final class TaskList: @unchecked Sendable {
    private let events = SessionEvents()
    private let chime: Speaker
    private(set) var isQuiet = false

    init() throws {
        chime = try Speaker(frequency: 880)
        try events.session.setCategory(.ambient)
        isQuiet = events.session.secondaryAudioShouldBeSilencedHint
        events.secondaryAudioShouldBeSilent = { [unowned self] in isQuiet = $0 }
        try events.session.setActive(true)
    }

    /// - Returns: whether it chimes.
    func complete() throws -> Bool {
        guard !isQuiet else { return false }
        // An interruption has deactivated the session, and nothing was worth resuming at its end.
        try events.session.setActive(true)
        try chime.play()
        return chime.isPlaying
    }

    var isSounding: Bool { chime.isPlaying }
}

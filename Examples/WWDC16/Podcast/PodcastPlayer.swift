import AVFoundation
import SessionKit

/// Plays speech: instead of other sound, paused by prompts and calls, and by pulled headphones.
final class PodcastPlayer: @unchecked Sendable {
    enum Button { case play, pause }

    private let events = SessionEvents()
    private let voice: Speaker
    /// What the button shows: what a press would do.
    private(set) var button = Button.play
    private var wasPlaying = false

    init() throws {
        voice = try Speaker(frequency: 220)
        try events.session.setCategory(.playback, mode: .spokenAudio)
        events.interruptionBegan = { [unowned self] in
            // The engine is paused already: only the button has to follow.
            wasPlaying = button == .pause
            button = .play
        }
        events.interruptionEnded = { [unowned self] shouldResume in
            if shouldResume, wasPlaying { try? resume() }
        }
        events.routeChanged = { [unowned self] reason, _ in
            if reason == .oldDeviceUnavailable { pause() }
        }
        events.servicesWereReset = { [unowned self] in button = .play }
    }

    func play() throws {
        try events.session.setActive(true)
        try voice.play(.loops)
        button = .pause
    }

    func resume() throws {
        try events.session.setActive(true)
        try voice.resume()
        button = .pause
    }

    func pause() {
        voice.pause()
        wasPlaying = false
        button = .play
    }

    var isPlaying: Bool { voice.isPlaying }
}

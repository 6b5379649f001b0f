import AVFoundation
import SessionKit

/// Speaks a prompt now and then: music of others is lowered for as long as that takes, speech of others paused.
final class Navigator: @unchecked Sendable {
    private let events = SessionEvents()
    private let voice: Speaker
    /// Prompts that were cut short: a late turn is a wrong turn, so they are not spoken again.
    private(set) var dropped = 0
    private var isSpeaking = false

    init() throws {
        voice = try Speaker(frequency: 440)
        try events.session.setCategory(
            .playback, mode: .voicePrompt, options: [.interruptSpokenAudioAndMixWithOthers, .duckOthers])
        events.interruptionBegan = { [unowned self] in
            if isSpeaking { dropped += 1 }
            isSpeaking = false
        }
    }

    /// - Returns: how much it says; nothing during a call.
    func begin() throws -> AVAudioSession.PromptStyle {
        let style = events.session.promptStyle
        guard style != .none else { return style }
        try events.session.setActive(true)
        try voice.play(.interrupts)
        isSpeaking = true
        return style
    }

    /// The prompt is over: others may be as loud as before.
    func end() throws {
        isSpeaking = false
        voice.pause()
        try events.session.setActive(false, options: .notifyOthersOnDeactivation)
    }

    var isSounding: Bool { voice.isPlaying }
}

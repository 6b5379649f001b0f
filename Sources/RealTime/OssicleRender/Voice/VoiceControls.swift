import Synchronization

/// What a client asks of voice processing while it runs, and what that has noticed. Any thread.
package final class VoiceControls: Sendable {
    private let bypassed = Atomic(false)
    private let levelled = Atomic(true)
    private let muted = Atomic(false)
    private let talking = Atomic(false)
    private let playing = Atomic(false)
    private let turns = Atomic(0)

    package init() {}

    /// Whether the microphone's sound passes as it is, as late as what is processed.
    package var isBypassed: Bool {
        get { bypassed.load(ordering: .relaxed) }
        set { bypassed.store(newValue, ordering: .relaxed) }
    }

    /// Whether speech is brought to a level; true at first.
    package var controlsLevel: Bool {
        get { levelled.load(ordering: .relaxed) }
        set { levelled.store(newValue, ordering: .relaxed) }
    }

    /// Whether the output is silent. What comes in is processed all the same, so that speech is noticed.
    package var isMuted: Bool {
        get { muted.load(ordering: .relaxed) }
        set { muted.store(newValue, ordering: .relaxed) }
    }

    /// Whether somebody speaks at the microphone.
    package var isSpeech: Bool { talking.load(ordering: .relaxed) }
    /// Whether the loudspeaker plays.
    package var isFarActive: Bool { playing.load(ordering: .relaxed) }
    /// How often speech into a muted microphone has begun or ended; odd while it lasts.
    package var mutedSpeechTurns: Int { turns.load(ordering: .acquiring) }

    /// Back to the first settings; what was noticed stays, and so does muting.
    package func restoreDefaults() {
        isBypassed = false
        controlsLevel = true
    }

    /// Render side.
    func report(isSpeech: Bool, isFarActive: Bool, isMuted: Bool) {
        talking.store(isSpeech, ordering: .relaxed)
        playing.store(isFarActive, ordering: .relaxed)
        let count = turns.load(ordering: .relaxed)
        if (count & 1 == 1) != (isSpeech && isMuted) { turns.store(count + 1, ordering: .releasing) }
    }
}

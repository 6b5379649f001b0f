extension AVMIDIPlayer {
    /// Whether what the music sends to reverb and chorus is heard; an addition. True to begin with; any thread.
    public var rendersEffects: Bool {
        get { voice.rendersEffects }
        set { voice.rendersEffects = newValue }
    }
}

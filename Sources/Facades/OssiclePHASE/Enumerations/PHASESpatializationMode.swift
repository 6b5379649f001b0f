/// How the engine places sound for the listener's ears.
public enum PHASESpatializationMode: Int, Sendable {
    /// Binaural or channel based, whichever suits the output. The default.
    case automatic = 0
    /// Head-related filters, on headphones and on loudspeakers.
    case alwaysUseBinaural = 1
    /// Panning between the channels of the output layout.
    case alwaysUseChannelBased = 2
}

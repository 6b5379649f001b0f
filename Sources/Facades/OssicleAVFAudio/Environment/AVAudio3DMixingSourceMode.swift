/// What an environment takes the channels of a source to be.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
    /// Mono is a point, more channels are bypassed.
    case spatializeIfMono = 0
    /// Channels into channels: no place, distance, occlusion, obstruction or reverb.
    case bypass = 1
    /// All channels sound from the source's position.
    case pointSource = 2
    /// The channels surround the listener from far away and stay where they are in the world while the head turns.
    case ambienceBed = 3
}

/// What becomes of a point source that comes into the listener's head; for `.pointSource` with `.auto`.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
    /// Both ears hear it alike.
    case mono = 0
    /// Its channels go to the output's channels.
    case bypass = 1
}

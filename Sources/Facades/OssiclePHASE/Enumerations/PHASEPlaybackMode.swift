/// Whether a sampler plays its sound once or over and over.
public enum PHASEPlaybackMode: Int, Sendable {
    /// Once. The default.
    case oneShot = 0
    /// From the start again at each end, until stopped.
    case looping = 1
}

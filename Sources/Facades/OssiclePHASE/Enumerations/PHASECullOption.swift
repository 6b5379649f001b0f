/// What becomes of a sampler while it cannot be heard.
public enum PHASECullOption: Int, Sendable {
    /// It stops for good. The default.
    case terminate = 0
    /// It sleeps, and starts again from the beginning.
    case sleepWakeAtZero = 1
    /// It sleeps, and starts again at a random place.
    case sleepWakeAtRandomOffset = 2
    /// It sleeps, and goes on where it would be had it kept playing.
    case sleepWakeAtRealtimeOffset = 3
    /// It keeps being rendered.
    case doNotCull = 4
}

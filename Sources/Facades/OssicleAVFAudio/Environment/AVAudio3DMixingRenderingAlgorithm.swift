/// How an environment places a sound between outputs.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
    /// Panned between channels 1 and 2 at equal power. The cheapest.
    case equalPowerPanning = 0
    /// Delay and shadow of a spherical head; for headphones.
    case sphericalHead = 1
    /// A measured head; for headphones.
    case HRTF = 2
    /// All loudspeakers of the output, weighted for the direction.
    case soundField = 3
    /// Channels 1 and 2 as they are, without a place.
    case stereoPassThrough = 5
    /// A measured head with all there is of its filters; for headphones.
    case HRTFHQ = 6
    /// What suits the output: a measured head for headphones, else all loudspeakers.
    case auto = 7
}

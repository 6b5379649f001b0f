/// What an environment's two output channels are heard from.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
    /// Headphones at a device; loudspeakers in manual rendering, where nobody can tell.
    case auto = 0
    /// Headphones: directions are rendered for two ears.
    case headphones = 1
    /// Loudspeakers of a device.
    case builtInSpeakers = 2
    /// Loudspeakers of their own.
    case externalSpeakers = 3
}

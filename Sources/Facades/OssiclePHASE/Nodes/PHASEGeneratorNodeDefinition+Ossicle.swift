extension PHASEGeneratorNodeDefinition: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEGeneratorNodeDefinition {
    /// Who is heard where the engine's `maximumVoiceCount` does not let all be: the higher (an addition of Ossicle). Default 0; any number. Like all
    /// of a definition it is captured when the sound event is registered.
    public var priority: Int {
        get { voicePriority }
        set { voicePriority = newValue }
    }
}

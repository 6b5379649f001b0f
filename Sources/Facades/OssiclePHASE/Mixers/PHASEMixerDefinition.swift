import OssicleSoundEvents

/// A bus that generators play into.
open class PHASEMixerDefinition: PHASEDefinition {
    /// Linear. Default 1; clamped to 0…1.
    @Clamped(0...1) open var gain = 1
    /// What moves the gain while a sound event plays. Default nil.
    open var gainMetaParameterDefinition: PHASENumberMetaParameterDefinition?

    /// What is particular to this kind of mixer.
    func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind { .spatial(MixerBlueprint.Spatial()) }
}

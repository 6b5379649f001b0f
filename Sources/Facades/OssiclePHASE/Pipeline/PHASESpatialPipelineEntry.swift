import Foundation

/// How loud one part of a spatial pipeline is.
open class PHASESpatialPipelineEntry: NSObject {
    /// Linear. Default 1; clamped to 0…1. Captured at registration; the meta-parameter's value multiplies it.
    @Clamped(0...1) open var sendLevel = 1
    /// What moves the level while a sound event plays. Default nil.
    open var sendLevelMetaParameterDefinition: PHASENumberMetaParameterDefinition?

    public override init() { super.init() }
}

import OssicleSoundEvents

/// A mixer whose sound comes from a source and is heard by a listener.
open class PHASESpatialMixerDefinition: PHASEMixerDefinition {
    open private(set) var spatialPipeline: PHASESpatialPipeline
    /// Default nil: the level does not depend on the distance.
    open var distanceModelParameters: PHASEDistanceModelParameters?
    /// Default nil: the listener hears alike in all directions.
    open var listenerDirectivityModelParameters: PHASEDirectivityModelParameters?
    /// Default nil: the source sounds alike in all directions. For point sources only.
    open var sourceDirectivityModelParameters: PHASEDirectivityModelParameters?

    public init(spatialPipeline: PHASESpatialPipeline) {
        self.spatialPipeline = spatialPipeline
        super.init()
    }

    public convenience init(spatialPipeline: PHASESpatialPipeline, identifier: String) {
        self.init(spatialPipeline: spatialPipeline)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .spatial(MixerBlueprint.Spatial(
            direct: try capture.send(.directPathTransmission, of: spatialPipeline),
            earlyReflections: try capture.send(.earlyReflections, of: spatialPipeline),
            lateReverb: try capture.send(.lateReverb, of: spatialPipeline),
            distance: distanceModelParameters?.blueprint,
            sourceDirectivity: sourceDirectivityModelParameters?.blueprint,
            listenerDirectivity: listenerDirectivityModelParameters?.blueprint))
    }
}

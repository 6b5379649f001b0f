import Foundation
import OssicleAVFAudio
import OssicleCore
import OssicleCoreAudioTypes
import OssicleSIMD
import OssicleSoundEvents

/// A bus that generators play into.
open class PHASEMixerDefinition: PHASEDefinition {
    /// Linear. Default 1; clamped to 0…1.
    @Clamped(0...1) open var gain = 1
    /// What moves the gain while a sound event plays. Default nil.
    open var gainMetaParameterDefinition: PHASENumberMetaParameterDefinition?

    /// What is particular to this kind of mixer.
    func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .spatial(MixerBlueprint.Spatial())
    }
}

/// A mixer whose sound comes from a source and is heard by a listener.
open class PHASESpatialMixerDefinition: PHASEMixerDefinition {
    /// What it renders, and how loud each part.
    open private(set) var spatialPipeline: PHASESpatialPipeline
    /// Default nil: the level does not depend on the distance.
    open var distanceModelParameters: PHASEDistanceModelParameters?
    /// Default nil: the listener hears alike in all directions.
    open var listenerDirectivityModelParameters: PHASEDirectivityModelParameters?
    /// Default nil: the source sounds alike in all directions. For point sources only.
    open var sourceDirectivityModelParameters: PHASEDirectivityModelParameters?

    /// A mixer that renders the parts of a pipeline.
    public init(spatialPipeline: PHASESpatialPipeline) {
        self.spatialPipeline = spatialPipeline
        super.init()
    }

    /// With an identifier of your own, by which events and parameters name it.
    public convenience init(spatialPipeline: PHASESpatialPipeline, identifier: String) {
        self.init(spatialPipeline: spatialPipeline)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .spatial(
            MixerBlueprint.Spatial(
                direct: try capture.send(.directPathTransmission, of: spatialPipeline),
                earlyReflections: try capture.send(.earlyReflections, of: spatialPipeline),
                lateReverb: try capture.send(.lateReverb, of: spatialPipeline),
                distance: distanceModelParameters?.blueprint,
                sourceDirectivity: sourceDirectivityModelParameters?.blueprint,
                listenerDirectivity: listenerDirectivityModelParameters?.blueprint))
    }
}

/// A bed of channels around the listener that stays put in the world while the head turns.
open class PHASEAmbientMixerDefinition: PHASEMixerDefinition {
    /// Orientation of the bed in the world.
    open private(set) var orientation: simd_quatf
    /// Layout that what plays into it must have. Low-frequency channels are dropped.
    open private(set) var inputChannelLayout: AVAudioChannelLayout

    /// A bed of these channels, turned in the world.
    public init(channelLayout layout: AVAudioChannelLayout, orientation: simd_quatf) {
        (self.orientation, inputChannelLayout) = (orientation, layout)
        super.init()
    }

    /// With an identifier of your own, by which events and parameters name it.
    public convenience init(channelLayout layout: AVAudioChannelLayout, orientation: simd_quatf, identifier: String) {
        self.init(channelLayout: layout, orientation: orientation)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .ambient(MixerBlueprint.ChannelBed(inputChannelLayout), orientation: Pose(orientation: orientation))
    }
}

/// A mixer straight to the channels of the output. Needs neither source nor listener.
open class PHASEChannelMixerDefinition: PHASEMixerDefinition {
    /// Layout that what plays into it must have.
    open private(set) var inputChannelLayout: AVAudioChannelLayout

    /// A mixer of these channels.
    public init(channelLayout layout: AVAudioChannelLayout) {
        inputChannelLayout = layout
        super.init()
    }

    /// With an identifier of your own, by which events and parameters name it.
    public convenience init(channelLayout layout: AVAudioChannelLayout, identifier: String) {
        self.init(channelLayout: layout)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .channel(MixerBlueprint.ChannelBed(inputChannelLayout))
    }
}

extension MixerBlueprint.ChannelBed {
    init(_ layout: AVAudioChannelLayout) {
        self.init(layoutTag: layout.layoutTag, labels: layout.channelLabels)
    }
}

/// Who is the source and who the listener of a sound event's mixers.
open class PHASEMixerParameters: NSObject {
    /// What one mixer was given; an ambient mixer has no source.
    struct Placement {
        let source: PHASESource?
        let listener: PHASEListener
    }

    /// By identifier of the mixer's definition.
    private(set) var placements: [String: Placement] = [:]

    public override init() { super.init() }

    /// Between which source and which listener a spatial mixer plays. The last call for an identifier counts.
    ///
    /// - Parameters:
    ///   - identifier: the mixer definition's.
    ///   - source: where its sound comes from.
    ///   - listener: where it is heard.
    open func addSpatialMixerParameters(identifier: String, source: PHASESource, listener: PHASEListener) {
        placements[identifier] = Placement(source: source, listener: listener)
    }

    /// Which listener an ambient mixer surrounds. The last call for an identifier counts.
    ///
    /// - Parameters:
    ///   - identifier: the mixer definition's.
    ///   - listener: where it is heard.
    open func addAmbientMixerParameters(identifier: String, listener: PHASEListener) {
        placements[identifier] = Placement(source: nil, listener: listener)
    }
}

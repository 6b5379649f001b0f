import OssicleAVFAudio
import OssicleCore
import OssicleSIMD
import OssicleSoundEvents

/// A bed of channels around the listener that stays put in the world while the head turns.
open class PHASEAmbientMixerDefinition: PHASEMixerDefinition {
    /// Orientation of the bed in the world.
    open private(set) var orientation: simd_quatf
    /// Layout that what plays into it must have. Low-frequency channels are dropped.
    open private(set) var inputChannelLayout: AVAudioChannelLayout

    public init(channelLayout layout: AVAudioChannelLayout, orientation: simd_quatf) {
        (self.orientation, inputChannelLayout) = (orientation, layout)
        super.init()
    }

    public convenience init(channelLayout layout: AVAudioChannelLayout, orientation: simd_quatf, identifier: String) {
        self.init(channelLayout: layout, orientation: orientation)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .ambient(MixerBlueprint.ChannelBed(inputChannelLayout), orientation: Pose(orientation: orientation))
    }
}

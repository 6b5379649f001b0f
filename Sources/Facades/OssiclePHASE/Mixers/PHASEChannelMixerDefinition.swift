import OssicleAVFAudio
import OssicleSoundEvents

/// A mixer straight to the channels of the output. Needs neither source nor listener.
open class PHASEChannelMixerDefinition: PHASEMixerDefinition {
    /// Layout that what plays into it must have.
    open private(set) var inputChannelLayout: AVAudioChannelLayout

    public init(channelLayout layout: AVAudioChannelLayout) {
        inputChannelLayout = layout
        super.init()
    }

    public convenience init(channelLayout layout: AVAudioChannelLayout, identifier: String) {
        self.init(channelLayout: layout)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> MixerBlueprint.Kind {
        .channel(MixerBlueprint.ChannelBed(inputChannelLayout))
    }
}

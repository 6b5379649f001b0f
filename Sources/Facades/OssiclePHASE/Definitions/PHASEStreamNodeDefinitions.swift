import OssicleAVFAudio
import OssicleSoundEvents

/// A leaf that plays buffers scheduled while the sound event plays: see `PHASEPushStreamNode`.
open class PHASEPushStreamNodeDefinition: PHASEGeneratorNodeDefinition {
    /// Deinterleaved 32-bit floats, 8…384 kHz; a sound event asset with a stream in another format is refused
    /// (`.badParameters`).
    open private(set) var format: AVAudioFormat
    /// Brings the stream to the loudness of normalised sounds, −23 LUFS. As its frames are not known ahead, a slow
    /// automatic gain does: by 24 dB at the most and 6 dB a second, after the mean loudness of about ten seconds;
    /// silence leaves it where it is. Default false.
    open var normalize = false

    /// A stream of this format into a mixer.
    public init(mixerDefinition: PHASEMixerDefinition, format: AVAudioFormat) {
        self.format = format
        super.init(mixerDefinition: mixerDefinition)
    }

    /// With an identifier of your own, by which the event gives its stream node.
    public convenience init(mixerDefinition: PHASEMixerDefinition, format: AVAudioFormat, identifier: String) {
        self.init(mixerDefinition: mixerDefinition, format: format)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .stream(try capturedStream(.push, format, normalises: normalize, in: &capture))
    }
}

/// A leaf that asks a handler for its frames while the sound event plays: see `PHASEPullStreamNode`.
open class PHASEPullStreamNodeDefinition: PHASEGeneratorNodeDefinition {
    /// Deinterleaved 32-bit floats, 8…384 kHz; a sound event asset with a stream in another format is refused
    /// (`.badParameters`).
    open private(set) var format: AVAudioFormat
    /// Brings the stream to the loudness of normalised sounds, −23 LUFS. As its frames are not known ahead, a slow
    /// automatic gain does: by 24 dB at the most and 6 dB a second, after the mean loudness of about ten seconds;
    /// silence leaves it where it is. Default false.
    open var normalize = false

    /// A stream of this format into a mixer.
    public init(mixerDefinition: PHASEMixerDefinition, format: AVAudioFormat) {
        self.format = format
        super.init(mixerDefinition: mixerDefinition)
    }

    /// With an identifier of your own, by which the event gives its stream node.
    public convenience init(mixerDefinition: PHASEMixerDefinition, format: AVAudioFormat, identifier: String) {
        self.init(mixerDefinition: mixerDefinition, format: format)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .stream(try capturedStream(.pull, format, normalises: normalize, in: &capture))
    }
}

extension PHASEGeneratorNodeDefinition {
    /// - Throws: `PHASEAssetError.badParameters` for a format that streams cannot have.
    final func capturedStream(
        _ direction: StreamLeaf.Direction, _ format: AVAudioFormat, normalises: Bool,
        in capture: inout DefinitionCapture
    ) throws -> StreamLeaf {
        let isPlanar = !format.isInterleaved || format.channelCount == 1
        guard format.commonFormat == .pcmFormatFloat32, isPlanar, format.channelCount > 0,
            (8000...384_000).contains(format.sampleRate)
        else {
            throw DefinitionCapture.refusal(
                of: self, "its format is \(format)", rule: "Streams are deinterleaved 32-bit floats at 8000…384000 Hz.",
                cure:
                    "Make the format with AVAudioFormat(standardFormatWithSampleRate:channels:) and convert with AVAudioConverter."
            )
        }
        try capture.note(format, of: self)
        return StreamLeaf(
            direction, generator: try capturedGenerator(in: &capture), sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount), normalises: normalises)
    }
}

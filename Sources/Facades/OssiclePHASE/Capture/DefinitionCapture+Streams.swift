import OssicleAVFAudio
import OssicleSoundEvents

extension PHASEGeneratorNodeDefinition {
    /// - Throws: `PHASEAssetError.badParameters` for a format that streams cannot have.
    final func capturedStream(_ direction: StreamLeaf.Direction, _ format: AVAudioFormat, normalises: Bool, in capture: inout DefinitionCapture) throws -> StreamLeaf {
        let isPlanar = !format.isInterleaved || format.channelCount == 1
        guard format.commonFormat == .pcmFormatFloat32, isPlanar, format.channelCount > 0, (8000...384_000).contains(format.sampleRate) else {
            throw DefinitionCapture.refusal(of: self, "its format is \(format)", rule: "Streams are deinterleaved 32-bit floats at 8000…384000 Hz.",
                                            cure: "Make the format with AVAudioFormat(standardFormatWithSampleRate:channels:) and convert with AVAudioConverter.")
        }
        try capture.note(format, of: self)
        return StreamLeaf(direction, generator: try capturedGenerator(in: &capture), sampleRate: format.sampleRate,
                          channelCount: Int(format.channelCount), normalises: normalises)
    }
}

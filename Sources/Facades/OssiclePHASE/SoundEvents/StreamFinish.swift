import OssicleAVFAudio
import OssicleDSP
import OssicleFiles
import OssicleRender
import OssicleSoundEvents

/// The last step of what feeds a stream: only numbers get through, and, if the stream is to be normalised, at a common
/// loudness. `process` on the audio thread, the count from any.
final class StreamFinish: @unchecked Sendable {
    /// Samples that were NaN or infinite, and are 0.
    let nonFiniteSamples = PublishedPosition()
    private let leveller: RendererBox<LoudnessLeveller>?

    init(_ format: AVAudioFormat, normalises: Bool) {
        let channels = Int(format.channelCount)
        let settings = LoudnessLeveller.Settings(
            target: LoudnessNormalisation.target, greatestChange: LoudnessNormalisation.greatestChange,
            peakCeiling: LoudnessNormalisation.peakCeiling)
        leveller =
            normalises
            ? RendererBox(
                LoudnessLeveller(
                    settings, sampleRate: format.sampleRate,
                    weights: ChannelRole.weights(channelCount: channels, labels: format.channelLabels)))
            : nil
    }

    func process(_ ports: Ports, _ frames: Int) {
        var cleared = 0
        for channel in 0..<ports.outputCount { cleared += Mixing.clearNonFinite(ports.outputs[channel], frames) }
        if cleared > 0 { nonFiniteSamples.store(nonFiniteSamples.load() + Int64(cleared)) }
        leveller?.pointer.pointee.process(ports.outputs, ports.outputCount, frames)
    }
}

import OssicleAVFAudio
import OssicleCoreAudioTypes

/// An AVAudioEngine in offline rendering with a source of 0.25 into its main mixer.
final class OfflineGraph {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    let source: AVAudioSourceNode
    /// Errors that were recorded.
    let errors = Count()
    private let buffer: AVAudioPCMBuffer

    init(rate: Double = 48_000, starts: Bool = true) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)
        else { throw MisuseFailure("no format or buffer") }
        (self.format, self.buffer) = (format, buffer)
        source = AVAudioSourceNode { _, _, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) { samples[frame] = 0.25 }
            }
            return noErr
        }
        let errors = errors
        engine.errorHandler = { _ in errors.add() }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.attach(source)
        try engine.connectNode(source, to: engine.mainMixerNode, format: format)
        if starts { try engine.start() }
    }

    /// The next frames, of which every sample is a finite number.
    @discardableResult
    func render(_ frames: UInt32 = 512) throws -> [Float] {
        let status = try engine.renderOffline(frames, to: buffer)
        try expect(status == .success, "renderOffline answered \(status)")
        guard let channels = buffer.floatChannelData else { throw MisuseFailure("no samples") }
        let samples = (0..<Int(format.channelCount)).flatMap {
            Array(UnsafeBufferPointer(start: channels[$0], count: Int(buffer.frameLength)))
        }
        try expect(samples.allSatisfy(\.isFinite), "a sample is not a finite number")
        return samples
    }

    /// The source is heard as before: the graph was left as it was.
    func expectUnchanged(_ after: String) throws {
        let other = try render(64).first { $0 != 0.25 }
        try expect(other == nil, "the source no longer sounds as before after \(after): \(other ?? 0) instead of 0.25")
    }

    /// What has to be refused: nothing changes, and the error is kept.
    func refuses(_ words: String, _ body: () -> Void) throws {
        note(words)
        let before = errors.value
        body()
        try expect(errors.value > before && engine.lastError != nil, "no error is recorded after \(words)")
        try expectUnchanged(words)
    }

    /// A node between a source of its own and the main mixer.
    func insert(_ node: AVAudioNode) throws {
        engine.attach(node)
        engine.disconnectNodeOutput(source)
        try engine.connectNode(source, to: node, format: format)
        try engine.connectNode(node, to: engine.mainMixerNode, format: format)
    }

    func buffer(
        frames: UInt32, channels: UInt32 = 2, rate: Double = 48_000, value: Float = 0.1
    ) throws -> AVAudioPCMBuffer {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: max(frames, 1))
        else { throw MisuseFailure("no buffer") }
        buffer.frameLength = frames
        for channel in 0..<Int(channels) {
            for frame in 0..<Int(frames) { buffer.floatChannelData?[channel][frame] = value }
        }
        return buffer
    }
}
